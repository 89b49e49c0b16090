/* Exact ends and executions of cycles. */
#include "ends.h"

#include "collect/complete.h"
#include "collect/exec_check.h"
#include "collect/fifo.h"

#include <stdlib.h>
#include <string.h>

enum {
	WAITING_MAX = 8192,
	BATCH = 512,
};
#define PATIENCE_NS 500000000 /* for an execution to end */
#define BOUND_NS 1000000000   /* no cycle waits longer here, whatever it waits for */
#define CHECK_LAG_NS 100000000

struct waiting {
	struct jp_cycle cycle;
	int64_t since_ns; /* JACK's clock: put in after the poll of that time */
};

struct jp_ends {
	struct jp_times *timing;
	struct jp_exec_merge *merge;
	struct jp_exec_check check;
	struct jp_exec_cycle set; /* the youngest set of executions taken from merge */
	bool have_set;
	bool melted;    /* the cycle before was late or without a call of the tail: PipeWire's counts may have melted */
	bool behind;    /* the cycle before began more than a period after its date */
	bool freewheel; /* the cycle put in last was */
	int64_t now_ns, since_ns;
	int64_t period_ns, dispatch_ns; /* of the cycles put lately */
	uint64_t dropped;               /* of this record */
	struct jp_ends_missing missing; /* of the records before, and all looks */
	struct jp_fifo waiting;         /* struct waiting */
	struct jp_complete complete;
	struct jp_blame_cable cables[JP_COMPLETE_CABLES];
	struct jp_exec batch[BATCH];
};

struct jp_ends *jp_ends_new(void)
{
	struct jp_ends *e = calloc(1, sizeof *e);
	if (!e)
		return NULL;
	e->merge = jp_exec_merge_new(PATIENCE_NS);
	if (jp_fifo_init(&e->waiting, WAITING_MAX, sizeof(struct waiting)) && e->merge)
		return e;
	jp_ends_free(e);
	return NULL;
}

void jp_ends_free(struct jp_ends *e)
{
	if (!e)
		return;
	jp_exec_merge_free(e->merge);
	jp_fifo_free(&e->waiting);
	free(e);
}

static void set_role(struct jp_exec_merge *m, int32_t ref, enum jp_exec_role role)
{
	if (ref >= 0)
		jp_exec_merge_role(m, ref, role);
}

void jp_ends_use(struct jp_ends *e, struct jp_times *timing, int64_t now_ns)
{
	if (timing == e->timing)
		return;
	struct jp_exec_merge *fresh = timing ? jp_exec_merge_new(PATIENCE_NS) : NULL;
	e->timing = fresh ? timing : NULL;
	e->have_set = false;
	jp_exec_check_reports(&e->check, fresh && jp_timing_tells_wake(timing));
	if (!fresh)
		return;
	e->missing.executions += jp_exec_merge_lost(e->merge);
	jp_exec_merge_free(e->merge);
	e->merge = fresh;
	e->dropped = jp_timing_dropped(timing);
	e->since_ns = now_ns;
	memset(&e->complete, 0, sizeof e->complete);
	struct jp_timing_refs refs = jp_timing_refs(timing);
	if (jp_timing_tells_wake(timing))
		jp_exec_merge_reports(fresh);
	set_role(fresh, refs.head, JP_EXEC_HEAD);
	set_role(fresh, refs.tail, JP_EXEC_TAIL);
	set_role(fresh, refs.hardware, JP_EXEC_NOBODY);
	set_role(fresh, refs.driver, JP_EXEC_DRIVER);
}

struct jp_times *jp_ends_timing(const struct jp_ends *e)
{
	return e->timing;
}

void jp_ends_records(struct jp_ends *e, const struct jp_record *records, size_t n)
{
	size_t old = 0;
	while (old < n && (int64_t)records[old].entry_ns < e->since_ns)
		old++;
	if (e->timing)
		jp_exec_check_put(&e->check, records + old, n - old);
}

void jp_ends_gap(struct jp_ends *e)
{
	jp_exec_check_gap(&e->check);
}

static int64_t later_of(int64_t a, int64_t b)
{
	return a > b ? a : b; /* unknown is the smallest */
}

static void note_shape(struct jp_ends *e, const struct jp_cycle *cycle)
{
	int64_t dispatch = jp_ns_between(cycle->wake_ns, cycle->head_ns);
	e->period_ns = jp_cycle_period_ns(cycle);
	jp_exec_merge_period(e->merge, e->period_ns);
	if (dispatch >= 0 && dispatch < e->period_ns)
		e->dispatch_ns += (dispatch - e->dispatch_ns) / 8;
}

void jp_ends_put(struct jp_ends *e, const struct jp_cycle *cycle)
{
	if (e->waiting.count == WAITING_MAX)
		jp_fifo_drop(&e->waiting, 1); /* cannot be: cycles wait for a second at most */
	*(struct waiting *)jp_fifo_push(&e->waiting) = (struct waiting){*cycle, later_of(cycle->wake_ns, e->now_ns)};
	bool plain = cycle->wake_ns != JP_NS_UNKNOWN && cycle->head_ns != JP_NS_UNKNOWN;
	bool freewheel = cycle->flags & JP_CYCLE_FREEWHEEL;
	/* The first of a freewheel is where the cycle before it ends. */
	if (e->timing && plain && !(freewheel && e->freewheel))
		jp_exec_merge_wake(e->merge, cycle->wake_ns, cycle->head_ns);
	e->freewheel = freewheel;
	if (plain && !freewheel)
		note_shape(e, cycle);
}

/* What comes after a hole in the looks cannot be held against our stamps at once. */
static void note_dropped(struct jp_ends *e)
{
	uint64_t dropped = jp_timing_dropped(e->timing);
	if (dropped != e->dropped)
		jp_exec_check_gap(&e->check);
	e->missing.looks += dropped - e->dropped;
	e->dropped = dropped;
}

struct jp_ends_missing jp_ends_missing(const struct jp_ends *e)
{
	struct jp_ends_missing all = e->missing;
	all.executions += jp_exec_merge_lost(e->merge);
	return all;
}

/* PipeWire's are known of clients only, not of the tail. */
static void note_cables(struct jp_ends *e)
{
	bool pipewire = jp_timing_tells_wake(e->timing);
	size_t who = pipewire ? jp_complete_who(&e->complete, e->batch, BATCH) : 0;
	int64_t n = jp_timing_cables(e->timing, e->batch, who, e->cables, JP_COMPLETE_CABLES);
	if (pipewire)
		jp_complete_order(&e->complete, e->cables, n < 0 ? 0 : (size_t)n);
	else
		jp_complete_cables(
			&e->complete, n < 0 ? NULL : e->cables, n < 0 ? 0 : (size_t)n, jp_timing_refs(e->timing).tail);
}

/* Where somebody ends behind the tail, or there is no tail, our callbacks alone would miss ends. */
static void ask_for_looks(struct jp_ends *e)
{
	bool covered = jp_complete_covered(&e->complete);
	jp_timing_look_twice(e->timing, covered || e->period_ns < 0 ? 0 : e->period_ns, e->dispatch_ns);
}

enum jp_status jp_ends_poll(struct jp_ends *e, int64_t now_ns, struct jp_why *why)
{
	size_t n;
	e->now_ns = now_ns;
	if (!e->timing)
		return JP_OK;
	note_dropped(e);
	int64_t horizon = jp_timing_horizon(e->timing, now_ns);
	if (horizon == JP_NS_UNKNOWN)
		return JP_OK;
	while ((n = jp_timing_take(e->timing, e->batch, BATCH)) > 0) {
		jp_exec_merge_put(e->merge, e->batch, n);
		if (n < BATCH)
			break;
	}
	jp_exec_merge_advance(e->merge, horizon);
	note_cables(e);
	ask_for_looks(e);
	enum jp_status status = jp_exec_check_run(&e->check, e->merge, horizon - CHECK_LAG_NS, why);
	if (status == JP_BAD_DATA) {
		jp_timing_stop(e->timing);
		jp_ends_use(e, NULL, now_ns);
	}
	return status;
}

/* When the tail was released: by the last client it waits for. */
static int64_t tail_release(const struct jp_ends *e, const struct jp_cycle *c)
{
	struct jp_exec tail;
	bool known = c->tail_ns != JP_NS_UNKNOWN && jp_exec_merge_during(e->merge, JP_EXEC_TAIL, c->tail_ns, &tail) &&
		     tail.signalled_ns != JP_NS_UNKNOWN && tail.signalled_ns >= c->wake_ns;
	return known ? tail.signalled_ns : JP_NS_UNKNOWN;
}

/* When all is known, the last finish is the end; what a late cycle's tail was released by may be the next cycle's. PipeWire releases
 * some 20 us after the end. */
static int64_t end_of(struct jp_ends *e, const struct jp_cycle *c, enum jp_known known)
{
	int64_t last = e->set.last_finish_ns, release = tail_release(e, c);
	bool exact = last != JP_NS_UNKNOWN && ((c->flags & JP_CYCLE_LATE) || jp_timing_tells_wake(e->timing));
	if (known == JP_KNOWN_ALL && (exact || jp_timing_refs(e->timing).tail < 0))
		return last;
	/* A release may be the next cycle's; who was missing ended with what he did next. */
	int64_t missing = e->complete.missing_ns;
	if (known == JP_KNOWN_TAIL && missing != JP_NS_UNKNOWN && missing < release)
		release = missing;
	return release == JP_NS_UNKNOWN ? JP_NS_UNKNOWN : later_of(last, release);
}

/* Somebody may have ended later than anything that is known. */
static void forget_end(struct jp_cycle *c)
{
	c->end_ns = JP_NS_UNKNOWN;
	c->end_source = JP_END_UNKNOWN;
}

/* PipeWire's driver makes up for a long delay with one release after another, much faster than periods, and does not report all of
 * them: which of them was which date's, after the first, nobody tells. @return false: so it is with this cycle. */
static bool take_release(struct jp_ends *e, struct jp_cycle *c)
{
	int64_t began = e->set.released_ns != JP_NS_UNKNOWN ? e->set.released_ns : c->head_ns;
	bool before = e->behind;
	e->behind = began - c->wake_ns > jp_cycle_period_ns(c);
	if (e->behind && before) {
		c->wake_ns = JP_NS_UNKNOWN;
		c->wake_source = JP_WAKE_UNKNOWN;
		return false;
	}
	if (e->set.released_ns != JP_NS_UNKNOWN) {
		c->wake_ns = e->set.released_ns;
		c->wake_source = JP_WAKE_DRIVER;
	}
	return true;
}

/* @return false: it is not known when the cycle began. */
static bool give_end(struct jp_ends *e, struct jp_cycle *c)
{
	int64_t release = tail_release(e, c);
	enum jp_known known =
		jp_complete_cycle(&e->complete, &e->set, release != JP_NS_UNKNOWN ? release : c->tail_ns, e->merge);
	int64_t end = end_of(e, c, known);
	if (jp_timing_tells_wake(e->timing) && !take_release(e, c)) {
		forget_end(c);
		return false;
	}
	if (known == JP_KNOWN_TAIL && jp_timing_tells_wake(e->timing) && e->melted)
		known = JP_KNOWN_NOT; /* the tail may have been let go by what was left of the cycle before */
	if (known == JP_KNOWN_NOT) {
		/* Late for certain all the same, when what is known was. */
		end = jp_ns_between(c->wake_ns, e->set.last_finish_ns) > jp_cycle_period_ns(c) ? e->set.last_finish_ns
											       : JP_NS_UNKNOWN;
		if (end == JP_NS_UNKNOWN) {
			forget_end(c);
			return true;
		}
	}
	if (end == JP_NS_UNKNOWN) /* the tail's entry stands, unless somebody is known to have ended after it */
		end = e->set.last_finish_ns > c->end_ns ? e->set.last_finish_ns : JP_NS_UNKNOWN;
	if (end == JP_NS_UNKNOWN)
		return true;
	c->end_ns = end;
	c->end_source = JP_END_SERVER;
	if (jp_timing_refs(e->timing).tail < 0)
		c->flags &= (uint16_t)~JP_CYCLE_NO_TAIL;
	return true;
}

/* Is the set of executions of this wake-up there? */
static bool reach(struct jp_ends *e, int64_t wake_ns)
{
	while (!e->have_set || e->set.wake_ns < wake_ns) {
		if (!jp_exec_merge_next(e->merge, &e->set))
			return false;
		e->have_set = true;
	}
	return true;
}

int64_t jp_ends_first_ns(const struct jp_ends *e)
{
	if (!e->waiting.count)
		return JP_NS_UNKNOWN;
	const struct jp_cycle *c = &((const struct waiting *)jp_fifo_at(&e->waiting, 0))->cycle;
	return c->head_ns != JP_NS_UNKNOWN ? c->head_ns : c->tail_ns;
}

bool jp_ends_next(struct jp_ends *e, bool flush, struct jp_cycle *out, const struct jp_exec_cycle **execs)
{
	*execs = NULL;
	if (!e->waiting.count)
		return false;
	struct waiting *w = jp_fifo_at(&e->waiting, 0);
	struct jp_cycle *c = &w->cycle;
	bool plain = c->wake_ns != JP_NS_UNKNOWN && c->head_ns != JP_NS_UNKNOWN && !(c->flags & JP_CYCLE_FREEWHEEL);
	if (e->timing && plain) {
		if (!reach(e, c->wake_ns) && !flush && e->now_ns - w->since_ns < BOUND_NS)
			return false;
		if (e->have_set && e->set.wake_ns == c->wake_ns) {
			uint16_t flags = c->flags;
			if (give_end(e, c))
				*execs = &e->set;
			e->melted = flags & (JP_CYCLE_NO_TAIL | JP_CYCLE_LATE);
		} else if (!jp_complete_covered(&e->complete)) {
			forget_end(c);
		}
	}
	*out = *c;
	jp_fifo_drop(&e->waiting, 1);
	return true;
}
