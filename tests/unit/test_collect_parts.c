/* The collector's pure parts: state, suspends, edges of windows, rate limit of events, thresholds. */
#include "collect/edge.h"
#include "collect/limiter.h"
#include "collect/state.h"
#include "collect/suspend.h"
#include "collect/threshold.h"

#include <jackprobe/window.h>

#include <criterion/criterion.h>
#include <math.h>

#define S 1000000000LL

Test(state, follows_records_and_silence)
{
	static const struct {
		int64_t at_ns;
		bool attached, records, freewheel;
		enum jp_state state;
		bool changed;
	} step[] = {
		{1 * S, false, false, false, JP_STATE_DISCONNECTED, false},
		{2 * S, true, false, false, JP_STATE_RUNNING, true}, /* just attached: time to deliver a first cycle */
		{3 * S, true, true, false, JP_STATE_RUNNING, false},
		{5 * S - 1, true, false, false, JP_STATE_RUNNING, false},
		{5 * S, true, false, false, JP_STATE_STALE, true}, /* 2 s without a cycle */
		{9 * S, true, false, false, JP_STATE_STALE, false},
		{10 * S, true, true, true, JP_STATE_FREEWHEEL, true},
		{11 * S, true, true, false, JP_STATE_RUNNING, true},
		{12 * S, false, false, false, JP_STATE_DISCONNECTED, true},
		{60 * S, true, false, false, JP_STATE_RUNNING, true}, /* back: the silence before does not count */
		{62 * S, true, false, false, JP_STATE_STALE, true},
	};
	struct jp_state_track t;
	jp_state_init(&t, 0);
	for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
		bool changed = jp_state_update(&t, step[i].at_ns, step[i].attached, step[i].records, step[i].freewheel);
		cr_expect_eq(t.state, step[i].state, "step %zu: %s", i, jp_state_text(t.state));
		cr_expect_eq(changed, step[i].changed, "step %zu", i);
	}
}

Test(edge, a_window_waits_for_its_cycles_within_a_bound)
{
	struct jp_edge e;
	jp_edge_init(&e, 10 * S, S);
	cr_expect_eq(jp_edge_limit(&e), 11 * S);
	cr_expect_not(jp_edge_reach(&e, 11 * S - 1));
	cr_expect_not(jp_edge_ripe(&e, 11 * S - 1, true), "no window is due");
	cr_assert(jp_edge_reach(&e, 11 * S + 3));
	cr_expect_eq(e.due_ns, 11 * S);
	cr_expect_eq(jp_edge_limit(&e), 11 * S, "what comes later belongs to the next window");
	cr_expect_not(jp_edge_ripe(&e, 11 * S + 4, false));
	cr_expect(jp_edge_ripe(&e, 11 * S + 4, true));
	cr_expect(jp_edge_ripe(&e, 11 * S + JP_EDGE_BOUND_NS, false));
	jp_edge_closed(&e);
	cr_expect_eq(jp_edge_limit(&e), 12 * S);
	cr_assert(jp_edge_reach(&e, 14 * S + 5), "nobody looked for two seconds");
	cr_expect_eq(e.due_ns, 14 * S);
	jp_edge_closed(&e);
	cr_expect_eq(jp_edge_limit(&e), 15 * S);
	jp_edge_init(&e, 0, S / 10);
	cr_assert(jp_edge_reach(&e, S / 10));
	cr_expect_not(jp_edge_ripe(&e, S / 5 - 1, false));
	cr_expect_not(jp_edge_reach(&e, S / 5), "one at a time");
	cr_expect(jp_edge_ripe(&e, S / 5, false), "not longer than until the next edge");
}

Test(suspend, is_what_the_two_clocks_differ_by)
{
	struct jp_suspend s;
	jp_suspend_init(&s, 100 * S, 40 * S); /* it has slept for a minute before we came */
	cr_expect_eq(jp_suspend_slept(&s, 101 * S, 41 * S), 0);
	cr_expect_eq(jp_suspend_slept(&s, 102 * S + 19000000, 42 * S), 0, "interrupted between the clocks");
	cr_expect_eq(jp_suspend_slept(&s, 103 * S, 43 * S), 0, "and not the next time");
	cr_expect_eq(jp_suspend_slept(&s, 134 * S, 44 * S), 30 * S);
	cr_expect_eq(jp_suspend_slept(&s, 135 * S, 45 * S), 0, "told once");
}

Test(limiter, storm_is_counted_and_told_at_a_limited_rate)
{
	struct jp_limiter l;
	uint64_t suppressed, told = 0, left_out = 0;
	jp_limiter_init(&l);
	for (int ms = 0; ms < 10000; ms++)
		if (jp_limiter_pass(&l, JP_EVENT_OVERRUN, ms * 1000000LL, &suppressed)) {
			told++;
			left_out += suppressed;
		}
	cr_assert_eq(told + left_out + jp_limiter_take_held(&l, JP_EVENT_OVERRUN), 10000);
	cr_assert_eq(jp_limiter_take_held(&l, JP_EVENT_OVERRUN), 0, "taken once");
	cr_assert_leq(told, JP_LIMIT_BURST + 10 * JP_LIMIT_PER_SECOND);
	cr_assert_geq(told, JP_LIMIT_BURST + 9 * JP_LIMIT_PER_SECOND);
}

Test(limiter, types_do_not_share_and_quiet_time_refills)
{
	struct jp_limiter l;
	uint64_t suppressed = 99;
	jp_limiter_init(&l);
	for (int i = 0; i < 100; i++)
		jp_limiter_pass(&l, JP_EVENT_XRUN, 0, &suppressed);
	cr_assert(jp_limiter_pass(&l, JP_EVENT_LOST, 0, &suppressed));
	cr_assert_eq(suppressed, 0);
	cr_assert(jp_limiter_pass(&l, JP_EVENT_XRUN, 60 * S, &suppressed));
	cr_assert_eq(suppressed, 100 - JP_LIMIT_BURST);
	for (int i = 1; i < JP_LIMIT_BURST; i++)
		cr_assert(jp_limiter_pass(&l, JP_EVENT_XRUN, 60 * S, &suppressed), "refilled to the burst, no more");
	cr_assert_not(jp_limiter_pass(&l, JP_EVENT_XRUN, 60 * S, &suppressed));
}

static struct jp_span span_of(int64_t overruns, int64_t n, double p99_us)
{
	struct jp_span s;
	jp_span_unknown(&s);
	s.counts.overruns = overruns;
	s.cycle_end.n = n;
	s.cycle_end.p99_us = p99_us;
	return s;
}

Test(threshold, passed_means_above)
{
	static const struct {
		int64_t max_overruns;
		double max_p99;
		int64_t overruns, n;
		double p99;
		bool end, passed;
	} row[] = {
		{-1, NAN, 1000, 5000, 1e6, true, false}, /* none set */
		{0, NAN, 0, 5000, 1, false, false},
		{0, NAN, 1, 5000, 1, false, true},
		{3, NAN, 3, 5000, 1, true, false},
		{3, NAN, 4, 5000, 1, false, true},
		{-1, 500, 0, 1000, 500, false, false},
		{-1, 500, 0, 1000, 500.1, false, true},
		{-1, 500, 0, 999, 900, false, false}, /* too few behind it to end a run */
		{-1, 500, 0, 999, 900, true, true},
		{-1, 500, 0, 0, NAN, true, false}, /* unknown passes nothing */
		{0, NAN, -1, 0, NAN, true, false},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct jp_threshold t;
		struct jp_span s = span_of(row[i].overruns, row[i].n, row[i].p99);
		jp_threshold_init(&t, row[i].max_overruns, row[i].max_p99);
		cr_expect_eq(jp_threshold_check(&t, &s, row[i].end), row[i].passed, "row %zu", i);
		cr_expect_eq(t.text[0] != 0, row[i].passed, "row %zu", i);
	}
}

Test(threshold, the_first_one_passed_stays)
{
	struct jp_threshold t;
	struct jp_span bad = span_of(5, 2000, 10), good = span_of(0, 2000, 10);
	jp_threshold_init(&t, 1, 100);
	cr_assert(jp_threshold_check(&t, &bad, false));
	cr_assert(jp_threshold_check(&t, &good, true));
	cr_assert_str_eq(t.text, "overruns 5 > --max-overruns 1");
}
