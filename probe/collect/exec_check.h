/** @file exec_check.h
 * Holds the server's record of our own executions against our own stamps, for ever. A call of ours from entry to exit must lie
 * within exactly one execution that began after our call before had ended. Pure. */
#ifndef JP_EXEC_CHECK_H
#define JP_EXEC_CHECK_H

#include "collect/exec_merge.h"

#include <jackprobe/record.h>
#include <stdbool.h>

enum {
	JP_EXEC_CHECK_CALLS = 1024,
	JP_EXEC_CHECK_MISSES = 8,    /**< so many calls in a row without an execution contradict, too */
	JP_EXEC_CHECK_SILENCE_S = 3, /**< of reports: for so long */
};

/** Members are private to exec_check.c. Zero-initialised is empty. */
struct jp_exec_check {
	bool reports;         /**< see jp_exec_check_reports */
	int64_t silent_ns[2]; /**< entry of the first of the misses */
	struct jp_exec_call {
		int64_t entry_ns, exit_ns, before_ns; /**< before: exit of the call before, JP_NS_UNKNOWN */
	} calls[2][JP_EXEC_CHECK_CALLS];              /**< by enum jp_role */
	uint64_t first[2], n[2];                      /**< ever checked, ever put */
	int64_t entry_ns[2],
		exit_ns[2]; /**< of the call whose exit is not known yet, and of the one before; 0 = none */
	unsigned misses[2];
};

/** From now on executions come as reports of the server's own making (PipeWire's profiler): they are believed, and while the server
 * makes up for a delay some are left out, so that only long silence is a contradiction. */
void jp_exec_check_reports(struct jp_exec_check *c, bool reports);
/** Records of our callbacks, in order per role. */
void jp_exec_check_put(struct jp_exec_check *c, const struct jp_record *records, size_t n);
/** Something is missing: the next record begins anew. */
void jp_exec_check_gap(struct jp_exec_check *c);

/** Check the calls that began before an instant (all looks must be in that show their ends).
 * @return JP_BAD_DATA with the sentence at the first contradiction. */
enum jp_status jp_exec_check_run(
	struct jp_exec_check *c, const struct jp_exec_merge *m, int64_t until_ns, struct jp_why *why);

#endif
