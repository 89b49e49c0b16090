/** @file alloc.h
 * Counts the calling thread's allocations, and makes them fail. Linked into a test program it stands in for malloc, calloc
 * and realloc of everything in it. Under a sanitizer it only counts. */
#ifndef JP_TEST_ALLOC_H
#define JP_TEST_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

/** Allocations by the calling thread since it started (under a sanitizer: since the first call of this). */
uint64_t alloc_count(void);

/** From now on the calling thread's allocations fail, or no longer do. */
void alloc_fail(bool fail);

/** The n-th allocation from now on (1 = the next) that the calling thread's own code makes, not a shared library for it,
 * fails; 0: none. Libraries are spared because some, liblo among them, do not survive it. */
void alloc_fail_nth(uint64_t n);
/** Has it failed? */
bool alloc_nth_failed(void);
/** Whether alloc_fail works in this build. */
bool alloc_can_fail(void);

#endif
