/** @file tree.h
 * Reading files below a root path: the machine itself, or a copied tree (--sysroot). The only place that opens /sys,
 * /proc and /dev files of sensors: every read is bounded in length and timed, nothing but regular files and character
 * devices is read, and in a copied tree links cannot lead out of it.
 * Thread of all calls: one at a time. Not RT safe. */
#ifndef JP_TREE_H
#define JP_TREE_H

#include <jackprobe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JP_TREE_PATH_MAX = 256, JP_TREE_NAME_MAX = 64 };

struct jp_tree; /**< opaque */

/** @param sysroot "" or NULL: the machine. Errors: JP_BAD_ARG (no directory), JP_NO_MEM. The caller owns the result. */
enum jp_status jp_tree_open(const char *sysroot, struct jp_tree **out, struct jp_why *why);
void jp_tree_close(struct jp_tree *t);
/** True when the root is the machine itself: perf counters may be used. */
bool jp_tree_is_machine(const struct jp_tree *t);

/** Open a file of the tree ("/proc/stat") with open(2) flags; never creates. @return descriptor or -1 with errno
 * (EINVAL: neither a regular file nor a character device). The caller owns it. */
int jp_tree_fd(const struct jp_tree *t, const char *path, int flags);

/* One-shot readers; the path is printf-like. Errors of all: JP_MISSING, JP_DENIED, JP_BAD_DATA (no such content, a
 * directory), JP_IO. */

/** The first `size - 1` bytes of a file, NUL-terminated. */
enum jp_status jp_tree_text(const struct jp_tree *t, char *buf, size_t size, const char *fmt, ...) JP_PRINTF(4, 5);
/** First line without its newline and trailing blanks; JP_BAD_DATA when it is empty. */
enum jp_status jp_tree_line(const struct jp_tree *t, char *buf, size_t size, const char *fmt, ...) JP_PRINTF(4, 5);
/** A file that holds one unsigned decimal number. */
enum jp_status jp_tree_u64(const struct jp_tree *t, uint64_t *out, const char *fmt, ...) JP_PRINTF(3, 4);
/** Is there an entry of that name? */
bool jp_tree_has(const struct jp_tree *t, const char *fmt, ...) JP_PRINTF(2, 3);

/** Names in a directory. */
struct jp_names {
	char (*name)[JP_TREE_NAME_MAX];
	size_t n;
};
/** Entries of a directory that start with prefix, numbers in them in numerical order ("cpu2" before "cpu10"). A missing
 * directory has none; names longer than fits are left out. Free with jp_names_free. */
struct jp_names jp_tree_list(const struct jp_tree *t, const char *path, const char *prefix);
void jp_names_free(struct jp_names *names);

/** Patience with a group of files that behave alike. A read that takes longer than the limit is a strike, a quick one
 * forgives; after JP_PACE_STRIKES in a row the group is dropped for good. (One alone may be our own preemption.) */
struct jp_pace {
	int64_t limit_ns;
	int64_t worst_ns; /**< longest read so far */
	unsigned strikes;
	bool dropped;
};
enum { JP_PACE_STRIKES = 3 };
/** Count a read of that duration. @return false: the group is dropped. */
bool jp_pace_note(struct jp_pace *pace, int64_t took_ns);

/** A file that is read again and again from its start. On the machine it stays open (up to a limit per tree); in a copied
 * tree, where files may be replaced, it is opened each time. */
struct jp_file {
	char *path;
	int fd;    /**< -1: opened for each read */
	bool keep; /**< may stay open */
};

/** Check that the file can be opened. Errors as above, and JP_NO_MEM; then nothing is owned. */
enum jp_status jp_file_open(struct jp_file *f, struct jp_tree *t, const char *fmt, ...) JP_PRINTF(3, 4);
void jp_file_close(struct jp_file *f, struct jp_tree *t);
/** Read from the start, up to size - 1 bytes, NUL-terminated. A slow read still gives its value. @param pace may be NULL.
 * Errors: as above; JP_TIMEOUT: the group is dropped, nothing was read. After a failure the file is opened afresh. */
enum jp_status jp_file_text(
	struct jp_file *f, const struct jp_tree *t, struct jp_pace *pace, char *buf, size_t size, size_t *len);
/** The same for a file that holds one unsigned decimal number. */
enum jp_status jp_file_u64(struct jp_file *f, const struct jp_tree *t, struct jp_pace *pace, uint64_t *out);

/** An unsigned decimal number that fills the text but for surrounding blanks. @return JP_BAD_DATA: empty, signed, beyond
 * 64 bit, anything else. Pure. */
enum jp_status jp_parse_u64(const char *text, uint64_t *out);

#endif
