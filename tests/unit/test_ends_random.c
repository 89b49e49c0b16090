/* Whatever the server's record says: every cycle comes out once and in order, and what comes with it holds together. */
#include "collect/culprit.h"
#include "support/cycles.h"
#include "support/ends_bench.h"

#include <criterion/criterion.h>

enum { CYCLES = 1500, REFS = 12 };

static int any_ref(uint32_t *state)
{
	static const int known[] = {DRIVER, DRIVER, SYNTH, METER, HARDWARE, HEAD, TAIL, TAIL};
	uint32_t i = cycles_random(state, REFS);
	return i < sizeof known / sizeof *known ? known[i] : (int)(100 + i);
}

/* About the time of cycle k, now and then far from it or not known. */
static int any_time(uint32_t *state, int k)
{
	switch (cycles_random(state, 12)) {
	case 0:
		return U;
	case 1:
		return (int)cycles_random(state, 1000u * CYCLES);
	case 2:
		return 1000 * k + (int)cycles_random(state, 20000);
	default:
		return 1000 * k + (int)cycles_random(state, 1300);
	}
}

static void any_look(struct ends_bench *b, uint32_t *state, int k)
{
	struct jp_exec e = {.ref = any_ref(state), .state = (int32_t)cycles_random(state, 6)};
	e.signalled_ns = ends_ns(any_time(state, k));
	e.awake_ns = ends_ns(any_time(state, k));
	e.finished_ns = ends_ns(any_time(state, k));
	e.seen_ns = ends_ns(1000 * k + (int)cycles_random(state, 1300));
	fake_times_look(b->times, &e);
}

static void any_cycle(struct ends_bench *b, uint32_t *state, int k)
{
	int head = 1000 * k + (int)cycles_random(state, cycles_random(state, 8) ? 100 : 4000);
	uint16_t flags = cycles_random(state, 8) ? 0 : (uint16_t)cycles_random(state, 128);
	if (cycles_random(state, 4))
		ends_calm(b, k);
	else if (cycles_random(state, 2))
		ends_put_at(b, k, head, cycles_random(state, 5) ? head + (int)cycles_random(state, 3000) : U);
	else
		ends_put(b, k, cycles_random(state, 5) ? (int)cycles_random(state, 3000) : U, flags);
}

static void expect_sound(const struct jp_cycle *cycle, const struct jp_exec_cycle *set, struct jp_culprit *culprit,
	struct jp_times *times)
{
	struct jp_verdict v = {.blame = {.ref = -1}};
	bool found = false;
	for (size_t i = 0; i < set->n; i++) {
		const struct jp_exec *e = &set->execs[i];
		bool both = e->awake_ns != JP_NS_UNKNOWN && e->finished_ns != JP_NS_UNKNOWN;
		cr_assert(!both || e->awake_ns <= e->finished_ns);
		cr_assert(e->ref != HEAD && e->ref != times->refs.tail && e->ref != DRIVER && e->ref != HARDWARE);
	}
	bool overran = jp_culprit_cycle(culprit, times, cycle, set, &v);
	for (size_t i = 0; i < set->n + set->n_idle; i++)
		found |= (i < set->n ? set->execs[i] : set->idle[i - set->n]).ref == v.blame.ref;
	cr_assert(!overran || v.blame.ref < 0 || found, "blamed %d", v.blame.ref);
}

static int take_all(struct ends_bench *b, bool flush, struct jp_culprit *culprit, int next)
{
	struct jp_cycle cycle;
	const struct jp_exec_cycle *set;
	for (; jp_ends_next(b->ends, flush, &cycle, &set); next++) {
		cr_assert_eq(cycle.frame, 48u * (unsigned)next);
		if (set)
			expect_sound(&cycle, set, culprit, b->times);
	}
	return next;
}

static void run(uint32_t seed, bool tells_wake, bool tail)
{
	struct ends_bench b = ends_start(tells_wake, tail);
	struct jp_culprit *culprit = jp_culprit_new();
	struct jp_why why;
	uint32_t state = seed;
	int next = 1;
	for (int k = 1; k <= CYCLES; k++) {
		any_cycle(&b, &state, k);
		for (uint32_t i = cycles_random(&state, 6); i; i--)
			any_look(&b, &state, k);
		ends_record(&b, cycles_random(&state, 2) ? JP_HEAD : JP_TAIL, k);
		if (cycles_random(&state, 5))
			continue;
		ends_poll(&b, 1000 * k + (int)cycles_random(&state, 900), &why);
		b.times->n = b.times->first = 0;
		next = take_all(&b, false, culprit, next);
		if (cycles_random(&state, 100) == 0)
			jp_culprit_new_epoch(culprit);
		if (!jp_ends_timing(b.ends)) /* off at a contradiction: on again, as after a reconnection */
			jp_ends_use(b.ends, b.times, ends_ns(1000 * k));
	}
	cr_assert_eq(take_all(&b, true, culprit, next), CYCLES + 1, "seed %u", seed);
	jp_culprit_free(culprit);
	ends_end(&b);
}

Test(ends_random, every_cycle_comes_out_once_whatever_the_record_says)
{
	for (uint32_t seed = 1; seed <= 40; seed++)
		run(seed, seed & 1, seed & 2);
}
