/* From the rings to the windows. */
#include "intake.h"

#include "rt/xrun.h"
#include "sys/clock.h"
#include "timing/timing.h"

#include <math.h>
#include <stdlib.h>

enum { BATCH = 256 };

#define AHEAD_NS 1000000000LL /* a stamp so far in the future is not waited for; */
#define HELD_MAX 4096         /* nor is a window when so many cycles wait: none may be lost for it */

struct jp_intake {
	struct jp_intake_listener listener;
	struct jp_pair *pair;
	struct jp_ends *ends;
	struct jp_times *distrusted; /* server timing that has contradicted us */
	struct jp_window *window, *total;
	struct jp_hist *cost[2];
	uint32_t generation;
	uint64_t dropped_seen; /* of the attachment at hand */
	int64_t unix_minus_jack_ns, jack_minus_mono_ns;
	int64_t now_ns;       /* JACK's clock at the last poll */
	int64_t limit_ns;     /* CLOCK_MONOTONIC; cycles from there on are not counted yet */
	clockid_t clock;      /* JACK's */
	size_t waiting;       /* cycles in ends */
	double told_delay_us; /* by the server, with its last notification */
	uint64_t endless;     /* cycles with a call of the tail, or without a tail, whose end is not known */
	bool clock_known, freewheel, settled, any;
	struct jp_cycle last;
	bool fresh; /* it is of the present attachment */
	struct jp_cpu_tally cpus;
	struct jp_record batch[BATCH];
};

struct jp_intake *jp_intake_new(const struct jp_intake_listener *listener)
{
	struct jp_intake *in = calloc(1, sizeof *in);
	if (!in)
		return NULL;
	in->listener = *listener;
	in->limit_ns = JP_NS_UNKNOWN;
	in->window = jp_window_new();
	in->total = jp_window_new();
	in->cost[JP_HEAD] = jp_hist_new();
	in->cost[JP_TAIL] = jp_hist_new();
	in->pair = jp_pair_new(&(struct jp_pair_config){.mode = JP_PAIR_QUEUED, .wake_source = JP_WAKE_DRIVER});
	in->ends = jp_ends_new();
	if (!in->ends || !in->window || !in->total || !in->cost[JP_HEAD] || !in->cost[JP_TAIL] || !in->pair) {
		jp_intake_free(in);
		return NULL;
	}
	return in;
}

void jp_intake_free(struct jp_intake *in)
{
	if (!in)
		return;
	jp_window_free(in->window);
	jp_window_free(in->total);
	jp_hist_free(in->cost[JP_HEAD]);
	jp_hist_free(in->cost[JP_TAIL]);
	jp_pair_free(in->pair);
	jp_ends_free(in->ends);
	free(in);
}

static int64_t to_unix(const struct jp_intake *in, int64_t jack_ns)
{
	return in->clock_known && jack_ns != JP_NS_UNKNOWN ? jack_ns + in->unix_minus_jack_ns : -1;
}

/* Lost, unpaired or idle ones are counted elsewhere. */
static bool is_endless(const struct jp_cycle *c)
{
	const unsigned apart = JP_CYCLE_FREEWHEEL | JP_CYCLE_SUSPEND | JP_CYCLE_NO_HEAD | JP_CYCLE_NO_TAIL;
	return c->end_ns == JP_NS_UNKNOWN && !(c->flags & apart);
}

/* A cycle that was called late, or not wholly, has sources of its own: they stand in its row, the others' are the window's. */
static void note_last(struct jp_intake *in, const struct jp_cycle *cycle)
{
	struct jp_cycle before = in->last;
	in->last = *cycle;
	if (in->fresh && cycle->flags & (JP_CYCLE_LATE | JP_CYCLE_NO_TAIL)) {
		in->last.wake_source = before.wake_source;
		in->last.end_source = before.end_source;
	}
	in->any = in->fresh = true;
}

static void count_cycle(struct jp_intake *in, const struct jp_cycle *cycle, const struct jp_exec_cycle *execs)
{
	int64_t unix_ns = to_unix(in, cycle->wake_ns);
	if (in->any && cycle->epoch != in->last.epoch) {
		in->listener.epoch(in->listener.arg, cycle, &in->last);
		jp_window_new_epoch(in->total);
	}
	in->endless += is_endless(cycle);
	jp_window_add(in->window, cycle, unix_ns);
	jp_window_add(in->total, cycle, unix_ns);
	if (!(cycle->flags & JP_CYCLE_NO_HEAD)) /* a tail alone does not know the rate */
		note_last(in, cycle);
	in->listener.cycle(in->listener.arg, cycle, execs, unix_ns);
}

void jp_intake_limit(struct jp_intake *in, int64_t mono_ns)
{
	in->limit_ns = mono_ns;
}

bool jp_intake_reached(const struct jp_intake *in)
{
	int64_t first = jp_ends_first_ns(in->ends);
	if (first == JP_NS_UNKNOWN || in->limit_ns == JP_NS_UNKNOWN)
		return false;
	bool ahead = first > in->now_ns + AHEAD_NS;
	return first - in->jack_minus_mono_ns >= in->limit_ns && !ahead && in->waiting < HELD_MAX;
}

static void take_cycles(struct jp_intake *in, bool flush)
{
	struct jp_cycle cycle;
	const struct jp_exec_cycle *execs;
	while (jp_pair_next(in->pair, &cycle, flush)) {
		jp_ends_put(in->ends, &cycle);
		in->waiting++;
	}
	while ((flush || !jp_intake_reached(in)) && jp_ends_next(in->ends, flush, &cycle, &execs)) {
		in->waiting--;
		count_cycle(in, &cycle, execs);
	}
}

/* Take what the server has recorded up to now_ns. */
static void take_executions(struct jp_intake *in, int64_t now_ns)
{
	struct jp_why why;
	struct jp_times *timing = jp_ends_timing(in->ends);
	if (jp_ends_poll(in->ends, now_ns, &why) != JP_BAD_DATA)
		return;
	in->distrusted = timing;
	in->listener.timing_off(in->listener.arg, why.text);
}

/* Server timing may come after a freewheel only, and goes with the attachment. */
static void use_timing(struct jp_intake *in, struct jp_times *timing, int64_t now_ns)
{
	if (timing == in->distrusted)
		timing = NULL;
	if (timing == jp_ends_timing(in->ends))
		return;
	take_cycles(in, true);
	jp_ends_use(in->ends, timing, now_ns);
}

static void note_records(struct jp_intake *in, const struct jp_record *records, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct jp_record *r = &records[i];
		if (r->cost_ns)
			jp_hist_add(in->cost[r->role], r->cost_ns);
		jp_cpu_tally_add(&in->cpus, (enum jp_role)r->role, r->cpu);
		in->freewheel = r->flags & JP_REC_FREEWHEEL;
	}
}

static size_t drain(struct jp_intake *in, struct jp_ring *ring, bool keep)
{
	size_t taken = 0, n;
	while (ring && (n = jp_ring_take(ring, in->batch, BATCH)) > 0) {
		note_records(in, in->batch, n);
		if (keep)
			jp_pair_put(in->pair, in->batch, n);
		jp_ends_records(in->ends, in->batch, n);
		taken += n;
		if (n < BATCH) /* what comes in meanwhile is the next poll's */
			break;
	}
	return taken;
}

/* The server tells its last delay again when a client was late (measured on jackd2: 23.0 us, many times over). Two true
 * delays are never the same to the last digit. */
static double believable_delay(struct jp_intake *in, double delay_us)
{
	bool stale = delay_us == in->told_delay_us; // NOLINT: the very same number is meant
	in->told_delay_us = delay_us;
	return !stale && isfinite(delay_us) && delay_us > 0 && delay_us < 60e6 ? delay_us : NAN;
}

static void drain_xruns(struct jp_intake *in, struct jp_ring *ring)
{
	struct jp_xrun x;
	while (ring && jp_ring_take(ring, &x, 1) == 1) {
		double delay_us = believable_delay(in, x.delay_us);
		jp_window_xrun(in->window, delay_us);
		jp_window_xrun(in->total, delay_us);
		in->listener.xrun(in->listener.arg, delay_us, to_unix(in, (int64_t)x.at_ns));
	}
}

/* @return true when records were lost since the last poll. */
static bool count_dropped(struct jp_intake *in, const struct jp_attachment *a)
{
	uint64_t dropped =
		jp_ring_dropped(a->head) + (a->tail ? jp_ring_dropped(a->tail) : 0) + jp_ring_dropped(a->xruns);
	uint64_t more = dropped - in->dropped_seen;
	if (more) {
		jp_window_dropped(in->window, more);
		jp_window_dropped(in->total, more);
		jp_ends_gap(in->ends);
	}
	in->dropped_seen = dropped;
	return more > 0;
}

static void switch_to(struct jp_intake *in, const struct jp_attachment *a)
{
	jp_pair_break(in->pair, &(struct jp_pair_config){.mode = a->pair_mode, .wake_source = a->wake_source});
	take_cycles(in, true);
	jp_ends_use(in->ends, NULL, 0);
	in->distrusted = NULL;
	in->generation = a->generation;
	in->dropped_seen = 0;
	in->freewheel = in->settled = in->fresh = false;
}

size_t jp_intake_poll(
	struct jp_intake *in, const struct jp_attachment *attachment, bool settled, struct jp_times *timing)
{
	if (!attachment)
		return 0;
	if (attachment->generation != in->generation)
		switch_to(in, attachment);
	in->unix_minus_jack_ns = jp_clock_now(CLOCK_REALTIME) - jp_clock_now(attachment->clock);
	in->clock_known = true;
	in->clock = attachment->clock;
	int64_t now_ns = jp_clock_now(attachment->clock);
	in->jack_minus_mono_ns = now_ns - jp_clock_now(CLOCK_MONOTONIC);
	in->now_ns = now_ns;
	use_timing(in, settled ? timing : jp_ends_timing(in->ends), now_ns);
	/* The tail first: every tail record's head is then in the head's ring, see pair.h. */
	size_t taken = drain(in, attachment->tail, in->settled);
	taken += drain(in, attachment->head, in->settled);
	if (settled != in->settled)
		jp_pair_break(in->pair, NULL);
	in->settled = settled;
	drain_xruns(in, attachment->xruns);
	bool dropped = count_dropped(in, attachment);
	take_executions(in, now_ns);
	take_cycles(in, false);
	if (dropped) /* what follows stands beside a gap of ours: neither lost cycles nor late tails */
		jp_pair_break(in->pair, NULL);
	return taken;
}

struct jp_times *jp_intake_timing(const struct jp_intake *in)
{
	return jp_ends_timing(in->ends);
}

bool jp_intake_waits(struct jp_intake *in)
{
	struct jp_cycle cycle;
	if (!jp_intake_timing(in))
		return false;
	while (jp_pair_next(in->pair, &cycle, true)) {
		jp_ends_put(in->ends, &cycle);
		in->waiting++;
	}
	take_executions(in, jp_clock_now(in->clock));
	take_cycles(in, false);
	return in->waiting > 1; /* the wake-up after the last one is not known */
}

void jp_intake_flush(struct jp_intake *in)
{
	struct jp_cycle cycle;
	const struct jp_exec_cycle *execs;
	struct jp_times *timing = jp_intake_timing(in);
	/* Of the last one nobody will tell more: its tail's call may be the cycle's before. */
	if (timing && in->waiting == 1 && jp_ends_next(in->ends, true, &cycle, &execs)) {
		in->waiting = 0;
		if (execs)
			count_cycle(in, &cycle, execs);
	}
	take_cycles(in, true);
}

void jp_intake_suspend(struct jp_intake *in)
{
	jp_pair_suspend(in->pair);
}

bool jp_intake_freewheeling(const struct jp_intake *in)
{
	return in->freewheel;
}

bool jp_intake_measured(const struct jp_intake *in)
{
	return in->any;
}

const struct jp_cycle *jp_intake_last(const struct jp_intake *in)
{
	return in->fresh ? &in->last : NULL;
}

void jp_intake_spans(const struct jp_intake *in, struct jp_span *window, struct jp_span *total)
{
	jp_window_span(in->window, window);
	jp_window_span(in->total, total);
}

void jp_intake_next_window(struct jp_intake *in)
{
	jp_window_reset(in->window);
	jp_cpu_tally_next_window(&in->cpus);
}

const struct jp_cpu_tally *jp_intake_cpus(const struct jp_intake *in)
{
	return &in->cpus;
}

const struct jp_hist *jp_intake_cost(const struct jp_intake *in, enum jp_role role)
{
	return in->cost[role];
}

uint64_t jp_intake_endless(const struct jp_intake *in)
{
	return in->endless;
}

struct jp_ends_missing jp_intake_missing(const struct jp_intake *in)
{
	return jp_ends_missing(in->ends);
}

uint64_t jp_intake_resyncs(const struct jp_intake *in)
{
	return jp_pair_resyncs(in->pair);
}
