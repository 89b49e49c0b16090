/* Which tail belongs to which head, against graphs whose truth is known. */
#include <criterion/criterion.h>
#include <string.h>
#include <support/cycles.h>

enum { POLL_NS = 20000000 };

static struct jp_pair *pair_for(const struct cycles *c)
{
	struct jp_pair_config config = {c->mode, c->mode == JP_PAIR_QUEUED ? JP_WAKE_DRIVER : JP_WAKE_NOMINAL};
	return jp_pair_new(&config);
}

/* Complete cycles stand for the script's cycles by their frame; every end must be the true one. */
static void expect_true_ends(const struct paired *p, const struct cycles *c, const char *what)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct jp_cycle *y = &p->cycle[i];
		if (y->flags & (JP_CYCLE_NO_HEAD | JP_CYCLE_NO_TAIL))
			continue;
		size_t k = (size_t)(y->frame - c->frame0) / c->nframes;
		cr_assert_lt(k, c->n, "%s: frame %lu", what, (unsigned long)y->frame);
		cr_assert_eq(y->end_ns, c->end_ns[k], "%s: end of cycle %zu is off by %ld ns", what, k,
			(long)(y->end_ns - c->end_ns[k]));
		if (y->wake_source != JP_WAKE_FILTERED)
			cr_assert_eq(y->wake_ns, c->wake_ns[k], "%s: wake of cycle %zu", what, k);
	}
}

/* Every end that shows is found and nothing else is taken for one. */
static void expect_truth(struct cycles *c, const char *what)
{
	struct jp_pair *pair = pair_for(c);
	struct paired p = cycles_pair(pair, c, POLL_NS);
	expect_true_ends(&p, c, what);
	cr_expect_eq(p.n, c->n, "%s: %zu cycles", what, p.n);
	size_t ends = p.n - paired_flagged(&p, JP_CYCLE_NO_HEAD | JP_CYCLE_NO_TAIL);
	cr_expect_eq(ends, cycles_true_ends(c), "%s: %zu ends of %zu", what, ends, cycles_true_ends(c));
	cr_expect_eq(paired_overruns(&p), cycles_true_overruns(c), "%s: %zu overruns of %zu", what, paired_overruns(&p),
		cycles_true_overruns(c));
	cr_expect_eq(paired_lost(&p), 0, "%s", what);
	paired_free(&p);
	jp_pair_free(pair);
}

static const enum jp_pair_mode modes[] = {JP_PAIR_QUEUED, JP_PAIR_COALESCED};

Test(pair_order, quiet_graph_pairs_one_to_one)
{
	for (int i = 0; i < 2; i++) {
		struct cycles *c = cycles_new(modes[i], 2000);
		cycles_run(c);
		cr_assert_eq(cycles_true_ends(c), 2000);
		expect_truth(c, "quiet");
		cycles_free(c);
	}
}

static void script_spike(struct cycles *c, size_t at, int percent)
{
	c->work_ns[0][at] = cycles_period_ns(c) * percent / 100;
}

/* Percent of a period that one cycle's work takes; how many cycles have no end then, for either server. */
static const struct {
	int percent;
	size_t without_end[2];
} spikes[] = {
	{90, {0, 0}},
	{99, {0, 0}}, /* the tail runs after the next wake-up already */
	{120, {0, 1}},
	{150, {0, 1}},
	{250, {1, 2}},
	{700, {6, 7}},
	{20000, {199, 200}},
};

Test(pair_order, a_spike_is_one_overrun)
{
	for (size_t i = 0; i < 2 * sizeof spikes / sizeof spikes[0]; i++) {
		struct cycles *c = cycles_new(modes[i % 2], 1000);
		script_spike(c, 300, spikes[i / 2].percent);
		cycles_run(c);
		cr_assert_eq(
			1000 - cycles_true_ends(c), spikes[i / 2].without_end[i % 2], "%d %%", spikes[i / 2].percent);
		expect_truth(c, "spike");
		cycles_free(c);
	}
}

/* Spikes at any distance, between cycles whose load varies a little. */
Test(pair_order, spikes_in_a_row_are_told_apart)
{
	uint32_t state = 3;
	for (size_t i = 0; i < 2; i++) {
		for (size_t every = 3; every < 200; every += 1 + every / 6) {
			struct cycles *c = cycles_new(modes[i], 2000);
			for (size_t k = 0; k < c->n; k++)
				script_spike(c, k, 25 + (int)cycles_random(&state, 10));
			for (size_t k = 100; k + 10 < c->n; k += every)
				script_spike(c, k, 140);
			cycles_run(c);
			cr_assert_geq(cycles_true_overruns(c), 1890 / every);
			expect_truth(c, i ? "coalesced spikes" : "queued spikes");
			cycles_free(c);
		}
	}
}

/* Each run takes longer than a period, by little or by much. */
Test(pair_order, a_steadily_late_graph_is_late_and_not_resynchronised)
{
	static const int percents[] = {101, 103, 109, 131, 150, 180, 199, 250};
	for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
		struct cycles *c = cycles_new(JP_PAIR_QUEUED, 1200);
		for (size_t k = 300; k < 900; k++)
			script_spike(c, k, percents[i]);
		cycles_run(c);
		cr_assert_gt(cycles_true_overruns(c), 200);
		expect_truth(c, "steadily late");
		cycles_free(c);
	}
}

/* Random work around the period, random wake-ups. */
static void script_random(struct cycles *c, uint32_t seed, int mean_percent)
{
	int64_t period = cycles_period_ns(c);
	uint32_t state = seed;
	for (size_t k = 0; k < c->n; k++) {
		c->wake_jitter_ns[k] = cycles_random(&state, 60000);
		int percent = (int)cycles_random(&state, (uint32_t)mean_percent * 2);
		if (cycles_random(&state, 50) == 0)
			percent += (int)cycles_random(&state, 400);
		c->work_ns[0][k] = period * percent / 100 + 1000;
	}
	c->work_ns[0][c->n - 1] = c->work_ns[0][c->n - 2] = period / 10;
}

Test(pair_order, random_graphs_give_every_end)
{
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct cycles *c = cycles_new(JP_PAIR_QUEUED, 3000);
		script_random(c, seed, 15 + (int)seed % 27);
		cycles_run(c);
		cr_assert_gt(cycles_true_overruns(c), 20);
		expect_truth(c, "random");
		cycles_free(c);
	}
}

/* Ends that PipeWire does not show can be mistaken, but not one cycle is lost or counted twice, nor a cycle end negative. */
Test(pair_order, random_graphs_keep_every_cycle)
{
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct cycles *c = cycles_new(JP_PAIR_COALESCED, 3000);
		script_random(c, seed, 30 + (int)seed % 50);
		cycles_run(c);
		struct jp_pair *pair = pair_for(c);
		struct paired p = cycles_pair(pair, c, POLL_NS);
		cr_assert_eq(p.n, c->n);
		for (size_t k = 0; k < p.n; k++) {
			cr_assert_eq(p.cycle[k].frame, c->frame0 + k * c->nframes);
			cr_assert(p.cycle[k].tail_ns == JP_NS_UNKNOWN || jp_cycle_end_ns(&p.cycle[k]) > 0);
		}
		cr_assert_leq(p.n - paired_flagged(&p, JP_CYCLE_NO_TAIL), c->n_tail);
		paired_free(&p);
		jp_pair_free(pair);
		cycles_free(c);
	}
}

/* The same records give the same cycles whatever the polls: one record a poll, or all at once. */
Test(pair_order, polls_do_not_matter)
{
	static const int64_t polls[] = {100000, 5000000, 333000000, 100000000000};
	struct cycles *c = cycles_new(JP_PAIR_QUEUED, 3000);
	script_random(c, 5, 45);
	cycles_run(c);
	struct jp_pair *pair = pair_for(c);
	struct paired first = cycles_pair(pair, c, POLL_NS);
	jp_pair_free(pair);
	for (size_t i = 0; i < sizeof polls / sizeof polls[0]; i++) {
		pair = pair_for(c);
		struct paired p = cycles_pair(pair, c, polls[i]);
		cr_assert_eq(p.n, first.n);
		for (size_t k = 0; k < p.n; k++) {
			cr_assert_eq(p.cycle[k].frame, first.cycle[k].frame);
			cr_assert_eq(p.cycle[k].end_ns, first.cycle[k].end_ns);
			cr_assert_eq(p.cycle[k].flags, first.cycle[k].flags);
		}
		paired_free(&p);
		jp_pair_free(pair);
	}
	paired_free(&first);
	cycles_free(c);
}

/* A head that the scheduler holds back over one or more wake-ups still belongs to its own cycle. */
Test(pair_order, late_heads_go_back_to_their_cycle)
{
	static const int percents[] = {99, 100, 110, 190, 210, 950};
	for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
		struct cycles *c = cycles_new(JP_PAIR_QUEUED, 1000);
		c->head_delay_ns[200] = cycles_period_ns(c) * percents[i] / 100;
		c->head_delay_ns[600] = cycles_period_ns(c) * percents[i] / 100;
		script_spike(c, 600, 130);
		cycles_run(c);
		struct jp_pair *pair = pair_for(c);
		struct paired p = cycles_pair(pair, c, POLL_NS);
		cr_assert_eq(p.n, 1000);
		for (size_t k = 0; k < p.n; k++) {
			cr_assert_eq(p.cycle[k].frame, c->frame0 + k * c->nframes, "cycle %zu", k);
			cr_assert_eq(p.cycle[k].lost, 0, "cycle %zu", k);
			cr_assert_eq(p.cycle[k].end_ns, c->end_ns[k], "cycle %zu", k);
			cr_assert_leq(llabs(p.cycle[k].wake_ns - c->wake_ns[k]), 12000, "cycle %zu", k);
		}
		size_t filtered = 0;
		for (size_t k = 0; k < p.n; k++)
			filtered += p.cycle[k].wake_source == JP_WAKE_FILTERED;
		cr_expect_eq(filtered, 2 * (size_t)(percents[i] / 100), "%d %%", percents[i]);
		cr_expect_eq(paired_overruns(&p), 1, "%d %%", percents[i]);
		paired_free(&p);
		jp_pair_free(pair);
		cycles_free(c);
	}
}

/* With several late workers jackd2 wakes the tail once for every run that ends: the last call is the end. */
Test(pair_order, surplus_tails_do_not_end_a_cycle_early)
{
	for (unsigned workers = 2; workers <= CYCLES_WORKERS_MAX; workers++) {
		struct cycles *c = cycles_new(JP_PAIR_QUEUED, 1000);
		c->workers = workers;
		for (unsigned w = 0; w < workers; w++)
			c->work_ns[w][300] = cycles_period_ns(c) * (130 + 5 * (int)w) / 100;
		cycles_run(c);
		cr_assert_eq(c->n_tail, 1000 + workers - 1, "the script has surplus tails");
		struct jp_pair *pair = pair_for(c);
		struct paired p = cycles_pair(pair, c, POLL_NS);
		cr_expect_eq(p.n, 1000);
		cr_expect_eq(paired_flagged(&p, JP_CYCLE_NO_HEAD | JP_CYCLE_NO_TAIL), 0);
		cr_expect_eq(paired_overruns(&p), cycles_true_overruns(c));
		cr_expect_eq(jp_pair_resyncs(pair), 0);
		for (size_t i = 0; i < p.n; i++) {
			const struct jp_cycle *y = &p.cycle[i];
			cr_expect_eq(y->frame, c->frame0 + i * c->nframes);
			cr_expect_geq(y->end_ns, c->end_ns[i], "cycle %zu", i);
			cr_expect_leq(y->end_ns, c->end_ns[i] + (i == 300 ? cycles_period_ns(c) : 0), "cycle %zu", i);
		}
		paired_free(&p);
		jp_pair_free(pair);
		cycles_free(c);
	}
}

/* A tail's record is lost: the next call ends that cycle, which is late then. One cycle suffers, not the ones after it. */
Test(pair_order, a_lost_tail_costs_two_cycles_at_most)
{
	static const int64_t polls[] = {1000000, POLL_NS, 100000000000};
	for (size_t i = 0; i < sizeof polls / sizeof polls[0]; i++) {
		struct cycles *c = cycles_new(JP_PAIR_QUEUED, 1000);
		cycles_run(c);
		cycles_lose(c->tail, &c->n_tail, 700);
		cycles_lose(c->tail, &c->n_tail, 300);
		struct jp_pair *pair = pair_for(c);
		struct paired p = cycles_pair(pair, c, polls[i]);
		cr_expect_eq(p.n, 1000);
		size_t wrong = 0;
		for (size_t k = 0; k < p.n; k++)
			wrong += p.cycle[k].end_ns != c->end_ns[k];
		cr_expect_leq(wrong, 4);
		cr_expect_eq(paired_flagged(&p, JP_CYCLE_NO_TAIL), 2);
		cr_expect_leq(paired_overruns(&p), 2);
		cr_expect_eq(jp_pair_resyncs(pair), 2);
		paired_free(&p);
		jp_pair_free(pair);
		cycles_free(c);
	}
}

/* Where the machine stole a wake-up it disturbs what follows, too: single cycles that end elsewhere are no drift. */
Test(pair_order, a_lost_tail_among_unsteady_cycles_makes_nothing_late)
{
	struct cycles *c = cycles_new(JP_PAIR_QUEUED, 1000);
	int64_t period = cycles_period_ns(c);
	c->work_ns[0][302] = period * 50 / 100; /* the first that is judged */
	c->work_ns[0][310] = c->work_ns[0][330] = c->work_ns[0][350] = period * 90 / 100;
	cycles_run(c);
	cycles_lose(c->tail, &c->n_tail, 300);
	struct jp_pair *pair = pair_for(c);
	struct paired p = cycles_pair(pair, c, POLL_NS);
	cr_expect_leq(paired_overruns(&p), 1);
	cr_expect_eq(jp_pair_resyncs(pair), 1);
	cr_expect_eq(paired_flagged(&p, JP_CYCLE_NO_TAIL), 1);
	paired_free(&p);
	jp_pair_free(pair);
	cycles_free(c);
}

/* The same, and before it is clear the next cycle is late in earnest. */
Test(pair_order, a_late_cycle_soon_after_a_lost_tail_is_the_only_one)
{
	struct cycles *c = cycles_new(JP_PAIR_QUEUED, 1000);
	int64_t period = cycles_period_ns(c);
	c->work_ns[0][310] = period * 90 / 100;
	script_spike(c, 320, 130);
	cycles_run(c);
	cycles_lose(c->tail, &c->n_tail, 300);
	struct jp_pair *pair = pair_for(c);
	struct paired p = cycles_pair(pair, c, POLL_NS);
	cr_expect_leq(paired_overruns(&p), 2, "%zu", paired_overruns(&p));
	paired_free(&p);
	jp_pair_free(pair);
	cycles_free(c);
}

/* A head's record is lost: its tail belongs to nobody, and to no other cycle. */
Test(pair_order, a_lost_head_leaves_an_orphan)
{
	struct cycles *c = cycles_new(JP_PAIR_QUEUED, 400);
	cycles_run(c);
	cycles_lose(c->head, &c->n_head, 200);
	struct jp_pair *pair = pair_for(c);
	struct paired p = cycles_pair(pair, c, POLL_NS);
	expect_true_ends(&p, c, "lost head");
	cr_expect_eq(p.n, 400);
	cr_expect_eq(paired_flagged(&p, JP_CYCLE_NO_HEAD), 1);
	cr_expect(p.cycle[200].flags & JP_CYCLE_NO_HEAD);
	cr_expect_eq(p.cycle[200].frame, c->frame0 + 200u * c->nframes);
	cr_expect_eq(p.cycle[200].tail_ns, c->end_ns[200]);
	cr_expect_eq(p.cycle[200].wake_ns, JP_NS_UNKNOWN);
	cr_expect(p.cycle[201].flags & JP_CYCLE_RESYNC);
	cr_expect_eq(p.cycle[201].lost, 1, "the frame counter shows a gap");
	paired_free(&p);
	jp_pair_free(pair);
	cycles_free(c);
}

/* The tail is activated after the head, and its first call is marked. */
Test(pair_order, cycles_before_the_tails_first_call_have_none)
{
	for (int mode = JP_PAIR_QUEUED; mode <= JP_PAIR_COALESCED; mode++) {
		struct cycles *c = cycles_new((enum jp_pair_mode)mode, 300);
		cycles_run(c);
		for (int i = 0; i < 40; i++)
			cycles_lose(c->tail, &c->n_tail, 0);
		c->tail[0].flags |= JP_REC_FIRST;
		struct jp_pair *pair = pair_for(c);
		struct paired p = cycles_pair(pair, c, POLL_NS);
		expect_true_ends(&p, c, "tail starts later");
		cr_expect_eq(p.n, 300);
		cr_expect_eq(paired_flagged(&p, JP_CYCLE_NO_TAIL), 40);
		cr_expect_eq(paired_overruns(&p), 0);
		cr_expect_eq(jp_pair_resyncs(pair), 0);
		paired_free(&p);
		jp_pair_free(pair);
		cycles_free(c);
	}
}

/* And the other way round: calls before the first head are no cycles. */
Test(pair_order, tails_before_the_first_head_are_left_out)
{
	struct cycles *c = cycles_new(JP_PAIR_QUEUED, 300);
	c->frame0 = 0;
	cycles_run(c);
	for (int i = 0; i < 10; i++)
		cycles_lose(c->head, &c->n_head, 0);
	struct jp_pair *pair = pair_for(c);
	struct paired p = cycles_pair(pair, c, POLL_NS);
	cr_assert_eq(p.n, 290);
	expect_true_ends(&p, c, "head starts later");
	cr_expect_eq(p.cycle[0].frame, 10u * c->nframes);
	cr_expect_eq(p.cycle[0].epoch, 1);
	cr_expect_eq(jp_pair_resyncs(pair), 0);
	paired_free(&p);
	jp_pair_free(pair);
	cycles_free(c);
}

/* A tail that dies: cycles come out all the same, not later than after some 2 s. */
Test(pair_order, heads_are_not_held_for_a_tail_that_never_comes)
{
	struct cycles *c = cycles_new(JP_PAIR_QUEUED, 3000);
	cycles_run(c);
	c->n_tail = 500;
	struct jp_pair *pair = pair_for(c);
	struct paired p = {0};
	jp_pair_put(pair, c->tail, c->n_tail);
	jp_pair_put(pair, c->head, c->n_head);
	paired_take(&p, pair, false);
	size_t in_2_s = 2000000000 / (size_t)cycles_period_ns(c);
	cr_expect_geq(p.n, 3000 - in_2_s - 2);
	cr_expect_lt(p.n, 3000);
	paired_take(&p, pair, true);
	cr_expect_eq(p.n, 2999, "the newest cycle was merely cut off");
	cr_expect_eq(paired_flagged(&p, JP_CYCLE_NO_TAIL), 2499);
	cr_expect_eq(paired_overruns(&p), 0);
	paired_free(&p);
	jp_pair_free(pair);
	cycles_free(c);
}

/* A graph that is held up in whatever state it was left by a late cycle, for longer than cycles are kept, and goes on. */
Test(pair_order, a_long_hold_up_after_a_late_cycle_keeps_every_cycle)
{
	enum { SPIKE = 300, HELD = 1500 };
	for (size_t i = 0; i < 2; i++) {
		for (size_t cut = SPIKE - 3; cut < SPIKE + 8; cut++) {
			struct cycles *c = cycles_new(modes[i], 3000);
			script_spike(c, SPIKE, 250);
			cycles_run(c);
			c->n_tail -= HELD;
			memmove(c->tail + cut, c->tail + cut + HELD, (c->n_tail - cut) * sizeof *c->tail);
			struct jp_pair *pair = pair_for(c);
			struct paired p = cycles_pair(pair, c, POLL_NS);
			size_t own = 0;
			for (size_t k = 0; k < p.n; k++) {
				if (p.cycle[k].flags & JP_CYCLE_NO_HEAD)
					continue;
				cr_assert_eq(p.cycle[k].frame, c->frame0 + own++ * c->nframes, "cut %zu", cut);
			}
			cr_assert_eq(own, c->n, "%zu of %zu, cut %zu", own, c->n, cut);
			cr_assert_geq(paired_flagged(&p, JP_CYCLE_NO_TAIL), HELD - 2);
			paired_free(&p);
			jp_pair_free(pair);
			cycles_free(c);
		}
	}
}

static void lose_some(struct cycles *c, uint32_t *state)
{
	for (int i = 0; i < 6; i++) {
		bool heads = cycles_random(state, 3) == 0;
		struct jp_record *records = heads ? c->head : c->tail;
		size_t *n = heads ? &c->n_head : &c->n_tail;
		size_t held = 1 + cycles_random(state, cycles_random(state, 2) ? 4 : 1000);
		size_t at = cycles_random(state, (uint32_t)*n);
		held = held < *n - at ? held : *n - at;
		*n -= held;
		memmove(records + at, records + at + held, (*n - at) * sizeof *records);
	}
}

/* Whatever is lost of the records: what is left of the heads is there once, in order. */
Test(pair_order, random_losses_keep_every_head)
{
	for (uint32_t seed = 1; seed <= 200; seed++) {
		struct cycles *c = cycles_new(modes[seed % 2], 4000);
		uint32_t state = seed;
		script_random(c, seed, 30 + (int)seed % 70);
		cycles_run(c);
		lose_some(c, &state);
		struct jp_pair *pair = pair_for(c);
		struct paired p = cycles_pair(pair, c, POLL_NS);
		size_t own = 0;
		for (size_t k = 0; k < p.n; k++) {
			if (p.cycle[k].flags & JP_CYCLE_NO_HEAD)
				continue;
			cr_assert_lt(own, c->n_head, "seed %u", seed);
			cr_assert_eq(
				p.cycle[k].head_ns, (int64_t)c->head[own].entry_ns, "seed %u, head %zu", seed, own);
			own++;
		}
		cr_assert_leq(c->n_head - own, 1, "seed %u: %zu of %zu", seed, own, c->n_head);
		paired_free(&p);
		jp_pair_free(pair);
		cycles_free(c);
	}
}

/* The collector throws away what lies before the wiring: a tail's record may go while its head's stays. */
Test(pair_order, first_tail_cut_off_by_the_start_makes_nothing_late)
{
	static const enum jp_pair_mode both[] = {JP_PAIR_QUEUED, JP_PAIR_COALESCED};
	for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
		struct cycles *c = cycles_new(both[i], 300);
		cycles_run(c);
		cycles_lose(c->tail, &c->n_tail, 0);
		struct jp_pair *pair = pair_for(c);
		struct paired p = cycles_pair(pair, c, POLL_NS);
		cr_expect_eq(paired_overruns(&p), 0);
		cr_expect_eq(paired_flagged(&p, JP_CYCLE_LATE), 0);
		cr_expect_eq(paired_flagged(&p, JP_CYCLE_NO_TAIL), 1);
		cr_expect_eq(p.cycle[250].end_ns, c->end_ns[250]);
		paired_free(&p);
		jp_pair_free(pair);
		cycles_free(c);
	}
}
