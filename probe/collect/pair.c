/* Pairing of head and tail records: what is put in and told. The machine is in match.c. */
#include "match.h"

#include <stdlib.h>

struct jp_pair *jp_pair_new(const struct jp_pair_config *config)
{
	struct jp_pair *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->config = *config;
	p->out_epoch = 1;
	p->calls = p->usual = 1;
	p->newest_head_ns = p->newest_tail_ns = p->last_tail_ns = INT64_MIN / 2;
	jp_heads_init(&p->heads, config->wake_source);
	bool fine = jp_fifo_init(&p->head_records, JP_PAIRING_WAITING_MAX, sizeof(struct jp_record));
	fine = jp_fifo_init(&p->tail_records, JP_PAIRING_WAITING_MAX, sizeof(struct jp_record)) && fine;
	fine = jp_fifo_init(&p->open, JP_PAIRING_OPEN_MAX, sizeof(struct jp_open)) && fine;
	fine = jp_fifo_init(&p->done, JP_PAIRING_WAITING_MAX, sizeof(struct jp_cycle)) && fine;
	if (fine)
		return p;
	jp_pair_free(p);
	return NULL;
}

void jp_pair_free(struct jp_pair *p)
{
	if (!p)
		return;
	jp_fifo_free(&p->head_records);
	jp_fifo_free(&p->tail_records);
	jp_fifo_free(&p->open);
	jp_fifo_free(&p->done);
	free(p);
}

bool jp_pair_next(struct jp_pair *p, struct jp_cycle *out, bool flush)
{
	if (!p->done.count)
		return jp_match_next(p, out, flush);
	*out = *(const struct jp_cycle *)jp_fifo_at(&p->done, 0);
	jp_fifo_drop(&p->done, 1);
	return true;
}

static void keep_done(struct jp_pair *p, const struct jp_cycle *c)
{
	if (p->done.count == p->done.capacity)
		jp_fifo_drop(&p->done, 1);
	struct jp_cycle *slot = jp_fifo_push(&p->done);
	if (slot)
		*slot = *c;
}

static void make_room(struct jp_pair *p, const struct jp_fifo *full)
{
	struct jp_cycle c;
	while (full->count == JP_PAIRING_WAITING_MAX && (jp_match_next(p, &c, false) || jp_match_next(p, &c, true)))
		keep_done(p, &c);
}

enum jp_status jp_pair_put(struct jp_pair *p, const struct jp_record *records, size_t n)
{
	enum jp_status status = JP_OK;
	for (size_t i = 0; i < n; i++) {
		bool head = records[i].role == JP_HEAD;
		struct jp_fifo *fifo = head ? &p->head_records : &p->tail_records;
		if (!head && p->config.mode == JP_PAIR_HEAD_ONLY)
			continue;
		*(head ? &p->newest_head_ns : &p->newest_tail_ns) = (int64_t)records[i].entry_ns;
		if (fifo->count == JP_PAIRING_WAITING_MAX) {
			make_room(p, fifo);
			status = JP_FULL;
		}
		struct jp_record *slot = jp_fifo_push(fifo);
		if (slot)
			*slot = records[i];
	}
	return status;
}

static void mark_suspend(struct jp_open *o)
{
	o->cycle.flags |= JP_CYCLE_SUSPEND;
	o->cycle.lost = 0;
}

void jp_pair_suspend(struct jp_pair *p)
{
	for (size_t i = 0; i < p->open.count; i++)
		mark_suspend(jp_fifo_at(&p->open, i));
	if (p->has_now)
		mark_suspend(&p->now);
	if (p->has_next)
		mark_suspend(&p->next);
	p->heads.suspended = p->head_records.count + 1;
}

void jp_pair_break(struct jp_pair *p, const struct jp_pair_config *config)
{
	struct jp_cycle c;
	while (jp_match_next(p, &c, true))
		keep_done(p, &c);
	if (config)
		p->config = *config;
	jp_heads_break(&p->heads, p->config.wake_source, config != NULL);
	p->synced = p->resynced = false;
	p->typical_ns = 0;
	p->calls = p->usual = 1;
	p->newest_head_ns = p->newest_tail_ns = p->last_tail_ns = INT64_MIN / 2;
}

uint64_t jp_pair_resyncs(const struct jp_pair *p)
{
	return p->resyncs;
}
