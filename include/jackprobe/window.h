/** @file window.h
 * Statistics of cycles: the current window and everything since start. Pure: no clock, file or thread. */
#ifndef JACKPROBE_WINDOW_H
#define JACKPROBE_WINDOW_H

#include <jackprobe/hist.h>
#include <jackprobe/report.h>
#include <stdbool.h>

JP_BEGIN_DECLS

/** One span's histograms and counters. Opaque. */
struct jp_window;

/** @return NULL when out of memory. The caller owns it. One thread at a time. */
struct jp_window *jp_window_new(void);
void jp_window_free(struct jp_window *w);
/** Forget everything. */
void jp_window_reset(struct jp_window *w);
/** Forget the distributions (a new epoch) but keep the counts. */
void jp_window_new_epoch(struct jp_window *w);

/** Count one cycle. Incomplete, freewheel and suspend cycles go to their counts only. The cycle's epoch must be the one of the
 * cycles before (call jp_window_new_epoch between). @param unix_ns wall clock of the cycle's wake, for the worst
 * event; -1 unknown. */
void jp_window_add(struct jp_window *w, const struct jp_cycle *cycle, int64_t unix_ns);
/** Count one xrun notification. @param delay_us what the server said; believed only if finite, > 0 and < 60 s. */
void jp_window_xrun(struct jp_window *w, double delay_us);
/** Count records that were lost between callback and collector. */
void jp_window_dropped(struct jp_window *w, uint64_t n);
/** into += from, both of the same epoch. */
void jp_window_merge(struct jp_window *into, const struct jp_window *from);

/** Work out the figures. Counts are numbers here (0 when nothing was counted); whether 0 means "unknown" (no cycle came) is for the
 * caller to say, with jp_span_unknown. */
void jp_window_span(const struct jp_window *w, struct jp_span *out);

/** Set every figure of the span to unknown. */
void jp_span_unknown(struct jp_span *span);

/** Figures of one histogram, ns -> us. */
void jp_dist_of(const struct jp_hist *h, struct jp_dist *out);
void jp_dist_of_signed(const struct jp_shist *h, struct jp_dist *out);

/** Too few samples behind percentile p (0..100) of n values to lean on: n * (1 - p/100) < 10. */
bool jp_dist_thin(int64_t n, double p);

/** The cycle-end histogram (ns), for tests, sinks and the cost of publishing. Borrowed. */
const struct jp_hist *jp_window_cycle_end(const struct jp_window *w);

JP_END_DECLS

#endif
