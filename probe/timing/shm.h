/** @file shm.h
 * The server's shared memory: found among what libjack has mapped, then mapped once more for ourselves, read-only, so that
 * it stays when libjack lets its own go. */
#ifndef JP_SHM_H
#define JP_SHM_H

#include <jackprobe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** A mapping of a segment named jack-<uid>-<n>. */
struct jp_shm_line {
	uintptr_t start, end;
	uint64_t offset, inode;
	char path[128];
};

/** Read a line of /proc/self/maps. Pure. @return false when it is no segment of a JACK server, or one that is deleted. */
bool jp_shm_parse(const char *line, struct jp_shm_line *out);

/** The largest segment of a text like /proc/self/maps. @return false when there is none. */
bool jp_shm_largest(FILE *maps, struct jp_shm_line *out);

struct jp_shm {
	unsigned char *base;       /**< our own mapping, size bytes, read-only */
	size_t size;               /**< of the file; the mapping may be longer */
	struct jp_shm_line theirs; /**< libjack's mapping of the same file */
};

/** Find and map. The file must still be the one that libjack mapped (same inode).
 * Errors: JP_UNSUPPORTED (no such mapping, another file by now), JP_DENIED, JP_IO. Thread: any. */
enum jp_status jp_shm_open(struct jp_shm *out, struct jp_why *why);
void jp_shm_close(struct jp_shm *shm);

/** Where a pointer into libjack's mapping points to in the file; SIZE_MAX when it does not. */
size_t jp_shm_offset(const struct jp_shm *shm, const void *theirs);

/** Touch and lock part of it, so that no callback ever waits for a page. What cannot be locked stays touched. */
void jp_shm_hold(const struct jp_shm *shm, size_t from, size_t size);

#endif
