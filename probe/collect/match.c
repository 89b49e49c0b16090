/* Sorts the tail's calls into the intervals between driver wake-ups and hands out what has been decided. */
#include "match.h"

#include "verdict.h"

enum { HEADS_MAX = 3072 /* heads that wait while no tail comes at all */ };
static const int64_t PATIENCE_NS = 2000000000; /* how long a record waits for its counterpart */

enum step { STEP_AGAIN, STEP_OUT, STEP_WAIT };

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

/* Did it run in a cycle between the present head and the next, whose own head was not called? */
static bool is_stray(const struct jp_pair *p, const struct jp_record *tail)
{
	return p->has_next && tail->frame != p->now.raw && (int32_t)(tail->frame - p->now.raw) > 0 &&
	       (int32_t)(p->next.raw - tail->frame) > 0;
}

/* --- handing out --- */

static void finish(struct jp_pair *p, struct jp_cycle *c)
{
	if (p->config.mode == JP_PAIR_HEAD_ONLY)
		return;
	if (c->tail_ns == JP_NS_UNKNOWN) {
		c->flags |= JP_CYCLE_NO_TAIL;
		c->flags &= (uint16_t)~JP_CYCLE_LATE;
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
	*out = ((const struct jp_open *)jp_fifo_at(&p->open, 0))->cycle;
	finish(p, out);
	jp_fifo_drop(&p->open, 1);
	p->ready--;
	p->out_frame = out->frame;
	p->out_epoch = out->epoch;
}

static uint64_t frame_of_tail(const struct jp_pair *p, const struct jp_record *tail)
{
	const struct jp_open *near = p->has_next ? &p->next : p->has_now ? &p->now : NULL;
	if (!near)
		return p->heads.seen ? p->out_frame : tail->frame;
	int64_t frame = (int64_t)near->cycle.frame + (int32_t)(tail->frame - near->raw);
	return frame > (int64_t)p->out_frame ? (uint64_t)frame : p->out_frame;
}

static void take_tail(struct jp_pair *p, const struct jp_record *tail)
{
	p->last_tail_ns = (int64_t)tail->entry_ns;
	jp_fifo_drop(&p->tail_records, 1);
}

/* A call that belongs to no cycle we know. Before the first pair it is only the start that cuts it off. */
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
	take_tail(p, tail);
	if (!p->synced)
		return STEP_AGAIN;
	p->out_frame = out->frame;
	jp_verdict_resync(p);
	return STEP_OUT;
}

/* --- the present interval --- */

static void note_tail(struct jp_pair *p, const struct jp_record *tail)
{
	p->before = p->tails ? p->last : *tail;
	p->last = *tail;
	p->tails++;
	take_tail(p, tail);
}

static enum step open_next(struct jp_pair *p)
{
	p->now = p->next;
	p->has_now = true;
	p->has_next = false;
	p->tails = 0;
	return STEP_AGAIN;
}

static enum step close_now(struct jp_pair *p)
{
	if (p->open.count == p->open.capacity) /* late for so long: what is open will find nobody any more */
		jp_verdict_end(p);
	else
		jp_verdict_close(p);
	return STEP_AGAIN;
}

/* Heads have come for so long without any tail that the oldest must go. */
static bool heads_tired(const struct jp_pair *p)
{
	const struct jp_open *oldest = p->open.count ? jp_fifo_at(&p->open, 0) : p->has_now ? &p->now : &p->next;
	int64_t since = oldest->cycle.head_ns > p->last_tail_ns ? oldest->cycle.head_ns : p->last_tail_ns;
	return p->newest_head_ns - since > PATIENCE_NS || p->head_records.count + p->open.count > HEADS_MAX;
}

static bool tails_tired(const struct jp_pair *p, const struct jp_record *oldest)
{
	return p->newest_tail_ns - (int64_t)oldest->entry_ns > PATIENCE_NS ||
	       p->tail_records.count > JP_PAIRING_OPEN_MAX;
}

static enum step without_head(struct jp_pair *p, const struct jp_record *tail, bool flush, struct jp_cycle *out)
{
	if (p->has_next) {
		if (!tail || !precedes(tail, &p->next))
			return open_next(p);
		if (jp_verdict_stray(p, tail)) {
			take_tail(p, tail);
			return STEP_AGAIN;
		}
		return hand_out_tail(p, tail, out);
	}
	return tail && (flush || tails_tired(p, tail)) ? hand_out_tail(p, tail, out) : STEP_WAIT;
}

/* The end of all: the newest cycle is merely cut off when it has no tail. */
static enum step end(struct jp_pair *p)
{
	if (p->has_now && p->tails)
		return close_now(p);
	p->has_now = false;
	if (!p->open.count)
		return STEP_WAIT;
	jp_verdict_end(p);
	return STEP_AGAIN;
}

static enum step with_head(struct jp_pair *p, const struct jp_record *tail, bool flush, struct jp_cycle *out)
{
	if (tail && precedes(tail, &p->now) && !p->tails && p->phase == JP_PAIRING_CLEAR)
		return hand_out_tail(p, tail, out);
	if (tail && is_stray(p, tail))
		return close_now(p); /* leaves no present head: without_head goes on */
	if (tail && (p->has_next ? precedes(tail, &p->next) : flush || tails_tired(p, tail))) {
		if (tail->flags & JP_REC_FIRST) /* what is open ran before there was a tail */
			jp_verdict_end(p);
		note_tail(p, tail);
		return STEP_AGAIN;
	}
	if (p->has_next && (tail || flush))
		return close_now(p);
	if (!flush && heads_tired(p)) {
		if (p->phase != JP_PAIRING_LATE || !p->open.count)
			return p->has_next ? close_now(p) : STEP_WAIT;
		p->ready = 1;
		return STEP_AGAIN;
	}
	return flush ? end(p) : STEP_WAIT;
}

static enum step one_step(struct jp_pair *p, bool flush, struct jp_cycle *out)
{
	if (!p->has_next)
		p->has_next = jp_heads_next(&p->heads, &p->head_records, flush, &p->next);
	if (p->config.mode == JP_PAIR_HEAD_ONLY) {
		if (!p->has_next)
			return STEP_WAIT;
		open_next(p);
		jp_verdict_close(p);
		jp_verdict_end(p);
		return STEP_AGAIN;
	}
	if (p->open.count && !p->has_now && !p->has_next && flush)
		return end(p);
	const struct jp_record *tail = p->tail_records.count ? jp_fifo_at(&p->tail_records, 0) : NULL;
	return p->has_now ? with_head(p, tail, flush, out) : without_head(p, tail, flush, out);
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
