/* --max-overruns and --max-p99. */
#include "threshold.h"

#include <jackprobe/window.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void jp_threshold_init(struct jp_threshold *t, int64_t max_overruns, double max_p99_us)
{
	*t = (struct jp_threshold){.max_overruns = max_overruns, .max_p99_us = max_p99_us};
}

bool jp_threshold_check(struct jp_threshold *t, const struct jp_span *total, bool at_end)
{
	const struct jp_dist *end = &total->cycle_end;
	if (t->passed)
		return true;
	if (t->max_overruns >= 0 && total->counts.overruns > t->max_overruns) {
		t->passed = true;
		snprintf(t->text, sizeof t->text, "overruns %" PRId64 " > --max-overruns %" PRId64,
			total->counts.overruns, t->max_overruns);
	} else if (!isnan(t->max_p99_us) && end->p99_us > t->max_p99_us && (at_end || !jp_dist_thin(end->n, 99))) {
		t->passed = true;
		snprintf(
			t->text, sizeof t->text, "cycle end p99 %.1f us > --max-p99 %g us", end->p99_us, t->max_p99_us);
	}
	return t->passed;
}
