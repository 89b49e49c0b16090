/** @file culprit.h
 * Figures per client and the blame for overruns, from the executions of each cycle. One thread: the collector. */
#ifndef JP_CULPRIT_H
#define JP_CULPRIT_H

#include "collect/exec_merge.h"
#include "collect/stuck.h"
#include "timing/timing.h"

#include <jackprobe/blame.h>
#include <jackprobe/client_stats.h>

/** Who made a cycle late. */
struct jp_verdict {
	struct jp_blame blame;
	char client[JP_NAME_MAX]; /**< "" = nobody of the clients */
};

struct jp_culprit; /**< opaque */

/** @return NULL when out of memory. The caller owns it. */
struct jp_culprit *jp_culprit_new(void);
void jp_culprit_free(struct jp_culprit *c);

/** Count the executions of a cycle.
 * @return true when the cycle overran: then verdict says who is to blame, and it is counted. */
bool jp_culprit_cycle(struct jp_culprit *c, struct jp_times *timing, const struct jp_cycle *cycle,
	const struct jp_exec_cycle *execs, struct jp_verdict *verdict);

/** After jp_culprit_cycle: clients that hold the graph up, to tell. Call until it returns false (stuck.h). */
bool jp_culprit_stuck(struct jp_culprit *c, const struct jp_cycle *cycle, struct jp_stuck_news *out);
/** Who held it up since the start, for the summary. @return false when nobody did: then "". */
bool jp_culprit_stuck_text(const struct jp_culprit *c, char *out, size_t size);

/** Count an overrun of whose executions nothing is known. */
void jp_culprit_unseen(struct jp_culprit *c, struct jp_verdict *verdict);

/** A new epoch: nothing is usual any more. */
void jp_culprit_new_epoch(struct jp_culprit *c);

/** The figures, to read and to close windows of. Borrowed. */
struct jp_client_stats *jp_culprit_stats(struct jp_culprit *c);

/** Overruns since start, by kind of blame (JP_BLAME_KINDS of them). Borrowed. */
const uint64_t *jp_culprit_counts(const struct jp_culprit *c);

/** Who is to blame for the worst overrun of the epoch ("driver" for the server). @param frame of the cycle that is meant.
 * @return "" when that is not the worst that was judged, or nobody is known. Borrowed. */
const char *jp_culprit_of(const struct jp_culprit *c, uint64_t frame);

/** A sentence on a verdict: "busy 3.10 ms, usually 0.40 ms"; of one whose excess does not explain the overrun: "at work when time was up (busy
 * 0.40 ms, usually 0.40 ms)". Unknown: "". Pure. @param over_ns by how much the cycle overran. */
void jp_verdict_text(const struct jp_verdict *v, int64_t over_ns, char *out, size_t size);

#endif
