/* Statistics of cycles. */
#include <jackprobe/window.h>

#include <math.h>
#include <stdlib.h>

struct jp_window {
	struct jp_hist *cycle_end, *dispatch, *tail_hop;
	struct jp_shist *lateness;
	struct jp_counts counts;
	double xrun_delay_max_us; /* NaN = none that can be believed */
	int64_t period_ns;        /* of the epoch; JP_NS_UNKNOWN until a cycle came */
	int64_t worst_end_ns;     /* JP_NS_UNKNOWN = none */
	int64_t worst_unix_ns;
	uint64_t worst_frame;
};

static void forget_scalars(struct jp_window *w)
{
	w->period_ns = JP_NS_UNKNOWN;
	w->worst_end_ns = JP_NS_UNKNOWN;
	w->worst_unix_ns = -1;
	w->worst_frame = 0;
}

static void forget_counts(struct jp_window *w)
{
	w->counts = (struct jp_counts){0};
	w->xrun_delay_max_us = NAN;
}

struct jp_window *jp_window_new(void)
{
	struct jp_window *w = calloc(1, sizeof *w);
	if (!w)
		return NULL;
	w->cycle_end = jp_hist_new();
	w->dispatch = jp_hist_new();
	w->tail_hop = jp_hist_new();
	w->lateness = jp_shist_new();
	if (!w->cycle_end || !w->dispatch || !w->tail_hop || !w->lateness) {
		jp_window_free(w);
		return NULL;
	}
	forget_scalars(w);
	forget_counts(w);
	return w;
}

void jp_window_free(struct jp_window *w)
{
	if (!w)
		return;
	jp_hist_free(w->cycle_end);
	jp_hist_free(w->dispatch);
	jp_hist_free(w->tail_hop);
	jp_shist_free(w->lateness);
	free(w);
}

void jp_window_reset(struct jp_window *w)
{
	jp_window_new_epoch(w);
	forget_counts(w);
}

void jp_window_new_epoch(struct jp_window *w)
{
	jp_hist_reset(w->cycle_end);
	jp_hist_reset(w->dispatch);
	jp_hist_reset(w->tail_hop);
	jp_shist_reset(w->lateness);
	forget_scalars(w);
}

/* True when the cycle has been dealt with: it enters no distribution. */
static bool only_counted(struct jp_window *w, const struct jp_cycle *cycle)
{
	if (cycle->flags & JP_CYCLE_FREEWHEEL) {
		w->counts.freewheel++;
		return true;
	}
	if (cycle->flags & JP_CYCLE_SUSPEND)
		return true;
	w->counts.lost += cycle->lost;
	bool no_end = cycle->tail_ns == JP_NS_UNKNOWN && cycle->end_source != JP_END_SERVER;
	if (no_end || cycle->flags & JP_CYCLE_NO_HEAD) {
		w->counts.incomplete++;
		return true;
	}
	return false;
}

static void add_end(struct jp_window *w, const struct jp_cycle *cycle, int64_t end_ns, int64_t unix_ns)
{
	jp_hist_add(w->cycle_end, end_ns);
	if (end_ns <= w->worst_end_ns)
		return;
	w->worst_end_ns = end_ns;
	w->worst_unix_ns = unix_ns;
	w->worst_frame = cycle->frame;
}

void jp_window_add(struct jp_window *w, const struct jp_cycle *cycle, int64_t unix_ns)
{
	if (only_counted(w, cycle))
		return;
	w->counts.cycles++;
	w->counts.overruns += jp_cycle_overran(cycle);
	w->period_ns = jp_cycle_period_ns(cycle);
	int64_t end = jp_cycle_end_ns(cycle);
	if (end != JP_NS_UNKNOWN)
		add_end(w, cycle, end, unix_ns);
	int64_t dispatch = jp_ns_between(cycle->wake_ns, cycle->head_ns);
	if (dispatch != JP_NS_UNKNOWN)
		jp_hist_add(w->dispatch, dispatch);
	int64_t lateness = jp_ns_between(cycle->nominal_ns, cycle->wake_ns);
	if (lateness != JP_NS_UNKNOWN && cycle->wake_source == JP_WAKE_DRIVER)
		jp_shist_add(w->lateness, lateness);
	int64_t hop = jp_ns_between(cycle->end_ns, cycle->tail_ns);
	if (hop >= 0 && cycle->end_source ==
				JP_END_SERVER) /* the tail does not wait for all clients; unknown is the smallest */
		jp_hist_add(w->tail_hop, hop);
}

static void keep_larger_delay(struct jp_window *w, double delay_us)
{
	w->xrun_delay_max_us = fmax(w->xrun_delay_max_us, delay_us); /* fmax ignores a NaN */
}

void jp_window_xrun(struct jp_window *w, double delay_us)
{
	w->counts.xruns++;
	if (isfinite(delay_us) && delay_us > 0 && delay_us < 60e6)
		keep_larger_delay(w, delay_us);
}

void jp_window_dropped(struct jp_window *w, uint64_t n)
{
	w->counts.dropped += (int64_t)n;
}

static void merge_counts(struct jp_counts *into, const struct jp_counts *from)
{
	into->cycles += from->cycles;
	into->overruns += from->overruns;
	into->lost += from->lost;
	into->incomplete += from->incomplete;
	into->xruns += from->xruns;
	into->dropped += from->dropped;
	into->freewheel += from->freewheel;
}

void jp_window_merge(struct jp_window *into, const struct jp_window *from)
{
	jp_hist_merge(into->cycle_end, from->cycle_end);
	jp_hist_merge(into->dispatch, from->dispatch);
	jp_hist_merge(into->tail_hop, from->tail_hop);
	jp_shist_merge(into->lateness, from->lateness);
	merge_counts(&into->counts, &from->counts);
	keep_larger_delay(into, from->xrun_delay_max_us);
	if (from->period_ns != JP_NS_UNKNOWN)
		into->period_ns = from->period_ns;
	if (from->worst_end_ns > into->worst_end_ns) {
		into->worst_end_ns = from->worst_end_ns;
		into->worst_unix_ns = from->worst_unix_ns;
		into->worst_frame = from->worst_frame;
	}
}

/* All cycles have the same period: the extremes of load and headroom are those of the cycle end. */
static void span_of_period(const struct jp_window *w, struct jp_span *out)
{
	if (w->period_ns == JP_NS_UNKNOWN)
		return;
	double period_us = (double)w->period_ns / 1000;
	out->worst.period_us = period_us;
	out->headroom_min_us = period_us - out->cycle_end.max_us;
	out->load_p50_pct = 100 * out->cycle_end.p50_us / period_us;
	out->load_max_pct = 100 * out->cycle_end.max_us / period_us;
}

void jp_window_span(const struct jp_window *w, struct jp_span *out)
{
	jp_span_unknown(out);
	out->counts = w->counts;
	out->xrun_delay_max_us = w->xrun_delay_max_us;
	jp_dist_of(w->cycle_end, &out->cycle_end);
	jp_dist_of(w->dispatch, &out->dispatch);
	jp_dist_of(w->tail_hop, &out->tail_hop);
	jp_dist_of_signed(w->lateness, &out->lateness);
	if (w->worst_end_ns == JP_NS_UNKNOWN)
		return;
	out->worst.end_us = (double)w->worst_end_ns / 1000;
	out->worst.unix_ns = w->worst_unix_ns;
	out->worst.frame = w->worst_frame;
	span_of_period(w, out);
}

const struct jp_hist *jp_window_cycle_end(const struct jp_window *w)
{
	return w->cycle_end;
}
