/* Cycles and executions in batches. */
#include "batches.h"

void jp_batches_flush(struct jp_batches *b)
{
	jp_sinks_cycles(b->sinks, b->cycle, b->n_cycles);
	jp_sinks_executions(b->sinks, b->exec, b->n_execs);
	b->n_cycles = b->n_execs = 0;
}

void jp_batches_cycle(struct jp_batches *b, const struct jp_cycle *cycle)
{
	if (!jp_sinks_want_cycles(b->sinks))
		return;
	b->cycle[b->n_cycles++] = *cycle;
	if (b->n_cycles == JP_BATCH)
		jp_batches_flush(b);
}

static void add(struct jp_batches *b, struct jp_times *timing, uint64_t frame, const struct jp_exec *e)
{
	struct jp_exec_row *row = &b->exec[b->n_execs++];
	row->frame = frame;
	row->exec = *e;
	jp_timing_name(timing, e->ref, e->awake_ns != JP_NS_UNKNOWN ? e->awake_ns : e->finished_ns, row->client);
	if (b->n_execs == JP_BATCH)
		jp_batches_flush(b);
}

void jp_batches_executions(
	struct jp_batches *b, struct jp_times *timing, const struct jp_cycle *cycle, const struct jp_exec_cycle *execs)
{
	if (!jp_sinks_want_executions(b->sinks))
		return;
	for (size_t i = 0; i < execs->n; i++)
		add(b, timing, cycle->frame, &execs->execs[i]);
}
