/** @file batches.h
 * Cycles and executions on their way to the sinks that write each of them, gathered so that a sink gets many at a time.
 * Thread: collector. */
#ifndef JP_BATCHES_H
#define JP_BATCHES_H

#include "collect/exec_merge.h"
#include "sink/sink.h"
#include "timing/timing.h"

enum { JP_BATCH = 512 };

/** Members are private to batches.c, but for sinks, which the owner sets. Zero-initialised is empty. */
struct jp_batches {
	struct jp_sinks *sinks;
	struct jp_cycle cycle[JP_BATCH];
	size_t n_cycles;
	struct jp_exec_row exec[JP_BATCH];
	size_t n_execs;
};

/** A cycle, if a sink wants cycles. */
void jp_batches_cycle(struct jp_batches *b, const struct jp_cycle *cycle);
/** Its executions, if a sink wants them. @param timing who had which number. */
void jp_batches_executions(
	struct jp_batches *b, struct jp_times *timing, const struct jp_cycle *cycle, const struct jp_exec_cycle *execs);
/** Hand on what there is. */
void jp_batches_flush(struct jp_batches *b);

#endif
