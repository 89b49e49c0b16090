/* Figures of distributions and spans. */
#include "hist_ranks.h"

#include <jackprobe/window.h>
#include <math.h>

static double us(int64_t ns)
{
	return (double)ns / 1000;
}

static void dist_unknown(struct jp_dist *d)
{
	*d = (struct jp_dist){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

void jp_span_unknown(struct jp_span *span)
{
	span->counts = (struct jp_counts){-1, -1, -1, -1, -1, -1, -1};
	span->xrun_delay_max_us = NAN;
	dist_unknown(&span->cycle_end);
	dist_unknown(&span->dispatch);
	dist_unknown(&span->lateness);
	dist_unknown(&span->tail_hop);
	span->headroom_min_us = NAN;
	span->load_p50_pct = span->load_max_pct = NAN;
	span->worst = (struct jp_worst){.end_us = NAN, .period_us = NAN, .unix_ns = -1};
}

void jp_dist_of(const struct jp_hist *h, struct jp_dist *out)
{
	static const double points[] = {50, 90, 99, 99.9};
	enum { POINTS = sizeof points / sizeof points[0] };
	uint64_t n = jp_hist_count(h), ranks[POINTS];
	struct jp_hist_range range[POINTS];
	if (!n) {
		dist_unknown(out);
		return;
	}
	for (int i = 0; i < POINTS; i++)
		ranks[i] = jp_hist_rank(points[i], n);
	jp_hist_at_ranks(h, ranks, POINTS, range);
	*out = (struct jp_dist){
		.n = (int64_t)n,
		.min_us = us(jp_hist_min(h)),
		.mean_us = jp_hist_mean(h) / 1000,
		.p50_us = us(range[0].high),
		.p90_us = us(range[1].high),
		.p99_us = us(range[2].high),
		.p999_us = us(range[3].high),
		.max_us = us(jp_hist_max(h)),
	};
}

void jp_dist_of_signed(const struct jp_shist *h, struct jp_dist *out)
{
	uint64_t n = jp_shist_count(h);
	if (!n) {
		dist_unknown(out);
		return;
	}
	*out = (struct jp_dist){
		.n = (int64_t)n,
		.min_us = us(jp_shist_min(h)),
		.mean_us = jp_shist_mean(h) / 1000,
		.p50_us = us(jp_shist_percentile(h, 50)),
		.p90_us = us(jp_shist_percentile(h, 90)),
		.p99_us = us(jp_shist_percentile(h, 99)),
		.p999_us = us(jp_shist_percentile(h, 99.9)),
		.max_us = us(jp_shist_max(h)),
	};
}

bool jp_dist_thin(int64_t n, double p)
{
	return (double)n * (100 - p) < 1000 * (1 - 1e-9); /* 100 - 99.9 is a little below 0.1 */
}
