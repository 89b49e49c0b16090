/* Raw looks at the server's slots -> executions of cycles. Times in us; a period is 1000 us, cycle k wakes at 1000 k. */
#include "collect/exec_merge.h"

#include "collect/exec_list.h"

#include <criterion/criterion.h>

enum { PATIENCE_US = 20000, U = -1 };

static int64_t ns(int us)
{
	return us == U ? JP_NS_UNKNOWN : (int64_t)us * 1000;
}

struct look {
	int seen, ref, signalled, awake, finished;
};

struct wanted {
	int cycle, ref, signalled, awake, finished;
};

static void put(struct jp_exec_merge *m, const struct look *looks, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct look *l = &looks[i];
		int state = l->ref == JP_EXEC_LOOK ? l->finished : JP_EXEC_FINISHED;
		struct jp_exec e = {ns(l->signalled), ns(l->awake), ns(l->finished), ns(l->seen), l->ref, state};
		cr_assert_eq(jp_exec_merge_put(m, &e, 1), JP_OK);
	}
}

static struct jp_exec_merge *start(int cycles)
{
	struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
	for (int k = 1; k <= cycles; k++)
		jp_exec_merge_wake(m, ns(1000 * k), ns(1000 * k + 30));
	jp_exec_merge_role(m, 90, JP_EXEC_HEAD);
	jp_exec_merge_role(m, 91, JP_EXEC_TAIL);
	jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
	return m;
}

/* Work off everything and hold the executions that come out against the wanted ones, in order. */
static void expect(const char *about, struct jp_exec_merge *m, int horizon, const struct wanted *wanted, size_t n)
{
	struct jp_exec_cycle c;
	size_t got = 0;
	jp_exec_merge_advance(m, ns(horizon));
	while (jp_exec_merge_next(m, &c)) {
		for (size_t i = 0; i < c.n; i++, got++) {
			cr_assert_lt(got, n, "%s: too many", about);
			const struct wanted *w = &wanted[got];
			cr_assert_eq(c.wake_ns, ns(1000 * w->cycle), "%s: %zu in cycle %ld", about, got,
				(long)c.wake_ns / 1000000);
			cr_assert_eq(c.execs[i].ref, w->ref, "%s: %zu", about, got);
			cr_assert_eq(c.execs[i].signalled_ns, ns(w->signalled), "%s: %zu released %ld", about, got,
				(long)c.execs[i].signalled_ns);
			cr_assert_eq(c.execs[i].awake_ns, ns(w->awake), "%s: %zu", about, got);
			cr_assert_eq(c.execs[i].finished_ns, ns(w->finished), "%s: %zu", about, got);
		}
	}
	cr_assert_eq(got, n, "%s: %zu executions", about, got);
}

struct row {
	const char *about;
	int cycles, horizon;
	struct look looks[6];
	struct wanted wanted[4];
	uint64_t lost;
};

static const struct row rows[] = {
	{"ended when looked at", 4, 9000, {{1300, 5, 1005, 1025, 1225}, {2300, 5, 2005, 2025, 2225}},
		{{1, 5, 1005, 1025, 1225}, {2, 5, 2005, 2025, 2225}}, 0},
	{"seen running, then ended", 4, 9000, {{1030, 5, 1005, 1025, U}, {1300, 5, 1005, 1025, 1225}},
		{{1, 5, 1005, 1025, 1225}}, 0},
	{"its end is seen only when the next has begun", 4, 9000,
		{{1300, 5, 1005, 1025, 225}, {2030, 5, 2005, 2025, 1700}, {2300, 5, 2005, 2025, 2225}},
		{{1, 5, 1005, 1025, 1700}, {2, 5, 2005, 2025, 2225}}, 0},
	{"looks of head and tail come mixed", 4, 9000,
		{{2030, 5, 2005, 2025, 1700}, {2300, 5, 2005, 2025, 2225}, {1300, 5, 1005, 1025, 225}},
		{{1, 5, 1005, 1025, 1700}, {2, 5, 2005, 2025, 2225}}, 0},
	{"the same look twice", 4, 9000,
		{{1300, 5, 1005, 1025, 1225}, {1301, 5, 1005, 1025, 1225}, {2030, 5, 2005, 1025, 1225}},
		{{1, 5, 1005, 1025, 1225}}, 0},
	{"released again while it still runs", 4, 9000,
		{{1030, 5, 1005, 1025, U}, {2030, 5, 2005, 1025, U}, {2900, 5, 2005, 2425, 2421},
			{3030, 5, 3005, 3020, 2825}},
		{{1, 5, 1005, 1025, 2421}, {2, 5, 2005, 2425, 2825}, {3, 5, 3005, 3020, U}}, 0},
	{"two executions of one client in a cycle", 4, 9000, {{2300, 5, 2250, 2260, 2290}, {2700, 5, 2600, 2610, 2690}},
		{{2, 5, 2250, 2260, 2290}, {2, 5, 2600, 2610, 2690}}, 0},
	{"the end was overwritten", 4, 9000, {{1030, 5, 1005, 1025, U}, {2300, 5, 2005, 2025, 2225}},
		{{1, 5, 1005, 1025, U}, {2, 5, 2005, 2025, 2225}}, 1},
	{"the end was overwritten, but the next one had waited for it", 4, 9000,
		{{1030, 5, 1005, 1025, U}, {2030, 0, U, U, 2004}, {2900, 5, 2005, 2425, 2825}},
		{{1, 5, 1005, 1025, 2425}, {2, 5, 2005, 2425, 2825}}, 0},
	{"it had waited for one that ran between the driver's release and its own", 4, 9000,
		{{1030, 5, 1005, 1025, U}, {2030, 0, U, U, 2004}, {2900, 5, 2150, 2425, 2825}},
		{{1, 5, 1005, 1025, 2425}, {2, 5, 2150, 2425, 2825}}, 0},
	{"the look that did not see it end was slow: another one looked meanwhile", 4, 9000,
		{{1030, 5, 1005, 1025, U}, {2020, -1, U, U, JP_EXEC_UNKNOWN}, {2020, 0, U, U, 2004},
			{2300, 5, 2005, 2125, 2225}},
		{{1, 5, 1005, 1025, U}, {2, 5, 2005, 2125, 2225}}, 1},
	{"a slow look at late ones does not tell either", 4, 9000,
		{{1030, 5, 1005, 1025, U}, {1950, -1, U, U, JP_EXEC_UNKNOWN}, {2300, 5, 2005, 2025, 2225}},
		{{1, 5, 1005, 1025, U}, {2, 5, 2005, 2025, 2225}}, 1},
	{"one between went by unseen", 5, 9000,
		{{1030, 5, 1005, 1025, U}, {2030, 0, U, U, 2004}, {3300, 0, U, U, 3004}, {3300, 5, 3005, 3125, 3225}},
		{{1, 5, 1005, 1025, U}, {3, 5, 3005, 3125, 3225}}, 1},
	{"the end was overwritten and the next one woke late", 4, 9000,
		{{1030, 5, 1005, 1025, U}, {2900, 0, U, U, 2004}, {2900, 5, 2005, 2425, 2825}},
		{{1, 5, 1005, 1025, U}, {2, 5, 2005, 2425, 2825}}, 1},
	{"the end was overwritten, shortly after a look, by one that waited already", 4, 9000,
		{{1030, 5, 1005, 1025, U}, {1905, -1, U, U, JP_EXEC_STILL}, {2300, 5, 2005, 2025, 2225}},
		{{1, 5, 1005, 1025, 1955}, {2, 5, 2005, 2025, 2225}}, 0},
	{"nobody had looked shortly before", 4, 9000,
		{{1030, 5, 1005, 1025, U}, {1700, -1, U, U, JP_EXEC_STILL}, {2300, 5, 2005, 2025, 2225}},
		{{1, 5, 1005, 1025, U}, {2, 5, 2005, 2025, 2225}}, 1},
	{"a look at all is no look at late ones", 4, 9000,
		{{1010, 0, U, U, 1004}, {1030, 5, 1020, 1025, U}, {1250, 5, 1200, 1210, 1240}},
		{{1, 5, 1020, 1025, U}, {1, 5, 1200, 1210, 1240}}, 1},
	{"the beginning was overwritten", 4, 9000,
		{{1030, 5, 1005, 1025, 225}, {1300, 5, 1005, 1025, 1225}, {3030, 5, 3005, 3025, 2225}},
		{{1, 5, 1005, 1025, 1225}, {2, 5, U, U, 2225}, {3, 5, 3005, 3025, U}}, 1},
	{"a torn time is no time", 4, 9000,
		{{1300, 5, 1005, 1025, 1225}, {2300, 5, 2005, 2000000000, 2225}, {2600, 5, 2005, 2025, 2225}},
		{{1, 5, 1005, 1025, 1225}, {2, 5, 2005, 2025, 2225}}, 1},
	{"a release that one of several gave is not the one", 4, 9000,
		{{1100, 5, 1050, 25, 225}, {2030, 5, 2004, 1203, 1500}}, {{1, 5, U, 1203, 1500}}, 0},
	{"head and tail are no part of it", 4, 9000, {{1300, 90, 1005, 1030, 1033}, {1300, 91, 1225, 1250, U}}, {{0}},
		0},
};

static size_t count_looks(const struct look *l)
{
	size_t n = 0;
	while (n < 6 && l[n].seen)
		n++;
	return n;
}

static size_t count_wanted(const struct wanted *w)
{
	size_t n = 0;
	while (n < 4 && w[n].cycle)
		n++;
	return n;
}

Test(exec_merge, looks_become_executions_of_the_cycle_they_began_in)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		struct jp_exec_merge *m = start(r->cycles);
		put(m, r->looks, count_looks(r->looks));
		jp_exec_merge_advance(m, ns(r->horizon));
		expect(r->about, m, r->horizon + PATIENCE_US + 10000, r->wanted, count_wanted(r->wanted));
		cr_assert_eq(
			jp_exec_merge_lost(m), r->lost, "%s: lost %lu", r->about, (unsigned long)jp_exec_merge_lost(m));
		jp_exec_merge_free(m);
	}
}

Test(exec_merge, a_cycle_waits_for_the_look_after_it_and_for_its_executions)
{
	static const struct look running = {1030, 5, 1005, 1025, U}, ended = {3300, 5, 1005, 1025, 3200};
	struct jp_exec_merge *m = start(4);
	struct jp_exec_cycle c;
	put(m, &running, 1);
	jp_exec_merge_advance(m, ns(2029));
	cr_assert(!jp_exec_merge_next(m, &c));
	jp_exec_merge_advance(m, ns(3100));
	cr_assert(!jp_exec_merge_next(m, &c), "still running");
	put(m, &ended, 1);
	jp_exec_merge_advance(m, ns(3300));
	cr_assert(jp_exec_merge_next(m, &c));
	cr_assert_eq(c.last_finish_ns, ns(3200));
	cr_assert_eq(c.unfinished, 0u);
	jp_exec_merge_free(m);
}

Test(exec_merge, patience_ends)
{
	static const struct look looks[] = {{1030, 5, 1005, 1025, U}, {1300, 6, 1005, 1027, 1200}};
	struct jp_exec_merge *m = start(4);
	struct jp_exec_cycle c;
	put(m, looks, 2);
	jp_exec_merge_advance(m, ns(1025 + PATIENCE_US));
	cr_assert(jp_exec_merge_next(m, &c));
	cr_assert_eq(c.n, 2u);
	cr_assert_eq(c.unfinished, 1u);
	cr_assert_eq(c.last_finish_ns, ns(1200));
	cr_assert_eq(c.execs[0].state, JP_EXEC_RUNNING);
	jp_exec_merge_free(m);
}

Test(exec_merge, the_driver_and_the_tail_tell_release_and_end)
{
	static const struct look looks[] = {{1030, 0, U, U, 1004}, {2030, 0, U, U, 2007}, {1300, 91, 1225, 1250, 300},
		{2030, 91, 1225, 1250, 1253}, {2300, 91, 2225, 2290, 1253}, {3030, 91, 2225, 2290, 2293}};
	struct jp_exec_merge *m = start(4);
	struct jp_exec_cycle c;
	struct jp_exec tail;
	put(m, looks, 6);
	jp_exec_merge_advance(m, ns(3500));
	cr_assert(jp_exec_merge_next(m, &c));
	cr_assert_eq(c.released_ns, ns(1004));
	cr_assert(jp_exec_merge_next(m, &c));
	cr_assert_eq(c.released_ns, ns(2007));
	cr_assert(jp_exec_merge_during(m, JP_EXEC_TAIL, ns(1251), &tail));
	cr_assert_eq(tail.signalled_ns, ns(1225));
	cr_assert(jp_exec_merge_during(m, JP_EXEC_TAIL, ns(2291), &tail));
	cr_assert_eq(tail.signalled_ns, ns(2225));
	cr_assert(!jp_exec_merge_during(m, JP_EXEC_TAIL, ns(1900), &tail));
	cr_assert(!jp_exec_merge_during(m, JP_EXEC_HEAD, ns(1251), &tail));
	jp_exec_merge_free(m);
}

/* The tail called twice in a row: its second look shows the first finish and its own beginning, cut to the same microsecond. */
Test(exec_merge, a_finish_in_the_microsecond_of_the_next_beginning_is_the_one_before)
{
	const struct jp_exec looks[] = {
		{ns(1225), ns(1250), ns(300), ns(1250), 91, JP_EXEC_RUNNING},
		{ns(1252), ns(1253), ns(1253), ns(1254), 91, JP_EXEC_RUNNING},
		{ns(1252), ns(1253), ns(1256), ns(2030), 91, JP_EXEC_FINISHED},
	};
	struct jp_exec_merge *m = start(4);
	struct jp_exec tail;
	jp_exec_merge_put(m, looks, 3);
	jp_exec_merge_advance(m, ns(3500));
	cr_assert(jp_exec_merge_during(m, JP_EXEC_TAIL, ns(1251), &tail));
	cr_assert_eq(tail.finished_ns, ns(1253));
	cr_assert(jp_exec_merge_during(m, JP_EXEC_TAIL, ns(1255), &tail));
	cr_assert_eq(tail.awake_ns, ns(1253));
	cr_assert_eq(tail.finished_ns, ns(1256));
	jp_exec_merge_free(m);
}

Test(exec_merge, too_many_cycles_and_looks_are_bounded_and_counted)
{
	struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
	struct jp_exec e = {ns(5), ns(6), ns(7), ns(8), 1, 3};
	for (int i = 0; i < JP_EXEC_PENDING_MAX + 10; i++)
		jp_exec_merge_put(m, &e, 1);
	cr_assert_eq(jp_exec_merge_put(m, &e, 1), JP_FULL);
	cr_assert_eq(jp_exec_merge_lost(m), 11u);
	for (int i = 1; i <= JP_EXEC_CYCLES_MAX + 5; i++)
		jp_exec_merge_wake(m, ns(i), ns(i));
	cr_assert_eq(jp_exec_merge_lost(m), 16u);
	jp_exec_merge_free(m);
}

/* PipeWire: the head's call of the cycle that the driver began at 2600 is missing. What ran in that one is no other cycle's. */
/* PipeWire: who was released in a cycle and woke in the next did the first one's work; a cycle waits for whom it released. */
Test(exec_merge, a_report_belongs_to_the_cycle_of_its_release)
{
	static const struct look first = {2050, 5, 1950, 900, 910}, then = {2400, 5, 1950, 2020, 2100};
	static const struct look last = {3300, 5, 3005, 3025, 3225};
	static const struct wanted wanted[] = {{1, 5, 1950, 2020, 2100}, {3, 5, 3005, 3025, 3225}};
	struct jp_exec_cycle c;
	struct jp_exec_merge *m = start(5);
	jp_exec_merge_reports(m);
	put(m, &first, 1);
	jp_exec_merge_advance(m, ns(2200));
	cr_assert_not(jp_exec_merge_next(m, &c), "it was released and has not begun");
	put(m, &then, 1);
	put(m, &last, 1);
	expect("by release", m, 9000, wanted, 2);
	jp_exec_merge_free(m);
}

/* The driver's wake-up is the border, not the timer's date: here it came 200 late. */
Test(exec_merge, what_a_report_shows_before_the_late_wake_up_is_the_cycles_before)
{
	static const struct look looks[] = {{1300, 5, 1005, 1025, 1225}, {2250, 0, U, U, 2200},
		{2240, 6, 2100, 2110, 2150}, {2300, 5, 2205, 2225, 2425}, {3030, 0, U, U, 3004}, {4030, 0, U, U, 4004}};
	static const struct wanted wanted[] = {
		{1, 5, 1005, 1025, 1225}, {1, 6, 2100, 2110, 2150}, {2, 5, 2205, 2225, 2425}};
	struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
	jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
	jp_exec_merge_reports(m);
	for (int k = 1; k <= 4; k++)
		jp_exec_merge_wake(m, ns(1000 * k), ns(1000 * k + 300));
	put(m, looks, sizeof looks / sizeof *looks);
	expect("by the raw wake-up", m, 9000, wanted, 3);
	jp_exec_merge_free(m);
}

/* Of one whose end was overwritten it is known when it was seen running last: by the look before the one that shows the next
 * beginning; one made at nearly the same time proves nothing. */
Test(exec_merge, an_end_that_nobody_saw_has_a_time_before_which_it_was_not)
{
	static const struct {
		int other;
		int64_t until;
	} looked[] = {{2030, 2030}, {2280, 1030}};
	for (size_t i = 0; i < sizeof looked / sizeof *looked; i++) {
		struct look looks[] = {
			{1030, 5, 1005, 1025, U}, {looked[i].other, 6, 2005, 2010, U}, {2300, 5, 2285, 2290, 225}};
		struct jp_exec_merge *m = start(4);
		struct jp_exec_cycle c;
		put(m, looks, 3);
		jp_exec_merge_advance(m, ns(9000));
		cr_assert(jp_exec_merge_next(m, &c));
		cr_assert_eq(c.n, 1);
		cr_expect_eq(c.execs[0].finished_ns, JP_NS_UNKNOWN);
		cr_expect_eq(c.execs[0].state, JP_EXEC_FINISHED);
		cr_expect_eq(c.execs[0].seen_ns, ns((int)looked[i].until), "row %zu: %ld", i, (long)c.execs[0].seen_ns);
		jp_exec_merge_free(m);
	}
}

/* PipeWire: the head was called for the cycle of 1000 only after the driver had released that of 2000. */
Test(exec_merge, one_release_is_not_two_cycles)
{
	static const struct look looks[] = {{1250, 0, U, U, 1004}, {1250, 5, 1005, 1025, 1225}, {2250, 0, U, U, 2004},
		{2250, 5, 2005, 2025, 2225}, {3030, 0, U, U, 3004}, {4030, 0, U, U, 4004}};
	static const struct wanted wanted[] = {{1, 5, 1005, 1025, 1225}, {2, 5, 2005, 2025, 2225}};
	static const int look_us[] = {2100, 2150, 3030, 4030};
	for (int pass = 0; pass < 2; pass++) {
		struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
		struct jp_exec_cycle c;
		jp_exec_merge_reports(m);
		jp_exec_merge_period(m, ns(1000));
		jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
		for (int k = 1; k <= 4; k++)
			jp_exec_merge_wake(m, ns(1000 * k), ns(look_us[k - 1]));
		put(m, looks, sizeof looks / sizeof *looks);
		jp_exec_merge_advance(m, ns(9000));
		for (int k = 1; !pass && k <= 3; k++) {
			cr_assert(jp_exec_merge_next(m, &c));
			cr_expect_eq(c.released_ns, ns(1000 * k + 4), "cycle %d: %ld", k, (long)c.released_ns);
		}
		if (pass)
			expect("each its own", m, 9000, wanted, 2);
		jp_exec_merge_free(m);
	}
}

/* The same, and the next cycle's head has not been heard of yet. */
Test(exec_merge, a_head_that_came_late_waits_for_the_next_one)
{
	static const struct look looks[] = {{1250, 0, U, U, 1004}, {2250, 0, U, U, 2004}, {3250, 0, U, U, 3004}};
	struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
	struct jp_exec_cycle c;
	jp_exec_merge_reports(m);
	jp_exec_merge_period(m, ns(1000));
	jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
	jp_exec_merge_wake(m, ns(1000), ns(1030));
	jp_exec_merge_wake(m, ns(2000), ns(3100));
	put(m, looks, 3);
	jp_exec_merge_advance(m, ns(3300));
	cr_assert_not(jp_exec_merge_next(m, &c));
	jp_exec_merge_wake(m, ns(3000), ns(3150));
	jp_exec_merge_wake(m, ns(4000), ns(4030));
	cr_assert(jp_exec_merge_next(m, &c));
	cr_expect_eq(c.released_ns, ns(1004));
	jp_exec_merge_advance(m, ns(4300));
	cr_assert(jp_exec_merge_next(m, &c));
	cr_expect_eq(c.released_ns, ns(2004), "%ld", (long)c.released_ns);
	jp_exec_merge_free(m);
}

/* A client that was released twice and woke once shows a beginning that was none: no release, no end. */
Test(exec_merge, a_beginning_that_a_report_takes_back_is_none)
{
	static const struct look looks[] = {
		{1300, 5, 1100, 1090, 225}, {1500, 5, 1100, 1240, 1300}, {2300, 5, 2005, 2025, 2225}};
	static const struct wanted wanted[] = {{1, 5, 1100, 1240, 1300}, {2, 5, 2005, 2025, 2225}};
	struct jp_exec_merge *m = start(4);
	jp_exec_merge_reports(m);
	put(m, looks, sizeof looks / sizeof *looks);
	expect("phantom", m, 9000, wanted, 2);
	cr_expect_eq(jp_exec_merge_lost(m), 1u);
	jp_exec_merge_free(m);
}

/* The head missed the wake-up at 2000 and so did every look: who ran again, released behind the deadline, did it in that cycle. */
Test(exec_merge, a_second_round_behind_the_deadline_is_another_cycles)
{
	static const struct look looks[] = {{1030, 0, U, U, 1004}, {1300, 5, 1005, 1025, 1225},
		{1300, 6, 1225, 1240, 1280}, {2300, 5, 2005, 2025, 2225}, {2300, 6, 2225, 2240, 2280},
		{3030, 0, U, U, 3004}};
	static const struct wanted wanted[] = {{1, 5, 1005, 1025, 1225}, {1, 6, 1225, 1240, 1280}};
	struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
	jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
	jp_exec_merge_period(m, ns(1000));
	jp_exec_merge_wake(m, ns(1000), ns(1030));
	jp_exec_merge_wake(m, ns(3000), ns(3030));
	put(m, looks, sizeof looks / sizeof *looks);
	expect("second round", m, 9000, wanted, 2);
	jp_exec_merge_free(m);
	/* The release of the second one was overwritten. */
	static const struct look later[] = {{1030, 0, U, U, 1004}, {1300, 5, 1005, 1025, 1225},
		{1300, 6, 1225, 1240, 1280}, {3030, 0, U, U, 3004}, {3030, 5, 3005, 2025, 2225}};
	m = jp_exec_merge_new(ns(PATIENCE_US));
	jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
	jp_exec_merge_period(m, ns(1000));
	jp_exec_merge_wake(m, ns(1000), ns(1030));
	jp_exec_merge_wake(m, ns(3000), ns(3030));
	put(m, later, sizeof later / sizeof *later);
	expect("second round, released unseen", m, 9000, wanted, 2);
	jp_exec_merge_free(m);
}

/* Synchronous mode: the cycle is long because one client was, and each ran once. */
Test(exec_merge, a_stretched_cycle_keeps_what_came_behind_the_late_one)
{
	static const struct look looks[] = {
		{1030, 0, U, U, 1004}, {2900, 5, 1005, 1025, 2525}, {2900, 6, 2525, 2540, 2580}, {3030, 0, U, U, 3004}};
	static const struct wanted wanted[] = {{1, 5, 1005, 1025, 2525}, {1, 6, 2525, 2540, 2580}};
	struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
	jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
	jp_exec_merge_period(m, ns(1000));
	jp_exec_merge_wake(m, ns(1000), ns(1030));
	jp_exec_merge_wake(m, ns(3000), ns(3030));
	put(m, looks, sizeof looks / sizeof *looks);
	expect("stretched", m, 9000, wanted, 2);
	jp_exec_merge_free(m);
}

/* Nobody looked for two periods: the execution that waited may not have been the one after. */
Test(exec_merge, who_was_out_of_sight_has_no_known_end)
{
	static const struct look looks[] = {
		{1030, 5, 1005, 1025, U}, {2030, 0, U, U, 2004}, {3990, 0, U, U, 3004}, {3990, 5, 3005, 3425, 3825}};
	static const struct wanted wanted[] = {{1, 5, 1005, 1025, U}, {3, 5, 3005, 3425, 3825}};
	struct jp_exec_merge *m = start(5);
	jp_exec_merge_period(m, ns(1000));
	put(m, looks, sizeof looks / sizeof *looks);
	expect("out of sight", m, 9000, wanted, 2);
	jp_exec_merge_free(m);
}

/* Nobody looked for some periods, then it began anew at once after it had ended. Did it run all the time, or twice in short cycles
 * after the driver had been late? In the synchronous mode, where the driver waits, it is known. */
Test(exec_merge, an_end_after_releases_that_nobody_saw_may_be_anothers)
{
	struct {
		int release, driver_awake, finished, lost;
	} cases[] = {{2004, U, 2500, 0}, {4004, U, 4050, 2}, {4004, 3990, 3950, 0}, {4004, U, 1700, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int end = cases[i].finished;
		const struct look looks[] = {{1030, 0, U, U, 1004}, {1030, 5, 1005, 1025, 225},
			{4090, 0, U, cases[i].driver_awake, cases[i].release}, {4090, 5, cases[i].release, 4051, end}};
		const struct wanted known[] = {{1, 5, 1005, 1025, end}, {4, 5, cases[i].release, 4051, U}};
		const struct wanted not_known[] = {
			{1, 5, 1005, 1025, U}, {4, 5, U, U, end}, {4, 5, cases[i].release, 4051, U}};
		struct jp_exec_merge *m = start(5);
		jp_exec_merge_period(m, ns(1000));
		put(m, looks, sizeof looks / sizeof *looks);
		jp_exec_merge_advance(m, ns(9000));
		cr_expect_eq(jp_exec_merge_lost(m), (unsigned)cases[i].lost, "case %zu", i);
		expect("again", m, 9000 + PATIENCE_US, cases[i].lost ? not_known : known, cases[i].lost ? 3 : 2);
		jp_exec_merge_free(m);
	}
}

/* Two looks that overlap: the second one read the slot first and passed the change on. */
Test(exec_merge, a_look_at_the_same_time_proves_nothing)
{
	static const struct look looks[] = {
		{1030, 0, U, U, 1004}, {1030, 5, 1005, 1025, U}, {2230, 0, U, U, 2004}, {2231, 5, 2005, 2125, 2225}};
	static const struct wanted wanted[] = {{1, 5, 1005, 1025, U}, {2, 5, 2005, 2125, 2225}};
	struct jp_exec_merge *m = start(4);
	put(m, looks, sizeof looks / sizeof *looks);
	expect("overlap", m, 9000, wanted, 2);
	jp_exec_merge_free(m);
}

Test(exec_merge, a_release_that_no_head_saw_is_another_cycles_on_jackd2_too)
{
	static const struct look looks[] = {{1300, 0, U, U, 1004}, {1300, 5, 1005, 1025, 1225}, {2300, 0, U, U, 2004},
		{2300, 5, 2005, 2025, 2225}, {3030, 0, U, U, 3004}};
	static const struct wanted wanted[] = {{1, 5, 1005, 1025, 1225}};
	struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
	jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
	jp_exec_merge_wake(m, ns(1000), ns(1030));
	jp_exec_merge_wake(m, ns(3000), ns(3030)); /* 2000 was not seen */
	put(m, looks, sizeof looks / sizeof *looks);
	expect("one cycle between", m, 9000, wanted, 1);
	jp_exec_merge_free(m);
}

Test(exec_merge, a_release_that_no_head_saw_is_another_cycles)
{
	static const struct look looks[] = {{2004, 0, U, U, 2004}, {2004, 5, 2005, 2050, 2100}, {2604, 0, U, U, 2604},
		{2604, 5, 2605, 2650, 2700}, {3004, 0, U, U, 3004}, {3004, 5, 3005, 3050, 3100}};
	struct jp_exec_merge *m = jp_exec_merge_new(ns(PATIENCE_US));
	struct jp_exec_cycle c;
	jp_exec_merge_reports(m);
	jp_exec_merge_role(m, 0, JP_EXEC_DRIVER);
	for (int k = 1; k <= 4; k++)
		jp_exec_merge_wake(m, ns(1000 * k), ns(1000 * k + 30));
	put(m, looks, 6);
	jp_exec_merge_advance(m, ns(9000));
	for (int k = 1; k <= 3; k++) {
		cr_assert(jp_exec_merge_next(m, &c));
		cr_assert_eq(c.released_ns, k > 1 ? ns(1000 * k + 4) : JP_NS_UNKNOWN);
		cr_assert_eq(c.n, k > 1 ? 1u : 0u);
		cr_assert_eq(c.last_finish_ns, k > 1 ? ns(1000 * k + 100) : JP_NS_UNKNOWN);
	}
	jp_exec_merge_free(m);
}

/* --- clients that did nothing ------------------------------------------------------------------------------------- */

struct idle_look {
	int seen, ref, signalled, awake, finished, state;
};

struct idle {
	int cycle, ref, state;
};

static void expect_idle(struct jp_exec_merge *m, const struct idle_look *looks, size_t n_looks, int horizon,
	const struct idle *wanted, size_t n)
{
	struct jp_exec_cycle c;
	size_t got = 0;
	for (size_t i = 0; i < n_looks; i++) {
		const struct idle_look *l = &looks[i];
		struct jp_exec e = {ns(l->signalled), ns(l->awake), ns(l->finished), ns(l->seen), l->ref, l->state};
		cr_assert_eq(jp_exec_merge_put(m, &e, 1), JP_OK);
	}
	jp_exec_merge_advance(m, ns(horizon));
	while (jp_exec_merge_next(m, &c)) {
		for (size_t i = 0; i < c.n_idle; i++, got++) {
			cr_assert_lt(got, n, "too many: %d in cycle %ld", c.idle[i].ref, (long)c.wake_ns / 1000000);
			cr_assert_eq(c.wake_ns, ns(1000 * wanted[got].cycle), "%zu", got);
			cr_assert_eq(c.idle[i].ref, wanted[got].ref, "%zu", got);
			cr_assert_eq(c.idle[i].state, wanted[got].state, "%zu", got);
		}
	}
	cr_assert_eq(got, n, "%zu of them", got);
}

/* The head's look in the next cycle (30 us after its wake-up) tells it. 6 ran before that look, and waits for its turn in the new
 * cycle; 7 is in its callback; 8 has never run, nor has who has the number 9 now. */
Test(exec_merge, the_heads_next_look_tells_who_did_nothing)
{
	static const struct idle_look looks[] = {
		{1300, 5, 1005, 1025, 1225, JP_EXEC_FINISHED},
		{1300, 9, 1005, 1025, 1225, JP_EXEC_FINISHED},
		{2030, 6, 2005, 2010, 2020, JP_EXEC_FINISHED},
		{2030, 7, 2005, 2010, 1020, JP_EXEC_RUNNING},
		{3030, 5, 3005, 1025, 1225, JP_EXEC_STILL},
		{3030, 6, 3005, 2010, 2020, JP_EXEC_STILL},
		{3030, 7, 3005, 2010, 1020, JP_EXEC_STILL},
		{3030, 8, 3005, U, U, JP_EXEC_STILL},
		{3030, 9, 3005, U, U, JP_EXEC_STILL},
		{4030, 5, 4005, 1025, 1225, JP_EXEC_STILL},
		{4030, 7, 4005, 2010, 1020, JP_EXEC_STILL},
	};
	static const struct idle wanted[] = {
		{2, 5, JP_EXEC_TRIGGERED}, {3, 5, JP_EXEC_TRIGGERED}, {3, 7, JP_EXEC_RUNNING}};
	struct jp_exec_merge *m = start(5);
	expect_idle(m, looks, sizeof looks / sizeof *looks, 90000, wanted, 3);
	cr_assert_eq(jp_exec_merge_lost(m), 0u);
	jp_exec_merge_free(m);
}

/* PipeWire's state tells it; the report of a cycle may hold the release of the next one. The beginning that stands there is none. */
Test(exec_merge, a_report_tells_who_did_nothing)
{
	static const struct idle_look looks[] = {
		{1000, 0, U, U, 1000, 0},
		{1000, 5, 1005, 1025, 1225, JP_EXEC_FINISHED},
		{1000, 5, 2005, 2004, 1225, JP_EXEC_TRIGGERED},
		{2000, 0, U, U, 2000, 0},
		{2000, 5, 2005, 2004, 1225, JP_EXEC_TRIGGERED},
		{2000, 5, 3005, 3004, 1225, JP_EXEC_TRIGGERED},
		{3000, 0, U, U, 3000, 0},
		{3000, 5, 3005, 3015, 3215, JP_EXEC_FINISHED},
		{4000, 0, U, U, 4000, 0},
	};
	static const struct idle wanted[] = {{2, 5, JP_EXEC_TRIGGERED}};
	struct jp_exec_merge *m = start(5);
	jp_exec_merge_reports(m);
	expect_idle(m, looks, sizeof looks / sizeof *looks, 90000, wanted, 1);
	cr_assert_eq(jp_exec_merge_lost(m), 0u);
	jp_exec_merge_free(m);
}
