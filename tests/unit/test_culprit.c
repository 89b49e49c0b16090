/* Who is blamed under which name, and what is remembered from cycle to cycle. Times in us; a period is 1000 us, cycle k wakes at
 * 1000 k. */
#include "collect/culprit.h"
#include "support/fake_times.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { U = -1, UNSEEN = -2 /* it ended, nobody saw when: it ran at 2500 still */, SYNTH = 5, FX = 6, CALM = 40 };

struct bench {
	struct jp_culprit *culprit;
	struct jp_times *times;
	int k; /* the last cycle */
	struct jp_verdict verdict;
};

static int64_t ns(int us)
{
	return us == U ? JP_NS_UNKNOWN : (int64_t)us * 1000;
}

/* One execution, from the cycle's wake-up; finished U = it never did. */
struct ran {
	int ref, signalled, awake, finished;
};

/* @param late of the driver. @return whether it is an overrun; then the verdict is in the bench. */
static bool late_cycle(struct bench *b, const struct ran *ran, size_t n, int end, int released, int late)
{
	struct jp_exec execs[4];
	int wake = 1000 * ++b->k;
	struct jp_cycle c = {.frame = 48 * (uint64_t)b->k, .nframes = 48, .rate_hz = 48000};
	struct jp_exec_cycle set = {.execs = execs, .n = n};
	c.wake_ns = set.wake_ns = ns(wake);
	c.nominal_ns = ns(wake - late);
	c.tail_ns = c.end_ns = ns(wake + end);
	set.released_ns = ns(wake + released);
	for (size_t i = 0; i < n; i++) {
		bool ended = ran[i].finished != U, told = ended && ran[i].finished != UNSEEN;
		execs[i] = (struct jp_exec){.ref = ran[i].ref, .state = ended ? JP_EXEC_FINISHED : JP_EXEC_RUNNING};
		execs[i].signalled_ns = ns(wake + ran[i].signalled);
		execs[i].awake_ns = ns(wake + ran[i].awake);
		execs[i].finished_ns = told ? ns(wake + ran[i].finished) : JP_NS_UNKNOWN;
		execs[i].seen_ns = ns(wake + 2500);
	}
	memset(&b->verdict, 0xff, sizeof b->verdict);
	return jp_culprit_cycle(b->culprit, b->times, &c, &set, &b->verdict);
}

static bool cycle(struct bench *b, const struct ran *ran, size_t n, int end)
{
	return late_cycle(b, ran, n, end, 4, 0);
}

/* The synth feeds the fx; both work for 100. */
static const struct ran calm[] = {{SYNTH, 4, 24, 124}, {FX, 124, 144, 244}};

static void calm_cycles(struct bench *b, int n)
{
	for (int i = 0; i < n; i++)
		cr_assert(!cycle(b, calm, 2, 244));
}

static struct bench start(int calm_ones)
{
	struct bench b = {.culprit = jp_culprit_new(), .times = fake_times_new(false)};
	fake_times_cable(b.times, SYNTH, FX);
	jp_names_set(&b.times->names, SYNTH, "synth", 0);
	jp_names_set(&b.times->names, FX, "fx", 0);
	calm_cycles(&b, calm_ones);
	return b;
}

static void end(struct bench *b)
{
	jp_culprit_free(b->culprit);
	free(b->times);
}

static void expect(const struct bench *b, const char *client, enum jp_blame_kind kind, int value, int usual)
{
	const struct jp_verdict *v = &b->verdict;
	cr_expect_str_eq(v->client, client);
	cr_expect_eq(v->blame.kind, kind, "%s", jp_blame_text(v->blame.kind));
	cr_expect_eq(v->blame.value_ns, ns(value), "%ld", (long)v->blame.value_ns);
	if (usual == U)
		cr_expect_eq(v->blame.usual_ns, JP_NS_UNKNOWN, "%ld", (long)v->blame.usual_ns);
	else /* two digits */
		cr_expect(llabs(v->blame.usual_ns - ns(usual)) <= ns(usual) / 100, "%ld", (long)v->blame.usual_ns);
}

/* Figures since start of one client. */
static struct jp_client_figures figures(struct bench *b, const char *name)
{
	struct jp_client_figures f[8];
	size_t n = jp_client_stats_total(jp_culprit_stats(b->culprit), f, 8);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(f[i].name, name))
			return f[i];
	cr_assert_fail("nothing is known of %s", name);
	return f[0];
}

Test(culprit, who_was_busy_is_named_with_what_is_usual)
{
	static const struct ran late[] = {{SYNTH, 4, 24, 1424}, {FX, 1424, 1444, 1544}};
	struct bench b = start(CALM);
	cr_assert(cycle(&b, late, 2, 1544));
	expect(&b, "synth", JP_BLAME_BUSY, 1400, 100);
	cr_assert_eq(jp_culprit_counts(b.culprit)[JP_BLAME_BUSY], 1u);
	struct jp_client_figures synth = figures(&b, "synth"), fx = figures(&b, "fx");
	cr_assert_eq(synth.blamed, 1);
	cr_assert_eq(synth.late, 1);
	cr_assert_eq(synth.cycles, CALM + 1);
	cr_assert_eq(fx.blamed, 0, "it merely waited");
	cr_assert_eq(fx.late, 1);
	end(&b);
}

/* What is usual for it is of the time before: a cycle does not excuse itself. */
Test(culprit, usual_rests_on_enough_executions_before)
{
	static const struct ran late[] = {{SYNTH, 4, 24, 1424}};
	for (int before = JP_CLIENT_USUAL_MIN - 1; before <= JP_CLIENT_USUAL_MIN; before++) {
		struct bench b = start(before);
		cr_assert(cycle(&b, late, 1, 1424));
		expect(&b, "synth", JP_BLAME_BUSY, 1400, before < JP_CLIENT_USUAL_MIN ? U : 100);
		end(&b);
	}
}

Test(culprit, a_client_killed_at_work_is_blamed_and_counted_late)
{
	static const struct ran killed[] = {{SYNTH, 4, 24, U}, {FX, 2900, 2910, 3010}};
	for (int cables_known = 0; cables_known < 2; cables_known++) {
		struct bench b = start(CALM);
		b.times->n_cables = cables_known ? 1 : -1;
		cr_assert(cycle(&b, killed, 2, 3010));
		expect(&b, "synth", JP_BLAME_BUSY, 2986, 100);
		struct jp_client_figures synth = figures(&b, "synth");
		cr_assert_eq(synth.late, 1);
		cr_assert_float_eq(synth.busy_max_us, 100, 0.001, "how long it would have been busy is not known");
		end(&b);
	}
}

/* Nobody saw when it ended: that is not late. */
Test(culprit, an_end_that_went_by_unseen_is_not_late)
{
	struct bench b = start(CALM);
	struct jp_exec e = {ns(41004), ns(41024), JP_NS_UNKNOWN, ns(41900), SYNTH, JP_EXEC_FINISHED};
	struct jp_exec_cycle set = {.wake_ns = ns(41000), .released_ns = ns(41004), .execs = &e, .n = 1};
	struct jp_cycle c = {.nframes = 48, .rate_hz = 48000, .wake_ns = ns(41000), .end_ns = ns(41300)};
	c.nominal_ns = JP_NS_UNKNOWN;
	cr_assert(!jp_culprit_cycle(b.culprit, b.times, &c, &set, &b.verdict));
	cr_assert_eq(figures(&b, "synth").late, 0);
	cr_assert_eq(figures(&b, "synth").cycles, CALM + 1);
	end(&b);
}

/* Its number goes to another client: each has his own figures, and the newcomer nothing usual. */
Test(culprit, a_number_in_new_hands_is_another_client)
{
	static const struct ran late[] = {{SYNTH, 4, 24, 1424}};
	struct bench b = start(CALM);
	jp_names_set(&b.times->names, SYNTH, "sampler", ns(1000 * (CALM + 1)));
	cr_assert(cycle(&b, late, 1, 1424));
	expect(&b, "sampler", JP_BLAME_BUSY, 1400, U);
	cr_assert_eq(figures(&b, "sampler").blamed, 1);
	cr_assert_eq(figures(&b, "sampler").cycles, 1);
	cr_assert_eq(figures(&b, "synth").blamed, 0);
	cr_assert_eq(figures(&b, "synth").cycles, CALM);
	end(&b);
}

/* Cycles are judged some time after they happened: who had the number then counts, not who has it now. */
Test(culprit, the_one_who_had_the_number_then_is_named)
{
	static const struct ran late[] = {{SYNTH, 4, 24, 1424}};
	struct bench b = start(CALM);
	jp_names_set(&b.times->names, SYNTH, "sampler", ns(1000 * (CALM + 1) + 1500));
	cr_assert(cycle(&b, late, 1, 1424));
	expect(&b, "synth", JP_BLAME_BUSY, 1400, 100);
	end(&b);
}

/* Nobody saw it begin: it is known by its end. */
Test(culprit, an_execution_without_a_beginning_is_that_of_who_had_the_number_at_its_end)
{
	struct bench b = start(CALM);
	jp_names_set(&b.times->names, SYNTH, "sampler", ns(41010));
	struct jp_exec e = {JP_NS_UNKNOWN, JP_NS_UNKNOWN, ns(41100), ns(41900), SYNTH, JP_EXEC_FINISHED};
	struct jp_exec_cycle set = {.wake_ns = ns(41000), .released_ns = ns(41004), .execs = &e, .n = 1};
	struct jp_cycle c = {.nframes = 48, .rate_hz = 48000, .wake_ns = ns(41000), .end_ns = ns(41100)};
	jp_culprit_cycle(b.culprit, b.times, &c, &set, &b.verdict);
	cr_assert_eq(figures(&b, "sampler").cycles, 1);
	cr_assert_eq(figures(&b, "synth").cycles, CALM);
	end(&b);
}

/* A client that comes back under another number goes on where it was. */
Test(culprit, a_client_that_comes_back_goes_on_where_it_was)
{
	static const struct ran late[] = {{9, 4, 24, 1424}};
	struct bench b = start(CALM);
	jp_names_set(&b.times->names, SYNTH, "", ns(1000 * CALM + 500));
	jp_names_set(&b.times->names, 9, "synth", ns(1000 * CALM + 600));
	cr_assert(cycle(&b, late, 1, 1424));
	expect(&b, "synth", JP_BLAME_BUSY, 1400, 100);
	cr_assert_eq(figures(&b, "synth").cycles, CALM + 1);
	end(&b);
}

Test(culprit, a_client_without_ports_goes_by_its_number)
{
	static const struct ran late[] = {{17, 4, 24, 1424}};
	struct bench b = start(0);
	cr_assert(cycle(&b, late, 1, 1424));
	expect(&b, "#17", JP_BLAME_BUSY, 1400, U);
	end(&b);
}

/* Still at the work of the cycle before when it was released: what it did until then is its own. */
Test(culprit, work_of_the_cycle_before_is_remembered)
{
	static const struct ran first[] = {{SYNTH, 4, 24, 1850}}, second[] = {{SYNTH, 4, 870, 1100}};
	struct bench b = start(CALM);
	cr_assert(cycle(&b, first, 1, 1850));
	cr_assert(cycle(&b, second, 1, 1100));
	expect(&b, "synth", JP_BLAME_BUSY, 1096, 100);
	end(&b);
}

/* Numbers that share a place: the memory of the one is not the other's. */
Test(culprit, numbers_far_apart_are_told_apart)
{
	static const struct ran first[] = {{SYNTH, 4, 24, 1850}}, second[] = {{SYNTH + 1024, 4, 870, 1100}};
	struct bench b = start(CALM);
	cr_assert(cycle(&b, first, 1, 1850));
	cr_assert(cycle(&b, second, 1, 1100));
	expect(&b, "#1029", JP_BLAME_WOKE_LATE, 866, U);
	end(&b);
}

/* What is usual is the median of the last 64, and nothing in a new epoch. */
Test(culprit, a_driver_that_releases_late_is_held_against_its_own_usual)
{
	static const struct ran after[] = {{SYNTH, 804, 824, 924}, {FX, 924, 944, 1044}};
	struct bench b = start(0);
	for (int i = 0; i < 100; i++) /* of the last 64 the greater half is 9 */
		late_cycle(&b, calm, 2, 244, i < 67 ? 4 : 9, 0);
	cr_assert(late_cycle(&b, after, 2, 1044, 804, 0));
	expect(&b, "", JP_BLAME_RELEASE, 804, 9);
	cr_assert_eq(jp_culprit_counts(b.culprit)[JP_BLAME_RELEASE], 1u);
	jp_culprit_new_epoch(b.culprit);
	for (int i = 0; i < JP_CLIENT_USUAL_MIN; i++) {
		cr_assert(late_cycle(&b, after, 2, 1044, 804, 0));
		expect(&b, "", JP_BLAME_RELEASE, 804, U);
	}
	cr_assert(late_cycle(&b, after, 2, 1044, 804, 0));
	expect(&b, "fx", JP_BLAME_BUSY, 100, 100); /* by now it is usual: who was at work when time was up */
	end(&b);
}

/* In sync mode the driver waits for the graph: late because the cycle before was, it is not to blame. */
Test(culprit, a_driver_that_had_to_wait_is_not_blamed)
{
	static const struct ran first[] = {{SYNTH, 4, 24, 1850}};
	static const struct ran slow[] = {{SYNTH, 904, 924, 944}, {FX, 944, 964, 1544}};
	struct bench b = start(CALM);
	cr_assert(cycle(&b, first, 1, 1850)); /* 850 into the next */
	cr_assert(late_cycle(&b, slow, 2, 1544, 4, 700));
	expect(&b, "fx", JP_BLAME_BUSY, 580, 100);
	calm_cycles(&b, 1);
	cr_assert(late_cycle(&b, slow, 2, 1544, 4, 700));
	expect(&b, "", JP_BLAME_DRIVER, 700, 0);
	cr_assert(cycle(&b, first, 1, 1850));
	jp_culprit_new_epoch(b.culprit);
	cr_assert(late_cycle(&b, slow, 2, 1544, 4, 700), "what was before an epoch holds nobody");
	expect(&b, "", JP_BLAME_DRIVER, 700, 0);
	end(&b);
}

/* jackd2 in sync mode waits for a client that was killed, and the end is not known: the tail's call and the last finish tell
 * how long the driver had to wait at least. */
Test(culprit, a_driver_that_had_to_wait_for_an_unknown_end_is_not_blamed)
{
	static const struct ran slow[] = {{SYNTH, 904, 924, 944}, {FX, 944, 964, 1544}};
	for (int i = 0; i < 3; i++) {
		struct bench b = start(CALM);
		int wake = 1000 * ++b.k;
		struct jp_cycle c = {.nframes = 48, .rate_hz = 48000, .wake_ns = ns(wake), .end_ns = JP_NS_UNKNOWN};
		struct jp_exec_cycle set = {.wake_ns = ns(wake), .released_ns = ns(wake + 4)};
		c.nominal_ns = JP_NS_UNKNOWN;
		c.tail_ns = i == 0 ? ns(wake + 1850) : JP_NS_UNKNOWN;
		set.last_finish_ns = i == 1 ? ns(wake + 1850) : JP_NS_UNKNOWN;
		cr_assert(!jp_culprit_cycle(b.culprit, b.times, &c, &set, &b.verdict));
		cr_assert(late_cycle(&b, slow, 2, 1544, 4, 700));
		if (i < 2)
			expect(&b, "fx", JP_BLAME_BUSY, 580, 100);
		else
			expect(&b, "", JP_BLAME_DRIVER, 700, 0);
		end(&b);
	}
}

Test(culprit, a_new_epoch_knows_nothing_usual)
{
	static const struct ran late[] = {{SYNTH, 4, 24, 1424}}, held[] = {{SYNTH, 4, 870, 1100}};
	struct bench b = start(CALM);
	cr_assert(cycle(&b, late, 1, 1850));
	jp_culprit_new_epoch(b.culprit);
	cr_assert(cycle(&b, held, 1, 1100));
	expect(&b, "synth", JP_BLAME_WOKE_LATE, 866, U);
	cr_assert_eq(figures(&b, "synth").blamed, 2, "what was counted stays");
	cr_assert_float_eq(figures(&b, "synth").busy_max_us, 230, 0.001);
	cr_assert_eq(jp_culprit_counts(b.culprit)[JP_BLAME_BUSY], 1u);
	end(&b);
}

Test(culprit, an_overrun_that_nobody_saw_is_counted_as_unknown)
{
	struct bench b = start(CALM);
	jp_culprit_unseen(b.culprit, &b.verdict);
	expect(&b, "", JP_BLAME_UNKNOWN, U, U);
	cr_assert_eq(b.verdict.blame.ref, -1);
	cr_assert_eq(jp_culprit_counts(b.culprit)[JP_BLAME_UNKNOWN], 1u);
	cr_assert(cycle(&b, NULL, 0, 1300), "nor when its executions are none");
	expect(&b, "", JP_BLAME_UNKNOWN, U, U);
	cr_assert_eq(jp_culprit_counts(b.culprit)[JP_BLAME_UNKNOWN], 2u);
	end(&b);
}

Test(culprit, who_ran_past_the_period_is_late_though_nobody_saw_the_end)
{
	static const struct ran late[] = {{SYNTH, 4, 24, UNSEEN}, {FX, 4, 2944, 3044}};
	struct bench b = start(CALM);
	cr_assert(cycle(&b, late, 2, 3044));
	expect(&b, "synth", JP_BLAME_BUSY, 2900, 100); /* until the fx, usually 20 after its release, began */
	cr_expect_eq(figures(&b, "synth").late, 1);
	cr_expect_eq(figures(&b, "synth").blamed, 1);
	end(&b);
}

Test(culprit, freewheel_and_suspend_enter_nothing)
{
	static const uint16_t flags[] = {JP_CYCLE_FREEWHEEL, JP_CYCLE_SUSPEND};
	struct bench b = start(CALM);
	struct jp_exec e = {ns(41004), ns(41024), ns(43000), ns(43900), SYNTH, JP_EXEC_FINISHED};
	struct jp_exec_cycle set = {.wake_ns = ns(41000), .released_ns = ns(41004), .execs = &e, .n = 1};
	struct jp_cycle c = {.nframes = 48, .rate_hz = 48000, .wake_ns = ns(41000), .end_ns = ns(43000)};
	for (int i = 0; i < 2; i++) {
		c.flags = flags[i];
		cr_assert(!jp_culprit_cycle(b.culprit, b.times, &c, &set, &b.verdict));
	}
	cr_assert_eq(figures(&b, "synth").cycles, CALM);
	end(&b);
}

/* The synth does not run any more, the fx waits for it. Told once that this has lasted half a second, and when it is over. */
Test(culprit, a_client_that_does_not_run_any_more_is_told_once_and_when_it_runs_again)
{
	struct bench b = start(CALM);
	const struct jp_exec idle[] = {{JP_NS_UNKNOWN, JP_NS_UNKNOWN, JP_NS_UNKNOWN, 0, FX, JP_EXEC_TRIGGERED},
		{JP_NS_UNKNOWN, JP_NS_UNKNOWN, JP_NS_UNKNOWN, 0, SYNTH, JP_EXEC_TRIGGERED}};
	struct jp_stuck_news news;
	char text[200];
	int first = b.k + 1, told = 0;
	for (int i = 0; i < 600; i++) {
		struct jp_exec_cycle set = {.wake_ns = ns(1000 * ++b.k), .idle = idle, .n_idle = 2};
		struct jp_cycle c = {.nframes = 48, .rate_hz = 48000, .wake_ns = set.wake_ns, .end_ns = JP_NS_UNKNOWN};
		c.nominal_ns = c.tail_ns = JP_NS_UNKNOWN;
		set.released_ns = set.last_finish_ns = JP_NS_UNKNOWN;
		cr_assert_not(jp_culprit_cycle(b.culprit, b.times, &c, &set, &b.verdict));
		while (jp_culprit_stuck(b.culprit, &c, &news)) {
			told++;
			cr_assert_str_eq(news.client, "synth");
			cr_assert_not(news.over);
			cr_assert_not(news.running);
			cr_assert_eq(news.wake_ns, ns(1000 * first));
			cr_assert_eq(news.for_ns, JP_STUCK_NS);
			cr_assert_eq(news.cycles, 500u);
		}
	}
	cr_assert_eq(told, 1);
	cr_assert(jp_culprit_stuck_text(b.culprit, text, sizeof text));
	cr_assert_str_eq(text, "synth for 0.60 s (600 cycles)");
	calm_cycles(&b, 1);
	struct jp_cycle now = {.wake_ns = ns(1000 * b.k)};
	cr_assert(jp_culprit_stuck(b.culprit, &now, &news));
	cr_assert(news.over);
	cr_assert_eq(news.for_ns, ns(600000));
	cr_assert_eq(news.cycles, 600u);
	cr_assert_not(jp_culprit_stuck(b.culprit, &now, &news));
	cr_assert_eq(figures(&b, "synth").cycles, CALM + 1, "what it did not do is not counted");
	cr_assert_eq(figures(&b, "synth").late, 600);
	cr_assert_eq(figures(&b, "fx").late, 0, "it merely waited");
	end(&b);
}

/* The synth was released and did not begin. */
static void idle_cycle(struct bench *b)
{
	const struct jp_exec idle = {JP_NS_UNKNOWN, JP_NS_UNKNOWN, JP_NS_UNKNOWN, 0, SYNTH, JP_EXEC_TRIGGERED};
	struct jp_exec_cycle set = {.wake_ns = ns(1000 * ++b->k), .idle = &idle, .n_idle = 1};
	struct jp_cycle c = {.nframes = 48, .rate_hz = 48000, .wake_ns = set.wake_ns, .end_ns = JP_NS_UNKNOWN};
	c.nominal_ns = c.tail_ns = JP_NS_UNKNOWN;
	set.released_ns = set.last_finish_ns = JP_NS_UNKNOWN;
	cr_assert_not(jp_culprit_cycle(b->culprit, b->times, &c, &set, &b->verdict));
}

Test(culprit, who_leaves_or_has_only_come_was_not_late)
{
	static const struct ran alone[] = {{FX, 4, 24, 124}};
	struct bench b = start(0);
	idle_cycle(&b); /* activated, and not called yet */
	calm_cycles(&b, CALM);
	idle_cycle(&b); /* released once more while it left */
	for (int i = 0; i < 3; i++)
		cr_assert(!cycle(&b, alone, 1, 124));
	cr_expect_eq(figures(&b, "synth").late, 0);
	calm_cycles(&b, 1);
	cr_expect_eq(figures(&b, "synth").late, 0, "it came back");
	idle_cycle(&b);
	calm_cycles(&b, 1);
	cr_expect_eq(figures(&b, "synth").late, 1, "it was late, and went on");
	end(&b);
}
