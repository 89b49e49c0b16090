/* Was everybody seen who could have ended a cycle? Times in us; cycle k wakes at 1000 k. */
#include "collect/complete.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { U = -1, TAIL = 91, CALM = 20 };

static int64_t ns(int us)
{
	return us == U ? JP_NS_UNKNOWN : (int64_t)us * 1000;
}

/* One execution in the cycle under test, us from its wake-up. */
struct ran {
	int ref, awake, finished;
};

struct bench {
	struct jp_complete *complete;
	int cycle;
};

static enum jp_known any_cycle(struct bench *b, const struct ran *ran, size_t n, int release, struct jp_exec_merge *m,
	const struct jp_exec *idle, size_t n_idle)
{
	struct jp_exec execs[4];
	int wake = 1000 * ++b->cycle;
	struct jp_exec_cycle set = {.wake_ns = ns(wake), .last_finish_ns = JP_NS_UNKNOWN, .execs = execs, .n = n};
	set.idle = idle;
	set.n_idle = n_idle;
	for (size_t i = 0; i < n; i++) {
		execs[i] = (struct jp_exec){.ref = ran[i].ref, .signalled_ns = JP_NS_UNKNOWN};
		execs[i].awake_ns = ran[i].awake == U ? JP_NS_UNKNOWN : ns(wake + ran[i].awake);
		execs[i].finished_ns = ran[i].finished == U ? JP_NS_UNKNOWN : ns(wake + ran[i].finished);
		if (execs[i].finished_ns > set.last_finish_ns)
			set.last_finish_ns = execs[i].finished_ns;
	}
	return jp_complete_cycle(b->complete, &set, release == U ? JP_NS_UNKNOWN : ns(wake + release), m);
}

static enum jp_known cycle(struct bench *b, const struct ran *ran, size_t n, int release, struct jp_exec_merge *m)
{
	return any_cycle(b, ran, n, release, m, NULL, 0);
}

/* One in which somebody did nothing. */
static enum jp_known idle_cycle(
	struct bench *b, const struct ran *ran, size_t n, const struct jp_exec *idle, size_t n_idle)
{
	return any_cycle(b, ran, n, U, NULL, idle, n_idle);
}

/* Clients 1 and 2 have run side by side for some cycles; 2 ends after the tail's release when there is one. */
static struct bench start(const struct jp_blame_cable *cables, size_t n, int release)
{
	static const struct ran both[] = {{1, 20, 100}, {2, 120, 300}};
	struct bench b = {.complete = calloc(1, sizeof *b.complete)};
	jp_complete_cables(b.complete, cables, n, TAIL);
	cr_assert_eq(cycle(&b, both, 2, release, NULL), release == U ? JP_KNOWN_NOT : JP_KNOWN_ALL, "the first");
	for (int i = 1; i < CALM; i++)
		cr_assert_eq(cycle(&b, both, 2, release, NULL), JP_KNOWN_ALL);
	return b;
}

static const struct row {
	const char *about;
	struct jp_blame_cable cables[3];
	int release;
	struct ran ran[2];
	enum jp_known known;
} rows[] = {
	{"both were seen", {{1, TAIL}}, 110, {{1, 20, 100}, {2, 120, 300}}, JP_KNOWN_ALL},
	{"a recorder was not", {{1, TAIL}}, 110, {{1, 20, 100}}, JP_KNOWN_NOT},
	{"it began before our eyes, but nobody saw it end", {{1, TAIL}}, 110, {{1, 20, 100}, {2, 120, U}},
		JP_KNOWN_NOT},
	{"the tail waits for who was not seen", {{1, TAIL}}, 110, {{2, 120, 300}}, JP_KNOWN_TAIL},
	{"and did not run", {{1, TAIL}}, U, {{2, 120, 300}}, JP_KNOWN_NOT},
	{"nobody was seen", {{1, TAIL}}, 110, {{0}}, JP_KNOWN_NOT},
	{"who comes after the unseen one was seen", {{1, 2}}, U, {{2, 120, 300}}, JP_KNOWN_ALL},
	{"only its end was", {{1, 2}}, U, {{2, U, 300}}, JP_KNOWN_ALL},
	{"it still runs", {{1, 2}}, U, {{2, 120, U}}, JP_KNOWN_NOT},
	{"who comes before the unseen one was seen", {{1, 2}}, U, {{1, 20, 100}}, JP_KNOWN_NOT},
	{"in a loop nobody comes first", {{1, 2}, {2, 1}}, U, {{2, 120, 300}}, JP_KNOWN_NOT},
	{"a loop elsewhere does not matter", {{1, 2}, {5, 6}, {6, 5}}, U, {{2, 120, 300}}, JP_KNOWN_ALL},
};

static size_t count_cables(const struct jp_blame_cable *c)
{
	size_t n = 0;
	while (n < 3 && c[n].from)
		n++;
	return n;
}

static size_t count_ran(const struct ran *r)
{
	size_t n = 0;
	while (n < 2 && r[n].ref)
		n++;
	return n;
}

Test(complete, who_is_missing_and_whether_it_matters)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		struct bench b = start(r->cables, count_cables(r->cables), r->release);
		cr_expect_eq(cycle(&b, r->ran, count_ran(r->ran), r->release, NULL), r->known, "%s", r->about);
		free(b.complete);
	}
}

/* Client 2 did what was left of the cycle before, and after client 1 it has to run again. */
Test(complete, who_began_before_the_one_it_waits_for_ended_runs_again)
{
	static const struct jp_blame_cable cables[] = {{1, 2}, {2, TAIL}};
	static const struct ran left[] = {{2, 10, 50}, {1, 20, 400}},
				again[] = {{2, 10, 50}, {1, 20, 400}, {2, 420, 500}};
	struct bench b = start(cables, 2, 310);
	cr_expect_eq(cycle(&b, left, 2, 510, NULL), JP_KNOWN_TAIL, "the tail waited for it");
	cr_expect_eq(cycle(&b, left, 2, 390, NULL), JP_KNOWN_NOT, "the tail was released before it can have run");
	cr_expect_eq(cycle(&b, again, 3, 510, NULL), JP_KNOWN_ALL);
	jp_complete_order(b.complete, cables, 1);
	cr_expect_eq(cycle(&b, left, 2, 390, NULL), JP_KNOWN_NOT, "the cables to the tail stay known");
	free(b.complete);
	/* Of the tail's cables nothing is known. */
	b = start(NULL, 0, 310);
	jp_complete_order(b.complete, cables, 1);
	cr_expect_eq(cycle(&b, left, 2, 510, NULL), JP_KNOWN_NOT, "the tail's release means nothing now");
	struct jp_exec who[3];
	cr_assert_eq(jp_complete_who(b.complete, who, 3), 2u);
	cr_expect(who[0].ref == 1 && who[1].ref == 2);
	cr_expect_eq(jp_complete_who(b.complete, who, 1), 1u);
	free(b.complete);
}

/* Client 1 ran into the next cycle: what begins behind it then is the cycle's before. */
Test(complete, who_is_late_is_not_made_good_for_by_who_comes_after)
{
	static const struct jp_blame_cable cable = {1, 2};
	static const struct ran late[] = {{1, 20, 1500}}, after[] = {{2, 520, 600}};
	struct bench b = start(&cable, 1, U);
	cr_assert_eq(cycle(&b, late, 1, U, NULL), JP_KNOWN_NOT);
	cr_assert_eq(cycle(&b, after, 1, U, NULL), JP_KNOWN_NOT);
	free(b.complete);
}

Test(complete, who_left_is_not_expected_for_long)
{
	static const struct ran one = {1, 20, 100};
	struct bench b = start(NULL, 0, 110);
	for (int i = 0; i < JP_COMPLETE_ABSENT; i++)
		cr_assert_eq(cycle(&b, &one, 1, 110, NULL), JP_KNOWN_NOT, "cycle %d", i);
	cr_assert_eq(cycle(&b, &one, 1, 110, NULL), JP_KNOWN_ALL);
	free(b.complete);
}

/* Nothing is known of cables: who was seen to end after the tail's release is not covered. */
Test(complete, without_cables_what_was_seen_decides)
{
	static const struct ran recorder = {2, 120, 300}, other = {1, 20, 100};
	struct bench b = start(NULL, 0, 110);
	cr_assert(!jp_complete_covered(b.complete));
	cr_assert_eq(cycle(&b, &recorder, 1, 110, NULL), JP_KNOWN_TAIL);
	cr_assert_eq(cycle(&b, &other, 1, 110, NULL), JP_KNOWN_NOT);
	free(b.complete);
	b = start(NULL, 0, 310);
	cr_assert(jp_complete_covered(b.complete));
	cr_assert_eq(cycle(&b, &other, 1, 310, NULL), JP_KNOWN_TAIL);
	free(b.complete);
}

/* Client 2 went by unseen, but its next execution had ended before client 1 did. */
Test(complete, what_went_by_unseen_ended_before_what_came_next)
{
	static const struct {
		int end;
		enum jp_known known;
	} ends[] = {{1250, JP_KNOWN_NOT}, {1350, JP_KNOWN_ALL}};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const struct ran ran = {1, 20, ends[i].end};
		struct bench b = start(NULL, 0, U);
		int wake = 1000 * (b.cycle + 1);
		struct jp_exec_merge *m = jp_exec_merge_new(ns(100000));
		struct jp_exec next = {ns(wake + 1110), ns(wake + 1120), ns(wake + 1300), ns(wake + 1400), 2, 3};
		jp_exec_merge_put(m, &next, 1);
		jp_exec_merge_advance(m, ns(wake + 2000));
		cr_assert_eq(cycle(&b, &ran, 1, U, m), ends[i].known);
		jp_exec_merge_free(m);
		free(b.complete);
	}
}

/* The longer a client that is released does nothing, the less may the others' ends count as the cycle's. */
Test(complete, who_is_released_and_does_nothing_stays_expected)
{
	static const struct ran one[] = {{1, 20, 100}};
	const struct jp_exec idle = {.ref = 2, .state = JP_EXEC_TRIGGERED}, stranger = {.ref = 7};
	struct bench b = start(NULL, 0, U);
	for (int i = 0; i < 3 * JP_COMPLETE_ABSENT; i++)
		cr_assert_eq(idle_cycle(&b, one, 1, &idle, 1), JP_KNOWN_NOT, "cycle %d", i);
	for (int i = 0; i < JP_COMPLETE_ABSENT; i++)
		cr_assert_eq(cycle(&b, one, 1, U, NULL), JP_KNOWN_NOT);
	cr_assert_eq(cycle(&b, one, 1, U, NULL), JP_KNOWN_ALL, "it is not released any more");
	cr_assert_eq(idle_cycle(&b, one, 1, &stranger, 1), JP_KNOWN_ALL, "one that has never run is being made");
	free(b.complete);
}
