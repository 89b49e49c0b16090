/** @file exec_history.h
 * The last executions of head and tail, or releases of the driver: for the collector to look up by time. Pure. */
#ifndef JP_EXEC_HISTORY_H
#define JP_EXEC_HISTORY_H

#include <jackprobe/exec.h>

enum { JP_EXEC_HISTORY = 1024 };

/** Zero-initialised is empty. */
struct jp_exec_history {
	struct jp_exec item[JP_EXEC_HISTORY];
	uint64_t n; /**< ever put */
};

void jp_exec_history_put(struct jp_exec_history *h, const struct jp_exec *e);

/** The execution that was going on at an instant. @return false when there is none. */
bool jp_exec_history_during(const struct jp_exec_history *h, int64_t at_ns, struct jp_exec *out);

/** The first or the last finish (release) from an instant to before another; JP_NS_UNKNOWN. */
int64_t jp_exec_history_first(const struct jp_exec_history *h, int64_t from_ns, int64_t to_ns);
int64_t jp_exec_history_last(const struct jp_exec_history *h, int64_t from_ns, int64_t to_ns);

#endif
