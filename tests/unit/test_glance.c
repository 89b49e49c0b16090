/* The look before the next wake-up. */
#include "timing/glance.h"

#include "sys/clock.h"

#include <criterion/criterion.h>
#include <jackprobe/exec.h>
#include <string.h>
#include <time.h>

#define MS INT64_C(1000000)

enum { N = 8, STRIDE = 28 };

Test(glance, margin_is_an_eighth_of_a_period_up_to_a_bound)
{
	cr_assert_eq(jp_glance_margin(800000), 100000);
	cr_assert_eq(jp_glance_margin(100 * MS), 300000);
}

Test(glance, is_due_the_margin_before_the_next_wake_up)
{
	int64_t entry = 1000 * MS, dispatch = 200000, period = 8 * MS, due = entry - dispatch + period - 300000;
	cr_assert_eq(jp_glance_due(entry, dispatch, period, 0, entry), due);
	cr_assert_eq(jp_glance_due(entry, dispatch, period, 0, due - 1), due);
	cr_assert_eq(jp_glance_due(entry, dispatch, period, 0, due), due + period, "not again in this cycle");
	cr_assert_eq(jp_glance_due(entry, dispatch, period, 0, due + 2 * period + 1), due + 3 * period);
	/* The head was called late: what lies the margin before a wake-up was looked at a moment ago. */
	cr_assert_eq(jp_glance_due(entry, dispatch, period, due - 100000, due - 50000), due + period);
}

Test(glance, looks_closely_where_somebody_should_end)
{
	int64_t period = 3200000;
	cr_assert_eq(jp_glance_step(0, period), 10000);
	cr_assert_eq(jp_glance_step(1600000, period), 25000);
	cr_assert_eq(jp_glance_step(3200000, period), 10000, "late by a whole period");
	cr_assert_eq(jp_glance_step(10 * period + 1280000, period), 20000);
}

struct bench {
	struct jp_slots *slots;
	struct jp_glance *glance;
	unsigned char memory[N * STRIDE] __attribute__((aligned(8)));
};

static void set_up(struct bench *b)
{
	memset(b->memory, 0, sizeof b->memory);
	cr_assert_eq(jp_slots_new(&b->slots), JP_OK);
	jp_slots_show(b->slots, &(struct jp_slots_view){b->memory, STRIDE, N}, 4);
	b->glance = jp_glance_new(b->slots, -1, CLOCK_MONOTONIC, false);
	cr_assert_not_null(b->glance);
}

static void tear_down(struct bench *b)
{
	jp_glance_free(b->glance);
	jp_slots_free(b->slots);
}

static void call_head(struct bench *b)
{
	jp_slots_enter(b->slots, JP_HEAD, jp_clock_now(CLOCK_MONOTONIC));
	jp_slots_leave(b->slots, JP_HEAD, jp_clock_now(CLOCK_MONOTONIC));
}

/* Give the glance cycles to look in until it has passed something on. */
static size_t take(struct bench *b, struct jp_exec *out)
{
	const struct timespec nap = {.tv_nsec = MS};
	size_t n = 0;
	for (int i = 0; i < 10000 && !n; i++) {
		call_head(b);
		nanosleep(&nap, NULL);
		n = jp_ring_take(jp_slots_ring(b->slots, JP_LOOK_GLANCE), out, 1);
	}
	return n;
}

static void finish(struct bench *b, uint64_t awake_us, uint64_t finished_us)
{
	unsigned char *slot = b->memory + 3 * STRIDE;
	memcpy(slot + JP_SLOTS_AWAKE, &awake_us, sizeof awake_us);
	memcpy(slot + JP_SLOTS_FINISHED, &finished_us, sizeof finished_us);
}

Test(glance, passes_on_what_changed_when_it_is_asked_for)
{
	struct bench b;
	struct jp_exec e;
	set_up(&b);
	finish(&b, 50, 70);
	jp_glance_set(b.glance, MS / 2, 0);
	cr_assert_eq(take(&b, &e), 1u);
	cr_assert_eq(e.ref, 3);
	cr_assert_eq(e.awake_ns, 50000);
	cr_assert_eq(e.finished_ns, 70000);
	int64_t now = jp_clock_now(CLOCK_MONOTONIC);
	cr_assert_leq(e.seen_ns, now);
	/* Rest, and look again when asked again. */
	jp_glance_set(b.glance, 0, 0);
	finish(&b, 150, 170);
	jp_glance_set(b.glance, MS / 2, 0);
	cr_assert_eq(take(&b, &e), 1u);
	cr_assert_eq(e.finished_ns, 170000);
	tear_down(&b);
}

Test(glance, everything_up_to_now_is_in_when_it_rests)
{
	struct bench b;
	set_up(&b);
	cr_assert_eq(jp_glance_horizon(b.glance, 4711), 4711);
	cr_assert_eq(jp_glance_horizon(b.glance, 4712), 4712);
	tear_down(&b);
}

Test(glance, ends_while_somebody_runs)
{
	struct bench b;
	struct jp_exec e;
	set_up(&b);
	uint64_t ahead_us = (uint64_t)jp_clock_now(CLOCK_MONOTONIC) / 1000 + 60000000; /* so he runs for a minute */
	finish(&b, ahead_us, ahead_us - 100);
	jp_glance_set(b.glance, MS / 2, 0);
	cr_assert_eq(take(&b, &e), 1u);
	tear_down(&b);
}
