/** @file threshold.h
 * --max-overruns and --max-p99. Pure. */
#ifndef JP_THRESHOLD_H
#define JP_THRESHOLD_H

#include <jackprobe/report.h>
#include <stdbool.h>

struct jp_threshold {
	int64_t max_overruns; /**< -1 = none */
	double max_p99_us;    /**< NaN = none */
	bool passed;
	char text[128]; /**< what was passed, in words; "" = nothing */
};

void jp_threshold_init(struct jp_threshold *t, int64_t max_overruns, double max_p99_us);

/** Hold the figures since start against the limits. A p99 with too few values behind it (jp_dist_thin) counts only at the
 * end. @return passed, now or before: the first that is passed stays. */
bool jp_threshold_check(struct jp_threshold *t, const struct jp_span *total, bool at_end);

#endif
