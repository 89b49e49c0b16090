/** @file runner.h
 * One running sink: its thread, its bounded queue, its troubles. */
#ifndef JP_RUNNER_H
#define JP_RUNNER_H

#include "sink.h"
#include "trouble.h"

#include <time.h>

enum {
	JP_QUEUE_ITEMS = 256,  /**< windows, events and batches of cycles that may wait */
	JP_QUEUE_RESERVE = 16, /**< beyond that, for begin, meta and summary */
	JP_QUEUE_BYTES = 4 * 1024 * 1024,
};

struct jp_runner; /**< opaque */

/** Take the instance over and start its thread (no signals, not real-time). Errors: JP_NO_MEM, JP_IO: the instance is
 * then still the caller's. Thread: main. */
enum jp_status jp_runner_start(const struct jp_sink_instance *instance, struct jp_runner **out, struct jp_why *why);

/** Does this kind of sink take such items? */
bool jp_runner_takes(const struct jp_runner *w, enum jp_item type);

/** Queue a copy of data (n things, size bytes each) if the sink takes such items. Never blocks on the sink; no room or no memory: dropped
 * and counted. Thread: collector. */
void jp_runner_post(struct jp_runner *w, enum jp_item type, const void *data, size_t n, size_t size);

/** Open again, before the next item. Thread: any. */
void jp_runner_reopen(struct jp_runner *w);

/** Thread: collector. */
bool jp_runner_news(struct jp_runner *w, enum jp_status *status, struct jp_why *out);
/** Has whoever read what it writes gone (a closed pipe)? */
bool jp_runner_gone(struct jp_runner *w);
uint64_t jp_runner_errors(struct jp_runner *w);

/** Wait until all that was posted is done. @param deadline on CLOCK_MONOTONIC. @return false: not by then. */
bool jp_runner_flush(struct jp_runner *w, const struct timespec *deadline);

/** Ask the thread to work off its queue, close the sink and end. Does not wait. */
void jp_runner_finish(struct jp_runner *w);

/** Wait for that (jp_runner_finish came before) and free the runner. @return false: it hangs and was left behind; what it still
 * has waiting is lost, and it frees itself should it ever come back. @param errors its errors are added here, what is lost
 * too. @param news what is still to be told, with its status; "" = nothing. */
bool jp_runner_close(struct jp_runner *w, const struct timespec *deadline, uint64_t *errors, enum jp_status *status,
	struct jp_why *news);

#endif
