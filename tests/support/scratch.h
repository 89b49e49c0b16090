/** @file scratch.h
 * A directory of a test's own, and whole files in and out of it. */
#ifndef JP_TEST_SCRATCH_H
#define JP_TEST_SCRATCH_H

#include <stddef.h>

/** Make a directory; also the fixture's .init. Every test runs in a process of its own, so there is one per test. */
void jp_scratch_make(void);
/** Remove it with all that is in it: the fixture's .fini. */
void jp_scratch_remove(void);

/** Path of a file in it (printf-like), in a buffer that stays for the test's life. */
const char *jp_scratch_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** Whole content of a file as a string, which stays for the test's life; NULL when it cannot be read. */
const char *jp_scratch_read(const char *path);
/** Three strings as one, which stays for the test's life. */
char *jp_scratch_join(const char *a, const char *b, const char *c);
/** Make a file with this content. */
void jp_scratch_write(const char *path, const char *text);

#endif
