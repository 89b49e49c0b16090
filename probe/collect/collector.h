/** @file collector.h
 * The collector: one thread, not real-time, that polls the rings every 50 ms, closes a window every interval, samples
 * the sensors at its edge and hands figures and events to the sinks and the OSC publisher. It never waits for a sink, a
 * socket, a name server or libjack. */
#ifndef JP_COLLECTOR_H
#define JP_COLLECTOR_H

#include "cli/watch_options.h"
#include "graph/session.h"
#include "sink/sink.h"
#include "sys/trigger.h"

#include <jackprobe/osc.h>
#include <jackprobe/sense.h>

/** What the collector works with; all borrowed and used by its thread alone until jp_collector_stop. */
struct jp_collector_config {
	const struct jp_watch_options *options;
	struct jp_session *session;
	struct jp_sense *sense;
	struct jp_sinks *sinks;
	struct jp_osc *osc;         /**< NULL without --osc */
	struct jp_trigger *trigger; /**< NULL without --on-overrun */
	struct jp_meta meta; /**< facts of the run that do not depend on the server; the collector adds those that do */
	int wake_fd; /**< an eventfd: the collector adds 1 when the run should end: a threshold was passed, or nobody reads what is written */
};

struct jp_collector; /**< opaque */

/** Start the thread. Thread: main. The caller owns the result. Errors: JP_NO_MEM, JP_IO (no thread). */
enum jp_status jp_collector_start(
	const struct jp_collector_config *config, struct jp_collector **out, struct jp_why *why);

/** How a run ended. */
struct jp_outcome {
	bool threshold; /**< one was passed: exit status 3 */
	bool measured;  /**< at least one cycle was counted */
};

/** Close the last window, hand the summary to the sinks, end the thread and free it. Takes a few ms. Thread: main. */
struct jp_outcome jp_collector_stop(struct jp_collector *c);

#endif
