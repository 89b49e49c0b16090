/* Exact ends of cycles: what the server tells late (PipeWire), and what contradicts our own stamps. */
#include "support/ends_bench.h"

#include <criterion/criterion.h>
#include <string.h>

enum { CALM = 12 }; /* cycles before the one under test */

/* --- a server that tells its wake-up, later (PipeWire) ------------------------------------------------------------ */

Test(ends, the_profilers_wake_up_and_the_last_finish_are_taken)
{
	struct ends_bench b = ends_start(true, true);
	for (int k = 1; k <= 3; k++)
		ends_calm(&b, k);
	ends_poll_fine(&b, 3900);
	struct ends_got got = ends_must(&b, false);
	cr_assert_eq(got.cycle.wake_ns, ends_ns(1004), "the release");
	cr_assert_eq(got.cycle.wake_source, JP_WAKE_DRIVER);
	cr_assert_eq(got.cycle.nominal_ns, ends_ns(990));
	ends_expect_end("the tail is released later than the last one finished", got.cycle, 290, JP_END_SERVER);
	ends_end(&b);
}

Test(ends, a_wake_up_that_was_not_told_stays_the_timers_date)
{
	struct ends_bench b = ends_start(true, true);
	ends_look(&b, SYNTH, 1004, 1025, 1290, 1325);
	ends_put(&b, 1, 325, 0);
	ends_put(&b, 2, 325, 0);
	ends_poll_fine(&b, 2900);
	struct ends_got got = ends_must(&b, false);
	cr_assert_eq(got.cycle.wake_ns, ends_ns(1000));
	cr_assert_eq(got.cycle.wake_source, JP_WAKE_NOMINAL);
	ends_end(&b);
}

/* The driver was kept off its CPU until 6500, and then released the graph for each date that it had missed. */
Test(ends, of_cycles_that_are_made_up_for_only_the_first_is_known)
{
	static const int released[] = {1004, 2004, 6500, 6600, 6700, 6800, 7004};
	struct ends_bench b = ends_start(true, true);
	for (int k = 1; k <= 7; k++) {
		int at = released[k - 1];
		ends_look(&b, DRIVER, U, U, at, at + 5);
		ends_look(&b, SYNTH, at, at + 10, at + 50, at + 85);
		ends_look(&b, TAIL, at + 50, at + 60, at + 65, at + 90);
		ends_put_at(&b, k, at + 20, at + 62);
	}
	ends_put(&b, 8, 325, 0);
	ends_poll_fine(&b, 8900);
	for (int k = 1; k <= 7; k++) {
		struct ends_got got = ends_must(&b, true);
		bool sure = k != 4 && k != 5; /* the sixth is late by less than a period */
		cr_expect_eq(got.cycle.wake_ns, sure ? ends_ns(released[k - 1]) : JP_NS_UNKNOWN, "cycle %d: %ld", k,
			(long)got.cycle.wake_ns);
		cr_expect_eq(got.cycle.wake_source, sure ? JP_WAKE_DRIVER : JP_WAKE_UNKNOWN, "cycle %d", k);
		cr_expect_eq(got.cycle.end_ns != JP_NS_UNKNOWN, sure, "cycle %d", k);
		cr_expect_eq(got.judged, sure, "cycle %d", k);
	}
	ends_end(&b);
}

/* PipeWire's cables are not asked for: who was seen to end behind the tail's release is not covered by it. */
Test(ends, of_a_missing_record_the_cycles_before_decide)
{
	static const int meters[] = {200, 310}; /* the tail is released at 300, and runs at 325 */
	for (int i = 0; i < 2; i++) {
		struct ends_bench b = ends_start(true, true);
		b.meter = meters[i];
		ends_calm_until(&b, CALM);
		int wake = 1000 * (CALM + 1);
		ends_look(&b, DRIVER, U, U, wake + 4, wake + 30);
		ends_look(&b, SYNTH, wake + 4, wake + 25, wake + 290, wake + 325);
		ends_look(&b, TAIL, wake + 300, wake + 320, wake + 330, wake + 335);
		ends_put(&b, CALM + 1, 325, 0);
		ends_put(&b, CALM + 2, 325, 0);
		ends_poll_fine(&b, wake + 1900);
		ends_must(&b, false);
		struct ends_got got = ends_must(&b, false);
		if (meters[i] < 300)
			ends_expect_end("covered", got.cycle, 300, JP_END_SERVER);
		else
			ends_expect_end("not covered", got.cycle, U, JP_END_UNKNOWN);
		ends_end(&b);
	}
}

/* The driver began one more cycle at 1604. */
Test(ends, what_ran_in_a_cycle_that_no_head_saw_is_no_other_cycles)
{
	struct ends_bench b = ends_start(true, true);
	ends_calm(&b, 1);
	ends_look(&b, DRIVER, U, U, 1604, 1604);
	ends_look(&b, SYNTH, 1604, 1625, 1890, 1925);
	ends_calm(&b, 2);
	ends_poll_fine(&b, 2900);
	struct ends_got got = ends_must(&b, false);
	ends_expect_end("its own", got.cycle, 290, JP_END_SERVER);
	cr_assert_eq(got.n, 2u, "synth and meter, once each");
	ends_end(&b);
}

Test(ends, cycles_wait_for_what_is_told_late_but_a_second_at_most)
{
	struct ends_bench b = ends_start(true, true);
	struct ends_got got;
	ends_calm(&b, 1);
	ends_calm(&b, 2);
	b.times->horizon_ns = JP_NS_UNKNOWN;
	cr_assert_eq(jp_ends_poll(b.ends, ends_ns(1000999), NULL), JP_OK);
	cr_assert(!ends_next(&b, false, &got), "waits");
	cr_assert_eq(jp_ends_poll(b.ends, ends_ns(1001000), NULL), JP_OK);
	got = ends_must(&b, false);
	cr_assert(!got.judged);
	cr_assert_eq(got.cycle.wake_source, JP_WAKE_NOMINAL);
	ends_expect_end("nobody is known, so nobody is not cabled", got.cycle, 325, JP_END_TAIL);
	cr_assert(!ends_next(&b, false, &got), "the second began a period later");
	got = ends_must(&b, true);
	cr_assert_eq(got.cycle.frame, 96u, "at the end nothing waits");
	ends_end(&b);
}

Test(ends, what_is_told_late_is_still_taken)
{
	struct ends_bench b = ends_start(true, true);
	struct ends_got got;
	for (int k = 1; k <= 3; k++)
		ends_calm(&b, k);
	b.times->horizon_ns = ends_ns(2029);
	cr_assert_eq(jp_ends_poll(b.ends, ends_ns(60000), NULL), JP_OK);
	cr_assert(!ends_next(&b, false, &got), "the next head has not looked yet");
	b.times->horizon_ns = ends_ns(2030);
	cr_assert_eq(jp_ends_poll(b.ends, ends_ns(60001), NULL), JP_OK);
	got = ends_must(&b, false);
	ends_expect_end("told", got.cycle, 290, JP_END_SERVER);
	ends_end(&b);
}

/* --- held against our own stamps ---------------------------------------------------------------------------------- */

Test(ends, a_contradiction_ends_it_once_and_cycles_go_on_without)
{
	struct ends_bench b = ends_start(false, true);
	struct jp_why why = {.text = ""};
	struct ends_got got;
	for (int k = 1; k <= 3; k++) {
		ends_record(&b, JP_HEAD, k);
		ends_calm(&b, k);
	}
	ends_look(&b, HEAD, 2004, 2020, 2031, 2200); /* done before our call was */
	cr_assert_eq(ends_poll(&b, 102030, &why), JP_OK, "calls of the last tenth of a second may lack their looks");
	cr_assert_eq(ends_poll(&b, 102032, &why), JP_BAD_DATA);
	cr_assert(b.times->stopped);
	cr_assert(strstr(why.text, "contradicts its own stamps"), "%s", why.text);
	cr_assert_null(jp_ends_timing(b.ends));
	cr_assert_eq(ends_poll(&b, 200000, &why), JP_OK, "said once");
	for (int k = 1; k <= 3; k++) {
		got = ends_must(&b, false);
		cr_assert(!got.judged);
		ends_expect_end("without", got.cycle, 325, JP_END_TAIL);
	}
	ends_end(&b);
}

/* Calls of ours that the record does not show; what is dropped on the way is no contradiction. */
static enum jp_status unseen_calls(struct ends_bench *b, int from, int to)
{
	struct jp_why why;
	for (int k = from; k <= to; k++)
		ends_record(b, JP_HEAD, k);
	return ends_poll(b, 1000 * to + 200000, &why);
}

Test(ends, dropped_looks_and_gaps_are_no_contradiction)
{
	struct ends_bench b = ends_start(false, true);
	cr_assert_eq(unseen_calls(&b, 1, 8), JP_OK, "one call less: the last one's length is not known");
	jp_ends_gap(b.ends);
	cr_assert_eq(unseen_calls(&b, 9, 16), JP_OK);
	b.times->dropped = 3;
	cr_assert_eq(unseen_calls(&b, 17, 24), JP_OK);
	cr_assert_eq(unseen_calls(&b, 25, 32), JP_OK);
	cr_assert_eq(unseen_calls(&b, 33, 33), JP_BAD_DATA, "nothing was dropped since");
	ends_end(&b);
}

Test(ends, what_one_record_did_not_show_is_not_held_against_the_next)
{
	struct ends_bench b = ends_start(false, true);
	cr_assert_eq(unseen_calls(&b, 1, 8), JP_OK);
	jp_ends_use(b.ends, NULL, ends_ns(208000));
	jp_ends_use(b.ends, b.times, ends_ns(208000));
	cr_assert_eq(unseen_calls(&b, 209, 216), JP_OK);
	cr_assert_eq(unseen_calls(&b, 217, 217), JP_BAD_DATA);
	ends_end(&b);
}
