/* From the head's records to cycles. */
#include "heads.h"

enum {
	LOOK_STEPS = 4,      /* cycles within which a late head has caught up, else periods were lost */
	LOOK_RECORDS = 1024, /* bound of the search */
};

void jp_heads_init(struct jp_heads *h, enum jp_wake_source source)
{
	*h = (struct jp_heads){.wake_source = source, .epoch = 1};
}

void jp_heads_break(struct jp_heads *h, enum jp_wake_source source, bool restarted)
{
	h->wake_source = source;
	h->linked = false;
	h->restarted |= restarted;
	h->behind = 0;
}

static int32_t step(const struct jp_record *earlier, const struct jp_record *later)
{
	return (int32_t)(later->frame - earlier->frame);
}

/* Count the calls that found the frame of the call before them, up to `most`. @return false: more records must be seen. */
static bool find_repeats(const struct jp_fifo *records, uint32_t most, bool flush, uint32_t *found)
{
	const struct jp_record *first = jp_fifo_at(records, 0), *last = first;
	unsigned steps = 0;
	*found = 0;
	for (size_t i = 1; i < LOOK_RECORDS && *found < most && steps <= LOOK_STEPS; i++) {
		if (i == records->count)
			return flush;
		const struct jp_record *r = jp_fifo_at(records, i);
		int32_t delta = step(last, r);
		if (r->nframes != first->nframes || delta < 0 || (uint32_t)delta >= 2 * r->nframes)
			return true;
		*found += delta == 0;
		steps += delta != 0;
		last = r;
	}
	return true;
}

static uint32_t rate_of(const struct jp_heads *h, const struct jp_record *r)
{
	return r->rate_hz ? r->rate_hz : h->rate_hz;
}

static bool new_epoch(const struct jp_heads *h, const struct jp_record *r)
{
	bool freewheel = r->flags & JP_REC_FREEWHEEL;
	return h->seen &&
	       (r->nframes != h->nframes || (h->rate_hz && rate_of(h, r) != h->rate_hz) || freewheel != h->freewheel);
}

/* The frame counter says how many periods lie between the last record and this one. */
static bool follows(const struct jp_heads *h, const struct jp_record *r)
{
	return h->linked && !h->apart && r->nframes && !new_epoch(h, r) &&
	       !(r->flags & (JP_REC_FIRST | JP_REC_FREEWHEEL));
}

/* Work out by how many cycles this call is late. @return false: more records must be seen. */
static bool find_behind(struct jp_heads *h, const struct jp_fifo *records, bool flush)
{
	const struct jp_record *r = jp_fifo_at(records, 0);
	if (!h->linked && !(r->flags & JP_REC_FREEWHEEL))
		return find_repeats(records, UINT32_MAX, flush, &h->behind);
	int32_t delta = (int32_t)(r->frame - h->raw);
	if (!follows(h, r) || delta < 0)
		h->behind = 0;
	else if (delta == 0 && h->behind)
		h->behind--;
	else if ((uint32_t)delta >= 2 * r->nframes)
		return find_repeats(records, (uint32_t)delta / r->nframes - 1, flush, &h->behind);
	return true;
}

static uint64_t unwrap(const struct jp_heads *h, const struct jp_record *r)
{
	int32_t delta = (int32_t)(r->frame - h->raw);
	if (!h->seen)
		return r->frame;
	if (h->restarted || delta < 0) /* the counter is another one: go on behind the last cycle */
		return h->frame + h->nframes + (uint64_t)h->behind * r->nframes;
	return h->own + (uint32_t)delta;
}

static int64_t ns(uint64_t us)
{
	return us ? (int64_t)us * 1000 : JP_NS_UNKNOWN;
}

static void set_times(const struct jp_heads *h, const struct jp_record *r, struct jp_cycle *c)
{
	uint64_t back = (uint64_t)h->behind * r->period_us;
	bool known = r->nominal_us > back && (!h->behind || r->period_us);
	c->head_ns = (int64_t)r->entry_ns;
	c->nominal_ns = known ? ns(r->nominal_us - back) : JP_NS_UNKNOWN;
	c->wake_ns = h->behind ? JP_NS_UNKNOWN : ns(r->wake_us);
	c->wake_source = (uint8_t)h->wake_source;
	if (c->wake_ns == JP_NS_UNKNOWN) {
		/* A late call saw a later wake-up: whole periods before that one was its own, if that can be. */
		c->wake_ns = h->behind && r->wake_us > back ? ns(r->wake_us - back) : c->nominal_ns;
		if (h->behind && h->seen && c->wake_ns <= h->wake_ns)
			c->wake_ns = JP_NS_UNKNOWN;
		c->wake_source = c->wake_ns == JP_NS_UNKNOWN ? JP_WAKE_UNKNOWN : JP_WAKE_FILTERED;
	}
}

static uint16_t flags_of(const struct jp_heads *h, const struct jp_record *r)
{
	unsigned flags = 0;
	if (r->flags & JP_REC_FREEWHEEL)
		flags |= JP_CYCLE_FREEWHEEL;
	if (h->suspended)
		flags |= JP_CYCLE_SUSPEND;
	if (new_epoch(h, r))
		flags |= JP_CYCLE_EPOCH;
	return (uint16_t)flags;
}

static uint32_t lost_before(const struct jp_heads *h, const struct jp_record *r, uint64_t frame)
{
	if (!follows(h, r) || h->suspended || (int32_t)(r->frame - h->raw) < 0 || frame <= h->frame + h->nframes)
		return 0;
	return (uint32_t)((frame - h->frame - h->nframes) / r->nframes);
}

static void remember(struct jp_heads *h, const struct jp_record *r, const struct jp_cycle *c, uint64_t own)
{
	h->seen = h->linked = true;
	h->restarted = false;
	h->freewheel = c->flags & JP_CYCLE_FREEWHEEL;
	h->apart = (c->flags & (JP_CYCLE_FREEWHEEL | JP_CYCLE_SUSPEND)) != 0;
	h->raw = r->frame;
	h->own = own;
	h->frame = c->frame;
	if (c->wake_ns != JP_NS_UNKNOWN)
		h->wake_ns = c->wake_ns;
	h->nframes = c->nframes;
	h->rate_hz = c->rate_hz;
	h->epoch = c->epoch;
	h->suspended -= h->suspended > 0;
}

bool jp_heads_next(struct jp_heads *h, struct jp_fifo *records, bool flush, struct jp_open *out)
{
	if (!records->count || !find_behind(h, records, flush))
		return false;
	const struct jp_record *r = jp_fifo_at(records, 0);
	uint64_t own = unwrap(h, r), back = (uint64_t)h->behind * r->nframes;
	struct jp_cycle *c = &out->cycle;
	c->frame = own > h->frame + back ? own - back : h->frame;
	c->tail_ns = c->end_ns = JP_NS_UNKNOWN;
	c->nframes = r->nframes;
	c->rate_hz = rate_of(h, r);
	c->epoch = h->epoch + new_epoch(h, r);
	c->lost = lost_before(h, r, c->frame);
	c->flags = flags_of(h, r);
	c->end_source = JP_END_UNKNOWN;
	c->head_cpu = r->cpu;
	c->tail_cpu = -1;
	set_times(h, r, c);
	out->raw = r->frame - h->behind * r->nframes;
	remember(h, r, c, own);
	jp_fifo_drop(records, 1);
	return true;
}
