/** @file process.h
 * One process of /proc. */
#ifndef JP_SENSE_PROCESS_H
#define JP_SENSE_PROCESS_H

#include "sys/tree.h"

#include <jackprobe/status.h>
#include <stdint.h>

/** What is read of /proc/PID/stat (proc_pid_stat(5)). */
struct jp_process {
	char comm[32]; /**< name, as the kernel keeps it: 15 characters for programs */
	char state;
	uint64_t major_faults;
	uint64_t cpu_ticks; /**< user and system */
	uint64_t start_ticks;
	uint64_t rss_pages;
};

/** The name may hold blanks and parentheses: it ends at the last ')'. Pure. Errors: JP_BAD_DATA. */
enum jp_status jp_process_parse(const char *text, struct jp_process *out);
/** Errors: JP_MISSING: no such process, or it is dead and only its entry remains; as jp_tree_text. */
enum jp_status jp_process_read(const struct jp_tree *tree, int64_t pid, struct jp_process *out);
/** The first by number of the processes of that name (only its first 15 characters count). @param others how many more
 * there are. @return its number, -1 when there is none. */
int64_t jp_process_find(const struct jp_tree *tree, const char *name, size_t *others);

#endif
