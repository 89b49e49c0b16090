/* Who holds the graph up for long. Cycles of 100 ms. */
#include "collect/stuck.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

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

/* A cycle that these clients (by letter) hold up. */
static void cycle(struct bench *b, const char *who)
{
	b->wake_ns += CYCLE_NS;
	b->n = 0;
	for (; *who; who++) {
		char name[2] = {*who, 0};
		jp_stuck_held(b->stuck, *who, name, *who == 'R', b->wake_ns, b->wake_ns + CYCLE_NS);
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
			jp_stuck_held(b.stuck, ref, name, false, b.wake_ns, b.wake_ns + CYCLE_NS);
		}
		b.n = 0;
		struct jp_stuck_news news;
		while (jp_stuck_next(b.stuck, b.wake_ns, &news))
			b.n++;
		cr_assert_eq(b.n, i == 4 ? (size_t)JP_STUCK_MAX : 0u, "cycle %d: %zu", i, b.n);
	}
	b.wake_ns += CYCLE_NS;
	b.n = 0;
	struct jp_stuck_news news;
	while (jp_stuck_next(b.stuck, b.wake_ns, &news))
		b.n++;
	cr_assert_eq(b.n, (size_t)JP_STUCK_MAX, "all of them are told to be over");
	free(b.stuck);
}
