/* Exact ends of cycles on a server that tells of releases (jackd2), and on and off. */
#include "support/ends_bench.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { CALM = 12 }; /* cycles before the one under test */

/* --- a server that tells of releases (jackd2) --------------------------------------------------------------------- */

Test(ends, the_end_is_the_tails_release_and_the_executions_come_with_it)
{
	struct ends_bench b = ends_start(false, true);
	struct ends_got got;
	for (int k = 1; k <= 3; k++)
		ends_calm(&b, k);
	ends_poll_fine(&b, 3900);
	for (int k = 1; k <= 2; k++) {
		got = ends_must(&b, false);
		ends_expect_end("calm", got.cycle, 300, JP_END_SERVER);
		cr_assert_eq(got.cycle.wake_ns, ends_ns(1000 * k));
		cr_assert_eq(got.cycle.wake_source, JP_WAKE_DRIVER);
		cr_assert_eq(got.n, 2u, "synth and meter");
	}
	cr_assert(!ends_next(&b, false, &got), "the wake-up after the last one is not known yet");
	got = ends_must(&b, true);
	cr_assert(!got.judged);
	cr_assert(!ends_next(&b, true, &got));
	ends_end(&b);
}

/* One cycle after calm ones, us from its wake-up; an awake of 0: that client did not run, or nobody saw it. */
static const struct row {
	const char *about;
	struct {
		int awake, finished;
	} synth, meter;
	int released, tail; /* of the tail; tail: entry. Released U: the tail's own execution went by unseen */
	uint16_t flags;
	int end;
	enum jp_end_source source;
} rows[] = {
	{"the tail was released", {25, 290}, {27, 200}, 300, 325, 0, 300, JP_END_SERVER},
	{"somebody ended after it", {25, 290}, {27, 640}, 300, 325, 0, 640, JP_END_SERVER},
	{"late: what released the tail may be the next cycle's", {25, 1150}, {27, 200}, 1245, 1265, JP_CYCLE_LATE, 1150,
		JP_END_SERVER},
	{"late, and somebody cabled to the tail was not seen", {0, 0}, {27, 200}, 1245, 1265, JP_CYCLE_LATE, 1245,
		JP_END_SERVER},
	{"not seen, but cabled to the tail", {0, 0}, {27, 200}, 300, 325, 0, 300, JP_END_SERVER},
	{"not seen, and not cabled to the tail", {25, 290}, {0, 0}, 300, 325, 0, U, JP_END_UNKNOWN},
	{"not seen, and what was seen was late", {25, 1500}, {0, 0}, 1510, 1530, JP_CYCLE_LATE, 1500, JP_END_SERVER},
	{"not seen, and what was seen ended just in time", {25, 1000}, {0, 0}, 1010, 1030, 0, U, JP_END_UNKNOWN},
	{"nor was the tail's record: he had ended by its entry", {0, 0}, {27, 200}, U, 325, 0, 325, JP_END_TAIL},
	{"the tail's record is missing: its entry stands", {25, 290}, {27, 200}, U, 325, 0, 325, JP_END_TAIL},
	{"unless somebody ended after that", {25, 290}, {27, 640}, U, 325, 0, 640, JP_END_SERVER},
	{"the release is an older one's", {25, 290}, {27, 200}, -20, 325, 0, 325, JP_END_TAIL},
	{"no tail at all, but somebody ended", {25, 290}, {27, 200}, U, U, JP_CYCLE_NO_TAIL, 290, JP_END_SERVER},
};

static void run_row(const struct row *r)
{
	struct ends_bench b = ends_start(false, true);
	int k = CALM + 1, wake = 1000 * k;
	ends_calm_until(&b, CALM);
	ends_look(&b, DRIVER, U, U, wake + 4, wake + 30);
	if (r->synth.awake)
		ends_look(&b, SYNTH, wake + 4, wake + r->synth.awake, wake + r->synth.finished, wake + 1900);
	if (r->meter.awake)
		ends_look(&b, METER, wake + 4, wake + r->meter.awake, wake + r->meter.finished, wake + 1900);
	if (r->released != U)
		ends_look(&b, TAIL, wake + r->released, wake + r->tail - 5, wake + r->tail + 5, wake + 1900);
	ends_put(&b, k, r->tail, r->flags);
	ends_put(&b, k + 1, 325, 0);
	ends_put(&b, k + 2, 325, 0);
	ends_poll_fine(&b, 1000 * (k + 2) + 900);
	ends_expect_end("the one before", ends_must(&b, false).cycle, 300, JP_END_SERVER);
	struct ends_got got = ends_must(&b, false);
	cr_expect(got.judged, "%s", r->about);
	ends_expect_end(r->about, got.cycle, r->end, r->source);
	cr_expect_eq(jp_cycle_overran(&got.cycle), r->end > 1000, "%s", r->about);
	cr_expect_eq(got.cycle.flags, r->flags, "%s", r->about);
	ends_end(&b);
}

Test(ends, what_is_known_of_a_cycle_gives_its_end)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		run_row(&rows[i]);
}

Test(ends, with_a_head_only_the_last_finish_is_the_end)
{
	struct ends_bench b = ends_start(false, false);
	ends_calm_until(&b, CALM);
	int wake = 1000 * (CALM + 1);
	ends_look(&b, SYNTH, wake + 4, wake + 25, wake + 290, wake + 1030); /* the meter went by unseen */
	ends_put(&b, CALM + 1, U, JP_CYCLE_NO_TAIL);
	ends_calm(&b, CALM + 2);
	ends_poll_fine(&b, 1000 * (CALM + 2) + 900);
	struct ends_got got = ends_must(&b, false);
	ends_expect_end("all seen", got.cycle, 290, JP_END_SERVER);
	cr_expect_eq(got.cycle.flags, 0, "no tail is not missed");
	got = ends_must(&b, false);
	ends_expect_end("one went by unseen", got.cycle, U, JP_END_UNKNOWN);
	cr_expect_eq(got.cycle.flags, JP_CYCLE_NO_TAIL);
	ends_end(&b);
}

/* Nothing at all is known of a cycle: whether its tail's entry can stand depends on who ran lately. */
Test(ends, a_cycle_of_which_nothing_is_known_ends_with_the_tail_when_all_are_cabled_to_it)
{
	for (int cabled = 0; cabled < 2; cabled++) {
		struct ends_bench b = ends_start(false, true);
		if (cabled)
			fake_times_cable(b.times, METER, TAIL);
		ends_calm_until(&b, CALM);
		struct ends_got got = ends_must(&b, true);
		cr_assert(!got.judged);
		if (cabled)
			ends_expect_end("cabled", got.cycle, 325, JP_END_TAIL);
		else
			ends_expect_end("not cabled", got.cycle, U, JP_END_UNKNOWN);
		ends_end(&b);
	}
}

/* --- on and off --------------------------------------------------------------------------------------------------- */

Test(ends, without_timing_cycles_pass_straight_through)
{
	struct ends_bench b = ends_start(false, true);
	jp_ends_use(b.ends, NULL, 0);
	for (int k = 1; k <= 3; k++) {
		ends_calm(&b, k);
		struct ends_got got = ends_must(&b, false);
		cr_assert(!got.judged);
		ends_expect_end("none", got.cycle, 325, JP_END_TAIL);
	}
	cr_assert_eq(ends_poll(&b, 3900, NULL), JP_OK);
	cr_assert_eq(b.times->first, 0u, "nothing is taken from what is not in use");
	ends_end(&b);
}

Test(ends, timing_may_come_in_mid_run_and_go)
{
	struct ends_bench b = ends_start(false, true);
	struct ends_got got;
	jp_ends_use(b.ends, NULL, 0);
	for (int k = 1; k <= 20; k++)
		ends_record(&b, JP_HEAD, k); /* nothing shows them */
	ends_put(&b, 1, 325, 0);
	ends_expect_end("before", ends_must(&b, false).cycle, 325, JP_END_TAIL);
	jp_ends_use(b.ends, b.times, ends_ns(10000));
	cr_assert_eq(jp_ends_timing(b.ends), b.times);
	for (int k = 1; k < 10; k++)
		ends_record(&b, JP_HEAD, k); /* taken late, from before */
	for (int k = 10; k <= 12; k++)
		ends_calm(&b, k);
	ends_poll_fine(&b, 300000);
	ends_expect_end("with", ends_must(&b, false).cycle, 300, JP_END_SERVER);
	while (ends_next(&b, true, &got))
		;
	jp_ends_use(b.ends, NULL, 0);
	ends_put(&b, 13, 325, 0);
	ends_expect_end("after", ends_must(&b, false).cycle, 325, JP_END_TAIL);
	ends_end(&b);
}

/* Another server's record: who ran before is nobody in it. */
Test(ends, a_new_record_begins_empty)
{
	struct ends_bench b = ends_start(false, true);
	ends_calm_until(&b, CALM);
	ends_must(&b, true);
	struct jp_times *old = b.times;
	b.times = fake_times_new(false);
	jp_ends_use(b.ends, b.times, ends_ns(1000 * (CALM + 1)));
	int wake = 1000 * (CALM + 1);
	ends_look(&b, TAIL, wake + 300, wake + 320, wake + 330, wake + 1030);
	ends_put(&b, CALM + 1, 325, 0);
	ends_put(&b, CALM + 2, 325, 0);
	ends_poll_fine(&b, wake + 1900);
	struct ends_got got = ends_must(&b, false);
	ends_expect_end("the meter is not expected", got.cycle, 300, JP_END_SERVER);
	cr_assert_eq(got.n, 0u);
	free(old);
	ends_end(&b);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

Test(ends, freewheel_cycles_wait_for_nothing)
{
	struct ends_bench b = ends_start(false, true);
	ends_put(&b, 1, 325, JP_CYCLE_FREEWHEEL);
	struct ends_got got = ends_must(&b, false);
	cr_assert(!got.judged);
	ends_expect_end("freewheel", got.cycle, 325, JP_END_TAIL);
	ends_end(&b);
}

/* What runs in freewheel is no execution of the cycle before it. */
Test(ends, the_last_cycle_before_a_freewheel_ends_before_it)
{
	struct ends_bench b = ends_start(false, true);
	for (int k = 1; k <= 7; k++) {
		if (k < 3 || k > 5)
			ends_calm(&b, k);
		else
			ends_put(&b, k, 325, JP_CYCLE_FREEWHEEL);
	}
	for (int wake = 3010; wake < 6000; wake += 10)
		ends_look(&b, SYNTH, wake, wake + 1, wake + 5, wake + 9);
	ends_poll_fine(&b, 7900);
	for (int k = 1; k <= 6; k++) {
		struct ends_got got = ends_must(&b, false);
		bool plain = k < 3 || k > 5;
		ends_expect_end(
			"beside a freewheel", got.cycle, plain ? 300 : 325, plain ? JP_END_SERVER : JP_END_TAIL);
		cr_expect_eq(got.n, plain ? 2u : 0u, "cycle %d: %zu", k, got.n);
	}
	ends_end(&b);
}

Test(ends, cycles_come_out_in_the_order_they_went_in)
{
	struct ends_bench b = ends_start(false, true);
	struct ends_got got;
	for (int k = 1; k <= 200; k++) {
		if (k % 7 == 3)
			ends_put(&b, k, 325, JP_CYCLE_FREEWHEEL);
		else if (k % 7 == 5)
			jp_ends_put(b.ends, &(struct jp_cycle){.frame = 48 * (uint64_t)k,
						    .wake_ns = JP_NS_UNKNOWN,
						    .head_ns = JP_NS_UNKNOWN,
						    .tail_ns = ends_ns(1000 * k + 325),
						    .end_ns = ends_ns(1000 * k + 325),
						    .flags = JP_CYCLE_NO_HEAD,
						    .end_source = JP_END_TAIL});
		else
			ends_calm(&b, k);
	}
	ends_poll_fine(&b, 200900);
	int k = 1;
	for (; ends_next(&b, false, &got); k++) {
		cr_assert_eq(got.cycle.frame, 48u * (unsigned)k);
		bool plain = k % 7 != 3 && k % 7 != 5;
		cr_assert_eq(got.judged, plain, "cycle %d", k);
		ends_expect_end("in order", got.cycle, plain ? 300 : 325, plain ? JP_END_SERVER : JP_END_TAIL);
	}
	cr_assert_eq(k, 200, "all but the last");
	ends_end(&b);
}

Test(ends, looks_twice_while_somebody_ends_unseen_by_the_tail)
{
	struct ends_bench b = ends_start(false, true);
	ends_calm_until(&b, 40);
	ends_poll_fine(&b, 40950);
	cr_expect_eq(b.times->twice_period_ns, ends_ns(1000), "the meter has no cable to the tail");
	cr_expect_gt(b.times->twice_dispatch_ns, ends_ns(25));
	cr_expect_leq(b.times->twice_dispatch_ns, ends_ns(30), "the head runs 30 us after the wake-up");
	fake_times_cable(b.times, METER, TAIL);
	ends_poll_fine(&b, 40960);
	cr_expect_eq(b.times->twice_period_ns, 0, "the tail waits for both");
	ends_end(&b);
}

/* The synth woke behind the next wake-up, did what was left, and then the next cycle's work; only that let the tail go. */
Test(ends, who_was_missing_ended_with_what_he_did_next)
{
	struct ends_bench b = ends_start(false, true);
	int k = CALM + 1, wake = 1000 * k;
	ends_calm_until(&b, CALM);
	ends_look(&b, DRIVER, U, U, wake + 4, wake + 30);
	ends_look(&b, METER, wake + 4, wake + 27, wake + 200, wake + 325);
	ends_put(&b, k, 1420, JP_CYCLE_LATE);
	ends_look(&b, DRIVER, U, U, wake + 1004, wake + 1030);
	ends_look(&b, SYNTH, wake + 4, wake + 1040, wake + 1140, wake + 1150);
	ends_look(&b, METER, wake + 1004, wake + 1027, wake + 1200, wake + 1325);
	ends_look(&b, SYNTH, wake + 1004, wake + 1160, wake + 1400, wake + 1420);
	ends_look(&b, TAIL, wake + 1400, wake + 1415, wake + 1425, wake + 2030);
	ends_put(&b, k + 1, 450, 0);
	for (int i = k + 2; i < k + 4; i++)
		ends_calm(&b, i);
	ends_poll_fine(&b, 1000 * (k + 3) + 900);
	struct ends_got got;
	do
		got = ends_must(&b, false);
	while (got.cycle.frame < 48 * (uint64_t)k);
	ends_expect_end("not the next cycle's", got.cycle, 1140, JP_END_SERVER);
	ends_end(&b);
}

/* --- what is missing ------------------------------------------------------------------------------------------------ */

Test(ends, looks_left_out_are_counted_over_all_records)
{
	struct ends_bench b = ends_start(false, true);
	struct jp_times *first = b.times;
	struct ends_got got;
	ends_calm_until(&b, 3);
	cr_expect_eq(jp_ends_missing(b.ends).looks, 0u);
	b.times->dropped = 5;
	ends_poll_fine(&b, 3950);
	ends_look(&b, SYNTH, 4004, 4025, U, 4030); /* its end is never seen */
	ends_look(&b, SYNTH, 5004, 5025, 5290, 5325);
	ends_poll_fine(&b, 5900);
	struct jp_ends_missing missing = jp_ends_missing(b.ends);
	cr_expect_eq(missing.looks, 5u);
	cr_expect_eq(missing.executions, 1u);
	while (ends_next(&b, true, &got))
		;
	b.times = fake_times_new(false);
	b.times->dropped = 100; /* before anybody used it */
	jp_ends_use(b.ends, b.times, ends_ns(6000));
	ends_poll_fine(&b, 6100);
	b.times->dropped = 107;
	ends_poll_fine(&b, 6200);
	missing = jp_ends_missing(b.ends);
	cr_expect_eq(missing.looks, 12u);
	cr_expect_eq(missing.executions, 1u, "kept from the first record");
	free(first);
	ends_end(&b);
}
