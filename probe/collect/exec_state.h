/** @file exec_state.h
 * What exec_merge.c (looks -> executions) and exec_cycles.c (executions -> cycles) share. */
#ifndef JP_EXEC_STATE_H
#define JP_EXEC_STATE_H

#include "collect/exec_history.h"
#include "collect/exec_list.h"
#include "collect/exec_merge.h"
#include "collect/exec_refs.h"
#include "collect/look_times.h"

struct jp_exec_wake {
	int64_t wake_ns, look_ns;
};

struct jp_exec_merge {
	int64_t patience_ns, horizon_ns, period_ns;
	int64_t border_ns; /* where the cycle taken last ended */
	struct jp_exec_refs refs;
	struct jp_exec_list looks, done, out;
	struct jp_exec_list still, idle; /* looks at clients that did nothing; those of the cycle taken last */
	struct jp_exec_wake wakes[JP_EXEC_CYCLES_MAX];
	uint64_t first_wake, n_wakes; /* ever taken, ever put */
	struct jp_exec_history history[JP_EXEC_ROLES];
	int64_t release_ns, before_release_ns; /* the driver's latest, and the one before */
	int64_t released_ns;                   /* the one of the cycle taken last */
	struct jp_look_times looked;
	bool reports;
	bool sync; /* the driver waits for the graph (jackd2's synchronous mode) */
	uint64_t lost;
};

/** The execution that is open ends. @param finished_ns JP_NS_UNKNOWN = nobody saw when. @param state JP_EXEC_FINISHED, though perhaps nobody saw
 * when; JP_EXEC_RUNNING: never. */
void jp_exec_end_open(
	struct jp_exec_merge *m, struct jp_exec_ref *r, int64_t finished_ns, enum jp_exec_state state, int64_t seen_ns);

#endif
