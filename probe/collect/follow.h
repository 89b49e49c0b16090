/** @file follow.h
 * Tells what changes in the probe's standing: the server going and coming, the graph, how the callbacks are scheduled, what
 * hangs. Thread: collector. */
#ifndef JP_FOLLOW_H
#define JP_FOLLOW_H

#include "collect/teller.h"
#include "graph/session.h"

/** State from one look to the next. Zeroed by jp_follow_init. */
struct jp_follow {
	struct jp_teller *teller;
	struct jp_meta *meta; /**< the run's facts; those about the server are put in as they become known */
	struct jp_session_info seen;
	bool sched_complained;
	struct jp_times *timing; /**< server timing as told last */
	char timing_why[256];    /**< why it is not in use; "" = it is, or is not wanted */
};

/** @param teller, meta outlive it. */
void jp_follow_init(struct jp_follow *f, struct jp_teller *teller, struct jp_meta *meta);

/** Tell how the standing differs from the one at the last look. */
void jp_follow_session(struct jp_follow *f, const struct jp_session_info *now);

/** Tell where the ends come from, when that has changed. */
void jp_follow_timing(struct jp_follow *f, const struct jp_session_info *now);
/** Tell that server timing has switched itself off. */
void jp_follow_timing_off(struct jp_follow *f, const char *why);

#endif
