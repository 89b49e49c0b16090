/* Gives tails to heads.
 *
 * Heads are opened one after the other. The interval of a head lasts from its wake-up to the next one's; a tail is looked
 * at when it is known in which interval it ran, that is when the next head is known. An interval is closed when a later
 * tail shows that no more can come. Open cycles with a tail stand before those without. */
#include "match.h"

enum {
	TAILLESS_MAX = 3072, /* heads that wait while no tail comes at all */
	RESYNC_TAILS = 64,   /* so many tails in a row must say that one was lost */
	RESYNC_AT_END = 16,  /* the same, when no more records come */
};
static const int64_t PATIENCE_NS = 2000000000; /* how long a record waits for its counterpart */
static const int64_t RESYNC_NS = 250000000;    /* time for an xrun's notification to arrive */

enum step { STEP_AGAIN, STEP_OUT, STEP_WAIT };

static struct jp_open *open_at(const struct jp_pair *p, size_t i)
{
	return jp_fifo_at(&p->open, i);
}

static struct jp_open *present(const struct jp_pair *p)
{
	return open_at(p, p->open.count - 1);
}

/* Did the tail run before this head's wake-up? A raw wake-up is exact; else the frame that the tail saw decides, unless
 * the counter jumped between the two. */
static bool precedes(const struct jp_record *tail, const struct jp_open *head)
{
	const struct jp_cycle *c = &head->cycle;
	int32_t frames = (int32_t)(tail->frame - head->raw);
	bool near = frames > -10 * (int64_t)c->rate_hz && frames < 10 * (int64_t)c->rate_hz;
	if (c->wake_source != JP_WAKE_DRIVER && near)
		return frames < 0;
	return (int64_t)tail->entry_ns < (c->wake_ns == JP_NS_UNKNOWN ? c->head_ns : c->wake_ns);
}

/* --- handing out --- */

static void count_resync(struct jp_pair *p)
{
	p->resyncs++;
	p->resynced = true;
}

static void finish(struct jp_pair *p, struct jp_cycle *c)
{
	if (p->config.mode == JP_PAIR_HEAD_ONLY)
		return;
	if (c->tail_ns == JP_NS_UNKNOWN) {
		c->flags |= JP_CYCLE_NO_TAIL;
		return;
	}
	c->end_ns = c->tail_ns;
	c->end_source = JP_END_TAIL;
	if (c->wake_ns != JP_NS_UNKNOWN && c->wake_ns > c->tail_ns) { /* an estimate that cannot be right */
		c->wake_ns = JP_NS_UNKNOWN;
		c->wake_source = JP_WAKE_UNKNOWN;
	}
	if (p->resynced)
		c->flags |= JP_CYCLE_RESYNC;
	p->resynced = false;
	p->synced = true;
}

static void hand_out_oldest(struct jp_pair *p, struct jp_cycle *out)
{
	*out = open_at(p, 0)->cycle;
	finish(p, out);
	jp_fifo_drop(&p->open, 1);
	p->ready--;
	p->held -= p->held > 0;
	p->out_frame = out->frame;
	p->out_epoch = out->epoch;
}

static uint64_t frame_of_tail(const struct jp_pair *p, const struct jp_record *tail)
{
	const struct jp_open *near = p->has_next ? &p->next : p->open.count ? present(p) : NULL;
	if (!near)
		return p->heads.seen ? p->out_frame : tail->frame;
	int64_t frame = (int64_t)near->cycle.frame + (int32_t)(tail->frame - near->raw);
	return frame > (int64_t)p->out_frame ? (uint64_t)frame : p->out_frame;
}

static enum step hand_out_tail(struct jp_pair *p, const struct jp_record *tail, struct jp_cycle *out)
{
	*out = (struct jp_cycle){
		.frame = frame_of_tail(p, tail),
		.wake_ns = JP_NS_UNKNOWN,
		.nominal_ns = JP_NS_UNKNOWN,
		.head_ns = JP_NS_UNKNOWN,
		.tail_ns = (int64_t)tail->entry_ns,
		.end_ns = (int64_t)tail->entry_ns,
		.nframes = tail->nframes,
		.rate_hz = p->heads.rate_hz,
		.epoch = p->out_epoch,
		.flags = JP_CYCLE_NO_HEAD,
		.end_source = JP_END_TAIL,
		.head_cpu = -1,
		.tail_cpu = tail->cpu,
	};
	if (tail->flags & JP_REC_FREEWHEEL)
		out->flags |= JP_CYCLE_FREEWHEEL;
	if (p->heads.suspended)
		out->flags |= JP_CYCLE_SUSPEND;
	p->out_frame = out->frame;
	p->last_tail_ns = out->tail_ns;
	if (p->synced)
		count_resync(p);
	jp_fifo_drop(&p->tail_records, 1);
	return STEP_OUT;
}

/* --- giving tails to open cycles --- */

static void set_tail(struct jp_pair *p, struct jp_open *to, const struct jp_record *tail)
{
	to->cycle.tail_ns = (int64_t)tail->entry_ns;
	to->cycle.tail_cpu = tail->cpu;
	if (tail->flags & JP_REC_FREEWHEEL)
		to->cycle.flags |= JP_CYCLE_FREEWHEEL;
	if (to != present(p))
		to->cycle.flags |= JP_CYCLE_LATE;
	p->last_tail_ns = to->cycle.tail_ns;
}

/* One more tail although every open cycle has one: several clients were late at once, and each that finished woke the
 * tail (jackd2). The last call in the cycle's own frame is its end, the call before it belongs to nobody. */
static enum step swap_tail(struct jp_pair *p, const struct jp_record *tail, struct jp_cycle *out)
{
	struct jp_open *last = present(p);
	struct jp_record earlier = {
		.entry_ns = (uint64_t)last->cycle.tail_ns,
		.frame = last->raw,
		.nframes = last->cycle.nframes,
		.cpu = last->cycle.tail_cpu,
		.flags = tail->flags,
	};
	set_tail(p, last, tail);
	return hand_out_tail(p, &earlier, out);
}

/* Oldest waiting tail, known to have run in the present interval. */
static enum step place_tail(struct jp_pair *p, const struct jp_record *tail, struct jp_cycle *out)
{
	bool queued = p->config.mode == JP_PAIR_QUEUED;
	bool all_have = queued ? p->held == p->open.count : p->held > 0;
	if (p->open.count > 1 && (all_have || (tail->flags & JP_REC_FIRST))) {
		p->ready = p->open.count - 1;
		return STEP_AGAIN;
	}
	if (p->held == p->open.count) {
		if (tail->frame == present(p)->raw)
			return swap_tail(p, tail, out);
		p->ready = 1;
		return STEP_AGAIN;
	}
	struct jp_open *to = open_at(p, p->held);
	if (precedes(tail, to))
		return hand_out_tail(p, tail, out);
	set_tail(p, to, tail);
	p->held++;
	p->tails++;
	jp_fifo_drop(&p->tail_records, 1);
	return STEP_AGAIN;
}

/* --- closing intervals --- */

/* A tail was lost: the cycles without tail are the oldest, and every tail belongs to the interval it ran in. */
static void realign(struct jp_pair *p)
{
	for (size_t i = p->held; i-- > 0;) {
		struct jp_cycle *from = &open_at(p, i)->cycle, *to = &open_at(p, i + p->streak_lag)->cycle;
		to->tail_ns = from->tail_ns;
		to->tail_cpu = from->tail_cpu;
		from->tail_ns = JP_NS_UNKNOWN;
		from->tail_cpu = -1;
		from->flags &= (uint16_t)~JP_CYCLE_LATE;
	}
	p->held = p->ready = p->held + p->streak_lag;
	p->streak = 0;
	count_resync(p);
}

/* Does the present interval look as if its tail, held for an older cycle, were its own? */
static bool looks_shifted(const struct jp_pair *p)
{
	if (p->tails != 1 || !p->held || p->xrun)
		return false;
	const struct jp_cycle *now = &present(p)->cycle, *given = &open_at(p, p->held - 1)->cycle;
	int64_t after = jp_ns_between(now->wake_ns, given->tail_ns);
	return after != JP_NS_UNKNOWN && after >= 0 && after <= jp_cycle_period_ns(now);
}

/* There are more heads than tails: either the graph is late, or a tail was lost. While it may be the latter the pairs
 * are held back. */
static void weigh_backlog(struct jp_pair *p)
{
	if (!looks_shifted(p)) {
		p->streak = 0;
		p->ready = p->held;
		return;
	}
	if (p->streak++ == 0) {
		p->streak_ns = present(p)->cycle.wake_ns;
		p->streak_lag = p->open.count - p->held;
	}
	if (p->streak >= RESYNC_TAILS && present(p)->cycle.wake_ns - p->streak_ns >= RESYNC_NS)
		realign(p);
}

static void close_interval(struct jp_pair *p)
{
	bool caught_up = p->config.mode == JP_PAIR_QUEUED ? p->held == p->open.count : p->tails > 0;
	if (caught_up) {
		p->ready = p->open.count;
		p->streak = 0;
	} else if (p->config.mode == JP_PAIR_QUEUED) {
		weigh_backlog(p);
	}
	p->xrun = false;
}

/* No more records come. */
static enum step close_last(struct jp_pair *p)
{
	if (p->tails)
		close_interval(p);
	if (!p->ready && p->streak >= RESYNC_AT_END)
		realign(p);
	p->ready = p->open.count;
	p->streak = 0;
	p->tails = 0;
	return STEP_AGAIN;
}

/* --- the machine --- */

static enum step open_next(struct jp_pair *p)
{
	struct jp_open *o = jp_fifo_push(&p->open);
	if (!o) {
		p->ready = 1;
		return STEP_AGAIN;
	}
	*o = p->next;
	p->has_next = false;
	p->tails = 0;
	return STEP_AGAIN;
}

/* Heads have come for so long without any tail that the oldest must go. */
static bool heads_tired(const struct jp_pair *p)
{
	const struct jp_open *oldest = p->open.count ? open_at(p, 0) : &p->next;
	int64_t since = oldest->cycle.head_ns > p->last_tail_ns ? oldest->cycle.head_ns : p->last_tail_ns;
	return p->newest_head_ns - since > PATIENCE_NS || p->head_records.count + p->open.count > TAILLESS_MAX;
}

static bool tails_tired(const struct jp_pair *p, const struct jp_record *oldest)
{
	return p->newest_tail_ns - (int64_t)oldest->entry_ns > PATIENCE_NS || p->tail_records.count > JP_MATCH_OPEN_MAX;
}

static enum step step_without_open(struct jp_pair *p, const struct jp_record *tail, bool flush, struct jp_cycle *out)
{
	if (p->has_next) {
		if (tail && precedes(tail, &p->next))
			return hand_out_tail(p, tail, out);
		return tail || flush || heads_tired(p) ? open_next(p) : STEP_WAIT;
	}
	return tail && (flush || tails_tired(p, tail)) ? hand_out_tail(p, tail, out) : STEP_WAIT;
}

static enum step step_with_open(struct jp_pair *p, const struct jp_record *tail, bool flush, struct jp_cycle *out)
{
	if (tail && (p->has_next ? precedes(tail, &p->next) : flush || tails_tired(p, tail)))
		return place_tail(p, tail, out);
	if (p->has_next && (tail || flush)) {
		close_interval(p);
		return open_next(p);
	}
	if (flush)
		return close_last(p);
	if (!tail && heads_tired(p)) {
		p->ready = 1;
		return STEP_AGAIN;
	}
	return STEP_WAIT;
}

static enum step one_step(struct jp_pair *p, bool flush, struct jp_cycle *out)
{
	if (!p->has_next)
		p->has_next = jp_heads_next(&p->heads, &p->head_records, flush, &p->next);
	if (p->config.mode == JP_PAIR_HEAD_ONLY) {
		if (!p->has_next)
			return STEP_WAIT;
		p->ready = 1;
		return open_next(p);
	}
	const struct jp_record *tail = p->tail_records.count ? jp_fifo_at(&p->tail_records, 0) : NULL;
	return p->open.count ? step_with_open(p, tail, flush, out) : step_without_open(p, tail, flush, out);
}

bool jp_match_next(struct jp_pair *p, struct jp_cycle *out, bool flush)
{
	for (;;) {
		if (p->ready) {
			hand_out_oldest(p, out);
			return true;
		}
		enum step s = one_step(p, flush, out);
		if (s != STEP_AGAIN)
			return s == STEP_OUT;
	}
}
