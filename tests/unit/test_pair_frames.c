/* Frames, lost periods, epochs, breaks, suspends: what the head's records alone decide. */
#include <criterion/criterion.h>
#include <support/cycles.h>

/* A stream of cycles with both records, to be bent by a test. */
struct stream {
	struct jp_pair *pair;
	struct paired out;
	uint64_t at_ns;
	uint32_t frame, nframes, rate_hz;
	uint8_t flags;
};

static struct stream begin(enum jp_pair_mode mode)
{
	struct jp_pair_config config = {mode, JP_WAKE_DRIVER};
	return (struct stream){.pair = jp_pair_new(&config), .at_ns = 1000000000, .nframes = 128, .rate_hz = 48000};
}

static struct jp_record head_now(const struct stream *s)
{
	return (struct jp_record){
		.entry_ns = s->at_ns + 20000,
		.wake_us = s->at_ns / 1000,
		.nominal_us = s->at_ns / 1000 - 5,
		.period_us = 1000000u * s->nframes / s->rate_hz,
		.frame = s->frame,
		.nframes = s->nframes,
		.rate_hz = s->rate_hz,
		.cpu = 3,
		.role = JP_HEAD,
		.flags = s->flags,
	};
}

static struct jp_record tail_now(const struct stream *s)
{
	struct jp_record tail = head_now(s);
	tail.entry_ns += 80000;
	tail.wake_us = tail.nominal_us = tail.period_us = tail.rate_hz = 0;
	tail.cpu = 4;
	tail.role = JP_TAIL;
	return tail;
}

/* Time and frames go on by some periods. */
static void pass(struct stream *s, unsigned periods)
{
	s->at_ns += (uint64_t)periods * s->nframes * 1000000000u / s->rate_hz / 1000 * 1000;
	s->frame += periods * s->nframes;
}

static void run(struct stream *s, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct jp_record tail = tail_now(s), head = head_now(s);
		jp_pair_put(s->pair, &tail, 1);
		jp_pair_put(s->pair, &head, 1);
		paired_take(&s->out, s->pair, false);
		pass(s, 1);
	}
}

static void finish(struct stream *s)
{
	paired_take(&s->out, s->pair, true);
}

static void end(struct stream *s)
{
	paired_free(&s->out);
	jp_pair_free(s->pair);
}

Test(pair_frames, the_32_bit_counter_wraps_unnoticed)
{
	static const uint32_t starts[] = {0xFFFFFF00, 0x7FFFFF80, 0, 0xFFFFFFFF};
	static const enum jp_pair_mode modes[] = {JP_PAIR_QUEUED, JP_PAIR_COALESCED, JP_PAIR_HEAD_ONLY};
	for (size_t i = 0; i < 12; i++) {
		struct stream s = begin(modes[i % 3]);
		s.frame = starts[i / 3];
		run(&s, 100);
		finish(&s);
		cr_assert_eq(s.out.n, 100);
		for (size_t k = 0; k < s.out.n; k++)
			cr_assert_eq(s.out.cycle[k].frame, (uint64_t)starts[i / 3] + 128 * k);
		cr_expect_eq(paired_lost(&s.out), 0);
		cr_expect_eq(paired_flagged(&s.out, ~0u), 0);
		end(&s);
	}
}

/* A frame counter that jumps by so many frames beyond a period, and how many whole periods that is. */
static const struct {
	uint32_t jump, lost;
} jumps[] = {{128, 1}, {256, 2}, {127, 0}, {1, 0}, {200, 1}, {128 * 1000, 1000}, {128 * 40 + 13, 40}};

Test(pair_frames, whole_missing_periods_are_lost)
{
	for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
		struct stream s = begin(JP_PAIR_QUEUED);
		run(&s, 20);
		s.frame += jumps[i].jump;
		s.at_ns += (uint64_t)jumps[i].jump * 1000000 / 48 / 1000 * 1000;
		run(&s, 20);
		finish(&s);
		cr_assert_eq(s.out.n, 40);
		cr_expect_eq(s.out.cycle[20].lost, jumps[i].lost, "jump %u", jumps[i].jump);
		cr_expect_eq(paired_lost(&s.out), jumps[i].lost, "jump %u", jumps[i].jump);
		cr_expect_eq(s.out.cycle[39].frame, 39 * 128 + jumps[i].jump);
		cr_expect_eq(paired_overruns(&s.out), 0);
		end(&s);
	}
}

/* The callback's own figures, at that very cycle */
static const struct {
	uint32_t nframes, rate_hz;
} settings[] = {{128, 48000}, {512, 48000}, {16, 48000}, {8192, 48000}, {8192, 44100}, {128, 192000}};

Test(pair_frames, a_change_of_period_or_rate_begins_an_epoch_at_that_cycle)
{
	enum { EACH = 10, SETTINGS = sizeof settings / sizeof settings[0] };
	struct stream s = begin(JP_PAIR_QUEUED);
	for (size_t i = 0; i < SETTINGS; i++) {
		s.nframes = settings[i].nframes;
		s.rate_hz = settings[i].rate_hz;
		run(&s, EACH);
	}
	finish(&s);
	cr_assert_eq(s.out.n, SETTINGS * EACH);
	for (size_t k = 0; k < s.out.n; k++) {
		const struct jp_cycle *c = &s.out.cycle[k];
		cr_expect_eq(c->epoch, 1 + k / EACH, "cycle %zu", k);
		cr_expect_eq(c->nframes, settings[k / EACH].nframes);
		cr_expect_eq(c->rate_hz, settings[k / EACH].rate_hz);
		cr_expect_eq((c->flags & JP_CYCLE_EPOCH) != 0, k % EACH == 0 && k > 0, "cycle %zu", k);
		cr_expect_eq(jp_cycle_end_ns(c), 100000, "cycle %zu", k);
	}
	cr_expect_eq(paired_lost(&s.out), 0);
	cr_expect_eq(paired_overruns(&s.out), 0);
	end(&s);
}

/* Cycles a hundred times faster in between */
Test(pair_frames, freewheel_cycles_are_marked_and_lose_nothing)
{
	struct stream s = begin(JP_PAIR_QUEUED);
	run(&s, 50);
	s.flags = JP_REC_FREEWHEEL;
	for (int i = 0; i < 500; i++) {
		uint64_t before = s.at_ns;
		run(&s, 1);
		s.at_ns = before + 101000;
	}
	s.flags = 0;
	s.frame += 77 * 128;
	s.at_ns += 3000000;
	run(&s, 50);
	finish(&s);
	cr_assert_eq(s.out.n, 600);
	cr_expect_eq(paired_flagged(&s.out, JP_CYCLE_FREEWHEEL), 500);
	cr_expect_eq(paired_flagged(&s.out, JP_CYCLE_NO_HEAD | JP_CYCLE_NO_TAIL), 0);
	cr_expect_eq(paired_overruns(&s.out), 0);
	cr_expect_eq(paired_lost(&s.out), 0);
	end(&s);
}

Test(pair_frames, a_restarted_server_goes_on_behind_the_last_frame)
{
	for (int new_server = 0; new_server < 2; new_server++) {
		struct stream s = begin(JP_PAIR_QUEUED);
		s.frame = 0x90000000;
		run(&s, 30);
		struct jp_pair_config config = {JP_PAIR_QUEUED, JP_WAKE_NOMINAL};
		jp_pair_break(s.pair, new_server ? &config : NULL);
		s.frame = 512;
		s.at_ns += 5000000000;
		s.flags = JP_REC_FIRST;
		run(&s, 1);
		s.flags = 0;
		run(&s, 29);
		finish(&s);
		cr_assert_eq(s.out.n, 60);
		cr_expect_eq(paired_lost(&s.out), 0);
		for (size_t k = 0; new_server && k < s.out.n; k++) {
			cr_expect_eq(s.out.cycle[k].frame, 0x90000000u + 128 * k, "cycle %zu", k);
			cr_expect_eq(s.out.cycle[k].epoch, 1);
		}
		cr_expect_eq(s.out.cycle[59].wake_source, new_server ? JP_WAKE_NOMINAL : JP_WAKE_DRIVER);
		end(&s);
	}
}

Test(pair_frames, a_break_parts_heads_and_tails)
{
	struct stream s = begin(JP_PAIR_QUEUED);
	run(&s, 30);
	struct jp_record head = head_now(&s); /* its tail is of another time */
	jp_pair_put(s.pair, &head, 1);
	jp_pair_break(s.pair, NULL);
	pass(&s, 5);
	run(&s, 30);
	finish(&s);
	cr_expect_eq(paired_overruns(&s.out), 0);
	cr_expect_eq(paired_flagged(&s.out, JP_CYCLE_LATE | JP_CYCLE_NO_HEAD), 0);
	cr_expect_eq(paired_lost(&s.out), 0, "the jump over a break is no loss");
	size_t last = s.out.n - 1;
	cr_expect_eq(s.out.cycle[last].frame, 64 * 128, "unwrapping goes on");
	cr_expect_eq(jp_cycle_end_ns(&s.out.cycle[last]), 100000);
	end(&s);
}

Test(pair_frames, a_suspend_marks_open_cycles_and_the_next)
{
	struct stream s = begin(JP_PAIR_QUEUED);
	run(&s, 30);
	size_t before = s.out.n;
	jp_pair_suspend(s.pair);
	s.at_ns += 3600000000000;
	s.frame += 1000 * 128;
	run(&s, 30);
	finish(&s);
	cr_assert_eq(s.out.n, 60);
	for (size_t k = 0; k < s.out.n; k++)
		cr_expect_eq((s.out.cycle[k].flags & JP_CYCLE_SUSPEND) != 0, k >= before && k <= 30, "cycle %zu", k);
	cr_expect_eq(paired_lost(&s.out), 0);
	cr_expect_eq(paired_overruns(&s.out), 0);
	end(&s);
}

Test(pair_frames, head_only_cycles_have_no_end_and_are_complete)
{
	struct stream s = begin(JP_PAIR_HEAD_ONLY);
	run(&s, 10);
	finish(&s);
	cr_assert_eq(s.out.n, 10);
	cr_expect_eq(paired_flagged(&s.out, ~0u), 0);
	const struct jp_cycle *c = &s.out.cycle[5];
	cr_expect_eq(c->end_ns, JP_NS_UNKNOWN);
	cr_expect_eq(c->tail_ns, JP_NS_UNKNOWN);
	cr_expect_eq(c->end_source, JP_END_UNKNOWN);
	cr_expect_eq(c->head_ns - c->wake_ns, 20000);
	cr_expect_eq(c->tail_cpu, -1);
	end(&s);
}

Test(pair_frames, a_cycle_has_all_that_its_records_say)
{
	struct stream s = begin(JP_PAIR_QUEUED);
	run(&s, 3);
	finish(&s);
	const struct jp_cycle *c = &s.out.cycle[0];
	cr_expect_eq(c->wake_ns, 1000000000);
	cr_expect_eq(c->nominal_ns, 999995000);
	cr_expect_eq(c->head_ns, 1000020000);
	cr_expect_eq(c->tail_ns, 1000100000);
	cr_expect_eq(c->end_ns, 1000100000);
	cr_expect_eq(c->wake_source, JP_WAKE_DRIVER);
	cr_expect_eq(c->end_source, JP_END_TAIL);
	cr_expect_eq(c->head_cpu, 3);
	cr_expect_eq(c->tail_cpu, 4);
	end(&s);
}

/* What the head could not learn: wake, nominal -> source, wake of the cycle; UINT64_MAX = as it is. */
static const struct {
	bool wake, nominal;
	enum jp_wake_source source;
} unknowns[] = {
	{true, true, JP_WAKE_DRIVER},
	{true, false, JP_WAKE_DRIVER},
	{false, true, JP_WAKE_FILTERED},
	{false, false, JP_WAKE_UNKNOWN},
};

Test(pair_frames, a_missing_wake_up_falls_back_and_says_so)
{
	for (size_t i = 0; i < sizeof unknowns / sizeof unknowns[0]; i++) {
		struct stream s = begin(JP_PAIR_QUEUED);
		for (int k = 0; k < 20; k++) {
			struct jp_record head = head_now(&s), tail = tail_now(&s);
			head.wake_us = unknowns[i].wake ? head.wake_us : 0;
			head.nominal_us = unknowns[i].nominal ? head.nominal_us : 0;
			jp_pair_put(s.pair, &tail, 1);
			jp_pair_put(s.pair, &head, 1);
			pass(&s, 1);
		}
		finish(&s);
		cr_assert_eq(s.out.n, 20);
		cr_expect_eq(paired_flagged(&s.out, ~0u), 0, "row %zu", i);
		const struct jp_cycle *c = &s.out.cycle[0];
		cr_expect_eq(c->wake_source, unknowns[i].source, "row %zu", i);
		cr_expect_eq(c->nominal_ns, unknowns[i].nominal ? 999995000 : JP_NS_UNKNOWN, "row %zu", i);
		cr_expect_eq(c->wake_ns,
			unknowns[i].wake      ? 1000000000
			: unknowns[i].nominal ? 999995000
					      : JP_NS_UNKNOWN,
			"row %zu", i);
		end(&s);
	}
}

/* More records than can wait: the oldest are handed out, none is lost on the way. */
Test(pair_frames, too_many_waiting_records_are_told_and_handed_out)
{
	enum { N = 70000 };
	struct stream s = begin(JP_PAIR_QUEUED);
	enum jp_status first = JP_OK, last = JP_OK;
	for (int k = 0; k < N; k++) {
		struct jp_record head = head_now(&s);
		last = jp_pair_put(s.pair, &head, 1);
		first = k == 1000 ? last : first;
		pass(&s, 1);
	}
	cr_expect_eq(first, JP_OK);
	cr_expect_eq(last, JP_FULL);
	finish(&s);
	cr_assert_geq(s.out.n, N - 1);
	cr_expect_eq(paired_flagged(&s.out, JP_CYCLE_NO_TAIL), s.out.n);
	for (size_t k = 0; k < s.out.n; k++)
		cr_assert_eq(s.out.cycle[k].frame, 128 * k);
	end(&s);
}
