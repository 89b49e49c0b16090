/* Who holds the graph up for long. Cycles of 100 ms. */
#include "collect/stuck.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLE_NS INT64_C(100000000)

struct bench {
	struct jp_stuck *stuck;
	int64_t wake_ns;
	struct jp_stuck_news news[8]; /* of the last cycle */
	size_t n;
};

static struct bench start(void)
{
	return (struct bench){.stuck = calloc(1, sizeof(struct jp_stuck))};
}

/* A cycle in which these clients (by letter) are missing: a small one waits for another that is. The others run, unless it begins with a
 * point. */
static void cycle(struct bench *b, const char *who)
{
	bool others = *who != '.';
	who += !others;
	for (int ref = 'A'; ref <= 'Z' && others; ref++)
		if (!strchr(who, ref) && !strchr(who, tolower(ref)))
			jp_stuck_ran(b->stuck, ref);
	struct jp_stuck_missing m[8];
	size_t n = 0;
	b->wake_ns += CYCLE_NS;
	b->n = 0;
	for (; *who; who++)
		m[n++] =
			(struct jp_stuck_missing){.ref = toupper(*who), .first = isupper(*who), .running = *who == 'R'};
	jp_stuck_sort(b->stuck, m, n);
	for (size_t i = 0; i < n; i++) {
		char name[2] = {(char)m[i].ref, 0};
		if (m[i].holds_up)
			jp_stuck_held(b->stuck, &m[i], name, b->wake_ns, b->wake_ns + CYCLE_NS);
	}
	while (b->n < 8 && jp_stuck_next(b->stuck, b->wake_ns, &b->news[b->n]))
		b->n++;
}

static void cycles(struct bench *b, const char *who, int n)
{
	for (int i = 0; i < n; i++)
		cycle(b, who);
}

static void expect_text(const struct bench *b, const char *wanted)
{
	char text[512];
	cr_assert_eq(jp_stuck_text(b->stuck, text, sizeof text), wanted[0] != 0);
	cr_assert_str_eq(text, wanted);
}

Test(stuck, a_short_time_is_not_told)
{
	struct bench b = start();
	for (int i = 0; i < 4; i++) {
		cycle(&b, "A");
		cr_assert_eq(b.n, 0u);
	}
	cycle(&b, "");
	cr_assert_eq(b.n, 0u);
	cycles(&b, "A", 4);
	cr_assert_eq(b.n, 0u, "each time by itself");
	expect_text(&b, "");
	free(b.stuck);
}

Test(stuck, each_client_is_told_when_its_time_has_come)
{
	struct bench b = start();
	cycles(&b, "R", 2);
	cycles(&b, "RA", 2);
	cr_assert_eq(b.n, 0u);
	cycle(&b, "RA");
	cr_assert_eq(b.n, 1u);
	cr_assert_str_eq(b.news[0].client, "R");
	cr_assert(b.news[0].running);
	cr_assert_eq(b.news[0].for_ns, 5 * CYCLE_NS);
	cycle(&b, "RA");
	cr_assert_eq(b.n, 0u);
	cycle(&b, "A");
	cr_assert_eq(b.n, 2u, "one is over, one begins");
	cr_assert_neq(b.news[0].over, b.news[1].over);
	cycle(&b, "");
	cr_assert_eq(b.n, 1u);
	cr_assert(b.news[0].over);
	cr_assert_str_eq(b.news[0].client, "A");
	cr_assert_not(b.news[0].running);
	cr_assert_eq(b.news[0].cycles, 5u);
	expect_text(&b, "R for 0.60 s (6 cycles), A for 0.50 s (5 cycles)");
	free(b.stuck);
}

Test(stuck, the_sum_counts_the_times_and_what_still_lasts)
{
	struct bench b = start();
	cycles(&b, "A", 6);
	cycle(&b, "");
	cycles(&b, "AB", 7);
	expect_text(&b, "A 2 times for 1.30 s (13 cycles), B for 0.70 s (7 cycles)");
	free(b.stuck);
}

Test(stuck, more_than_there_is_room_for_are_left_out)
{
	struct bench b = start();
	for (int i = 0; i < 7; i++) {
		b.wake_ns += CYCLE_NS;
		for (int ref = 0; ref < 2 * JP_STUCK_MAX; ref++) {
			char name[16];
			snprintf(name, sizeof name, "c%d", ref);
			const struct jp_stuck_missing m = {.ref = ref};
			jp_stuck_held(b.stuck, &m, name, b.wake_ns, b.wake_ns + CYCLE_NS);
		}
		b.n = 0;
		struct jp_stuck_news news;
		while (jp_stuck_next(b.stuck, b.wake_ns, &news))
			b.n++;
		cr_assert_eq(b.n, i == 4 ? (size_t)JP_STUCK_MAX : 0u, "cycle %d: %zu", i, b.n);
	}
	b.wake_ns += CYCLE_NS;
	b.n = 0;
	for (int ref = 0; ref < 2 * JP_STUCK_MAX; ref++)
		jp_stuck_ran(b.stuck, ref);
	struct jp_stuck_news news;
	while (jp_stuck_next(b.stuck, b.wake_ns, &news))
		b.n++;
	cr_assert_eq(b.n, (size_t)JP_STUCK_MAX, "all of them are told to be over");
	free(b.stuck);
}

/* B waits for A in the first cycle that both are missing in. */
Test(stuck, who_waits_is_not_told_when_the_cables_have_gone)
{
	struct bench b = start();
	cycles(&b, "Ab", 3);
	cycles(&b, "AB", 4); /* A was killed meanwhile */
	expect_text(&b, "A for 0.70 s (7 cycles)");
	cycles(&b, ".B", JP_STUCK_ABSENT); /* A is gone, and B does not run */
	cr_assert_eq(b.n, 0u);
	cycle(&b, ".B");
	cr_assert_eq(b.n, 1u);
	cr_assert_str_eq(b.news[0].client, "A");
	cycle(&b, "");
	expect_text(&b, "A for 0.70 s (7 cycles), B for 0.90 s (9 cycles)");
	free(b.stuck);
}

Test(stuck, one_that_is_late_before_it_does_not_interrupt)
{
	struct bench b = start();
	cycles(&b, "A", 3);
	cycle(&b, "aC");
	cycles(&b, ".", 2); /* its turn does not come */
	cycles(&b, "A", 3);
	expect_text(&b, "A for 0.90 s (7 cycles)");
	cycle(&b, "AD"); /* another one that ran until now */
	cycles(&b, "AD", 6);
	expect_text(&b, "A for 1.60 s (14 cycles), D for 0.70 s (7 cycles)");
	free(b.stuck);
}
