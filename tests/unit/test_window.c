#include <jackprobe/window.h>

#include <criterion/criterion.h>
#include <math.h>

enum { PERIOD_US = 2000 }; /* 96 frames at 48 kHz */

/* A cycle whose end lies so far behind its wake-up. */
static struct jp_cycle cycle(uint64_t k, int64_t end_us)
{
	int64_t wake = 1000000000 + (int64_t)k * PERIOD_US * 1000;
	return (struct jp_cycle){
		.frame = 96 * k,
		.wake_ns = wake,
		.nominal_ns = wake - 7000,
		.head_ns = wake + 20000,
		.tail_ns = wake + end_us * 1000,
		.end_ns = wake + end_us * 1000,
		.nframes = 96,
		.rate_hz = 48000,
		.epoch = 1,
		.wake_source = JP_WAKE_DRIVER,
		.end_source = JP_END_TAIL,
	};
}

static struct jp_span span_of(const struct jp_window *w)
{
	struct jp_span s;
	jp_window_span(w, &s);
	return s;
}

/* Values of up to 3 digits are exact, larger ones within the geometry. */
static bool about(double value, double expected)
{
	return value >= expected && value <= expected * 1.001;
}

Test(window, one_bad_cycle_in_ten_thousand_shows)
{
	struct jp_window *w = jp_window_new();
	for (unsigned k = 0; k < 10000; k++) {
		struct jp_cycle c = cycle(k, k == 6000 ? PERIOD_US * 13 / 10 : PERIOD_US * 3 / 10);
		jp_window_add(w, &c, 5000 + k);
	}
	struct jp_span s = span_of(w);
	cr_expect_eq(s.counts.cycles, 10000);
	cr_expect_eq(s.counts.overruns, 1);
	cr_expect_eq(s.cycle_end.n, 10000);
	cr_expect_eq(s.cycle_end.max_us, 2600);
	cr_expect_eq(s.cycle_end.min_us, 600);
	cr_expect(about(s.cycle_end.p999_us, 600));
	cr_expect_float_eq(s.cycle_end.mean_us, 600.2, 1e-9);
	cr_expect_float_eq(s.load_max_pct, 130, 1e-9);
	cr_expect(about(s.load_p50_pct, 30));
	cr_expect_float_eq(s.headroom_min_us, -600, 1e-9);
	cr_expect_eq(s.worst.end_us, 2600);
	cr_expect_eq(s.worst.period_us, 2000);
	cr_expect_eq(s.worst.unix_ns, 11000);
	cr_expect_eq(s.worst.frame, 96 * 6000);
	jp_window_free(w);
}

Test(window, every_figure_lies_between_its_two_instants)
{
	struct jp_window *w = jp_window_new();
	struct jp_cycle c = cycle(0, 500);
	c.tail_ns += 30000;
	c.end_source = JP_END_SERVER;
	jp_window_add(w, &c, -1);
	struct jp_span s = span_of(w);
	cr_expect_eq(s.cycle_end.max_us, 500);
	cr_expect_eq(s.dispatch.max_us, 20);
	cr_expect_eq(s.lateness.max_us, 7);
	cr_expect_eq(s.tail_hop.max_us, 30);
	cr_expect_eq(s.worst.unix_ns, -1);
	c.nominal_ns = c.wake_ns + 9000;
	jp_window_add(w, &c, -1);
	s = span_of(w);
	cr_expect_eq(s.lateness.min_us, -9);
	cr_expect_eq(s.lateness.p50_us, -9);
	cr_expect_eq(s.lateness.max_us, 7);
	c.tail_ns -= 200000; /* a recorder ended last, which the tail does not wait for */
	jp_window_add(w, &c, -1);
	s = span_of(w);
	cr_expect_eq(s.counts.cycles, 3);
	cr_expect_eq(s.tail_hop.n, 2);
	cr_expect_eq(s.tail_hop.min_us, 30);
	jp_window_free(w);
}

Test(window, what_is_not_known_enters_no_distribution)
{
	struct jp_window *w = jp_window_new();
	struct jp_cycle c = cycle(0, 500);
	c.end_ns = JP_NS_UNKNOWN;
	c.end_source = JP_END_UNKNOWN;
	c.wake_source = JP_WAKE_NOMINAL; /* the nominal date itself: no lateness */
	jp_window_add(w, &c, 1);
	struct jp_span s = span_of(w);
	cr_expect_eq(s.counts.cycles, 1);
	cr_expect_eq(s.counts.overruns, 0);
	cr_expect_eq(s.cycle_end.n, 0);
	cr_expect(isnan(s.cycle_end.p50_us) && isnan(s.cycle_end.max_us) && isnan(s.cycle_end.mean_us));
	cr_expect_eq(s.dispatch.n, 1);
	cr_expect_eq(s.lateness.n, 0);
	cr_expect_eq(s.tail_hop.n, 0);
	cr_expect(isnan(s.headroom_min_us) && isnan(s.load_p50_pct) && isnan(s.load_max_pct));
	cr_expect(isnan(s.worst.end_us) && isnan(s.worst.period_us));
	c.wake_ns = JP_NS_UNKNOWN;
	jp_window_add(w, &c, 1);
	s = span_of(w);
	cr_expect_eq(s.counts.cycles, 2);
	cr_expect_eq(s.dispatch.n, 1);
	c.tail_ns = JP_NS_UNKNOWN; /* a lone head's */
	jp_window_add(w, &c, 1);
	s = span_of(w);
	cr_expect_eq(s.counts.cycles, 2);
	cr_expect_eq(s.counts.incomplete, 1);
	jp_window_free(w);
}

static const struct {
	unsigned flags;
	int64_t cycles, incomplete, freewheel, lost;
} only_counted[] = {
	{JP_CYCLE_FREEWHEEL, 0, 0, 1, 0},
	{JP_CYCLE_NO_TAIL, 0, 1, 0, 3},
	{JP_CYCLE_NO_HEAD, 0, 1, 0, 3},
	{JP_CYCLE_SUSPEND, 0, 0, 0, 0},
	{JP_CYCLE_FREEWHEEL | JP_CYCLE_NO_TAIL, 0, 0, 1, 0},
	{JP_CYCLE_SUSPEND | JP_CYCLE_NO_TAIL, 0, 0, 0, 0},
	{JP_CYCLE_LATE, 1, 0, 0, 3},
	{JP_CYCLE_EPOCH | JP_CYCLE_RESYNC, 1, 0, 0, 3},
};

Test(window, flags_decide_what_a_cycle_counts_as)
{
	for (size_t i = 0; i < sizeof only_counted / sizeof only_counted[0]; i++) {
		struct jp_window *w = jp_window_new();
		struct jp_cycle c = cycle(0, 9000);
		c.flags = (uint16_t)only_counted[i].flags;
		if (c.flags & JP_CYCLE_NO_TAIL)
			c.tail_ns = c.end_ns = JP_NS_UNKNOWN;
		c.end_source = c.flags & JP_CYCLE_NO_TAIL ? JP_END_UNKNOWN : JP_END_TAIL;
		c.lost = 3;
		jp_window_add(w, &c, 1);
		struct jp_span s = span_of(w);
		cr_expect_eq(s.counts.cycles, only_counted[i].cycles, "flags %u", c.flags);
		cr_expect_eq(s.counts.overruns, only_counted[i].cycles, "flags %u", c.flags);
		cr_expect_eq(s.cycle_end.n, only_counted[i].cycles, "flags %u", c.flags);
		cr_expect_eq(s.counts.incomplete, only_counted[i].incomplete, "flags %u", c.flags);
		cr_expect_eq(s.counts.freewheel, only_counted[i].freewheel, "flags %u", c.flags);
		cr_expect_eq(s.counts.lost, only_counted[i].lost, "flags %u", c.flags);
		jp_window_free(w);
	}
}

Test(window, a_cycle_whose_end_only_the_server_knows_is_complete)
{
	struct jp_window *w = jp_window_new();
	struct jp_cycle c = cycle(0, 9000);
	c.flags = JP_CYCLE_NO_TAIL;
	c.end_source = JP_END_SERVER;
	c.tail_ns = JP_NS_UNKNOWN;
	jp_window_add(w, &c, 1);
	struct jp_span s = span_of(w);
	cr_expect_eq(s.counts.cycles, 1);
	cr_expect_eq(s.counts.overruns, 1);
	cr_expect_eq(s.counts.incomplete, 0);
	cr_expect_eq(s.cycle_end.n, 1);
	cr_expect_eq(s.tail_hop.n, 0);
	jp_window_free(w);
}

Test(window, an_end_exactly_at_the_period_is_no_overrun)
{
	struct jp_window *w = jp_window_new();
	struct jp_cycle c = cycle(0, PERIOD_US);
	jp_window_add(w, &c, 1);
	cr_expect_eq(span_of(w).counts.overruns, 0);
	cr_expect_eq(span_of(w).headroom_min_us, 0);
	c.end_ns++;
	jp_window_add(w, &c, 1);
	cr_expect_eq(span_of(w).counts.overruns, 1);
	jp_window_free(w);
}

/* Delays that servers have told, and what else they may say */
static const double unbelievable[] = {
	-180961472, -180962464, -584367424, -1177622016, 0, -0.0, 60e6, 1e300, NAN, INFINITY, -INFINITY};

Test(window, xruns_count_and_their_delay_only_when_it_can_be)
{
	struct jp_window *w = jp_window_new();
	struct jp_cycle c = cycle(0, 500);
	jp_window_add(w, &c, 1);
	struct jp_span before = span_of(w);
	int64_t n = 0;
	for (size_t i = 0; i < sizeof unbelievable / sizeof unbelievable[0]; i++) {
		jp_window_xrun(w, unbelievable[i]);
		cr_expect_eq(span_of(w).counts.xruns, ++n);
		cr_expect(isnan(span_of(w).xrun_delay_max_us), "%g", unbelievable[i]);
	}
	jp_window_xrun(w, 250.5);
	jp_window_xrun(w, 59.9e6);
	jp_window_xrun(w, 10);
	jp_window_xrun(w, NAN);
	struct jp_span after = span_of(w);
	cr_expect_eq(after.counts.xruns, n + 4);
	cr_expect_eq(after.xrun_delay_max_us, 59.9e6);
	cr_expect_eq(after.counts.overruns, before.counts.overruns);
	cr_expect_eq(after.cycle_end.max_us, before.cycle_end.max_us);
	cr_expect_eq(after.cycle_end.n, before.cycle_end.n);
	jp_window_free(w);
}

Test(window, merged_windows_give_percentiles_of_all_cycles)
{
	struct jp_window *total = jp_window_new(), *w = jp_window_new();
	for (unsigned k = 0; k < 1010; k++) {
		struct jp_cycle c = cycle(k, k < 1000 ? 100 : 5000);
		jp_window_add(w, &c, k);
		if (k == 999) {
			jp_window_merge(total, w);
			jp_window_reset(w);
		}
	}
	jp_window_xrun(w, 12);
	jp_window_dropped(w, 4);
	jp_window_merge(total, w);
	struct jp_span s = span_of(total);
	cr_expect_eq(s.counts.cycles, 1010);
	cr_expect_eq(s.counts.overruns, 10);
	cr_expect_eq(s.counts.xruns, 1);
	cr_expect_eq(s.counts.dropped, 4);
	cr_expect_eq(s.xrun_delay_max_us, 12);
	cr_expect(about(s.cycle_end.p99_us, 100), "%g", s.cycle_end.p99_us);
	cr_expect_eq(s.cycle_end.p999_us, 5000);
	cr_expect_eq(s.worst.end_us, 5000);
	cr_expect_eq(s.worst.unix_ns, 1000, "the first of equal ones");
	cr_expect_eq(s.headroom_min_us, -3000);
	s = span_of(w);
	cr_expect_eq(s.counts.cycles, 10);
	cr_expect_eq(s.cycle_end.min_us, 5000);
	jp_window_free(total);
	jp_window_free(w);
}

Test(window, merging_an_empty_window_keeps_the_worst_and_the_period)
{
	struct jp_window *total = jp_window_new(), *empty = jp_window_new();
	struct jp_cycle c = cycle(0, 1000);
	jp_window_add(total, &c, 77);
	jp_window_merge(total, empty);
	struct jp_span s = span_of(total);
	cr_expect_eq(s.worst.unix_ns, 77);
	cr_expect_eq(s.load_max_pct, 50);
	jp_window_free(total);
	jp_window_free(empty);
}

Test(window, a_new_epoch_keeps_counts_and_forgets_distributions)
{
	struct jp_window *w = jp_window_new();
	struct jp_cycle c = cycle(0, 3000);
	jp_window_add(w, &c, 1);
	jp_window_xrun(w, 99);
	jp_window_new_epoch(w);
	struct jp_span s = span_of(w);
	cr_expect_eq(s.counts.cycles, 1);
	cr_expect_eq(s.counts.overruns, 1);
	cr_expect_eq(s.counts.xruns, 1);
	cr_expect_eq(s.xrun_delay_max_us, 99);
	cr_expect_eq(s.cycle_end.n, 0);
	cr_expect(isnan(s.headroom_min_us) && isnan(s.worst.end_us));
	c = cycle(1, 1000);
	c.nframes = 192;
	jp_window_add(w, &c, 2);
	s = span_of(w);
	cr_expect_eq(s.counts.cycles, 2);
	cr_expect_eq(s.load_max_pct, 25);
	cr_expect_eq(s.worst.period_us, 4000);
	cr_expect_eq(jp_hist_count(jp_window_cycle_end(w)), 1);
	jp_window_free(w);
}

Test(window, reset_forgets_all)
{
	struct jp_window *w = jp_window_new();
	struct jp_cycle c = cycle(0, 3000);
	jp_window_add(w, &c, 1);
	jp_window_xrun(w, 99);
	jp_window_reset(w);
	struct jp_span s = span_of(w);
	cr_expect_eq(s.counts.cycles, 0);
	cr_expect_eq(s.counts.overruns, 0);
	cr_expect_eq(s.counts.xruns, 0);
	cr_expect(isnan(s.xrun_delay_max_us));
	cr_expect_eq(s.lateness.n, 0);
	cr_expect_eq(s.dispatch.n, 0);
	jp_window_free(w);
}

Test(span, unknown_is_minus_one_and_nan)
{
	struct jp_span s;
	jp_span_unknown(&s);
	const int64_t *counts = (const int64_t *)&s.counts;
	for (size_t i = 0; i < sizeof s.counts / sizeof *counts; i++)
		cr_expect_eq(counts[i], -1);
	const struct jp_dist *dists[] = {&s.cycle_end, &s.dispatch, &s.lateness, &s.tail_hop};
	for (size_t i = 0; i < 4; i++)
		cr_expect(dists[i]->n == 0 && isnan(dists[i]->min_us) && isnan(dists[i]->mean_us) &&
			  isnan(dists[i]->p50_us) && isnan(dists[i]->p90_us) && isnan(dists[i]->p99_us) &&
			  isnan(dists[i]->p999_us) && isnan(dists[i]->max_us));
	cr_expect(isnan(s.headroom_min_us) && isnan(s.load_p50_pct) && isnan(s.load_max_pct));
	cr_expect(isnan(s.worst.end_us) && isnan(s.worst.period_us) && s.worst.unix_ns == -1);
	cr_expect(isnan(s.xrun_delay_max_us));
}

static const struct {
	int64_t n;
	double p;
	bool thin;
} thin[] = {
	{1000, 99, false},
	{999, 99, true},
	{10000, 99.9, false},
	{9999, 99.9, true},
	{100, 90, false},
	{99, 90, true},
	{20, 50, false},
	{19, 50, true},
	{0, 50, true},
	{1000000, 100, true},
};

Test(dist, thin_percentiles_have_fewer_than_ten_samples_behind_them)
{
	for (size_t i = 0; i < sizeof thin / sizeof thin[0]; i++)
		cr_expect_eq(jp_dist_thin(thin[i].n, thin[i].p), thin[i].thin, "%ld p%g", (long)thin[i].n, thin[i].p);
}

Test(dist, all_points_in_one_pass_are_those_asked_for_alone)
{
	struct jp_hist *h = jp_hist_new();
	for (int64_t v = 1; v <= 20000; v++)
		jp_hist_add(h, v * v % 7919 * 1000);
	struct jp_dist d;
	jp_dist_of(h, &d);
	cr_expect_eq(d.p50_us, (double)jp_hist_percentile(h, 50) / 1000);
	cr_expect_eq(d.p90_us, (double)jp_hist_percentile(h, 90) / 1000);
	cr_expect_eq(d.p99_us, (double)jp_hist_percentile(h, 99) / 1000);
	cr_expect_eq(d.p999_us, (double)jp_hist_percentile(h, 99.9) / 1000);
	cr_expect_eq(d.n, 20000);
	jp_hist_free(h);
}
