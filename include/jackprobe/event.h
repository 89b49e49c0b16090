/** @file event.h
 * Things that happen at an instant, for JSONL, terminal and OSC. Plain data, copied by value. */
#ifndef JACKPROBE_EVENT_H
#define JACKPROBE_EVENT_H

#include <jackprobe/report.h>

JP_BEGIN_DECLS

enum jp_event_type {
	JP_EVENT_OVERRUN,
	JP_EVENT_XRUN,
	JP_EVENT_LOST,
	JP_EVENT_EPOCH,
	JP_EVENT_GRAPH,
	JP_EVENT_FREEWHEEL,
	JP_EVENT_SUSPEND,
	JP_EVENT_STALE,
	JP_EVENT_STUCK, /**< a client holds the graph up */
	JP_EVENT_SERVER_GONE,
	JP_EVENT_SERVER_BACK,
	JP_EVENT_SINK_ERROR,
	JP_EVENT_TYPES /**< how many */
};
/** "overrun", "xrun", ... "sink_error". Thread: any. */
const char *jp_event_type_text(enum jp_event_type type);

struct jp_event {
	enum jp_event_type event;
	char client[JP_NAME_MAX]; /**< who is blamed; "" = unknown or not applicable */
	char kind[32];            /**< finer word: "busy", "start", "end", ...; "" = none */
	double value_us; /**< overrun: the cycle end; xrun: the delay; lost: the gap; stuck: for how long; NaN = none or unknown */
	double period_us;    /**< period at that time; NaN = unknown */
	int64_t frame;       /**< unwrapped frame time; -1 = unknown */
	int64_t unix_ns;     /**< wall clock */
	int64_t mono_ns;     /**< CLOCK_MONOTONIC */
	uint64_t suppressed; /**< events of this type left out since the last one shown (they are counted exactly) */
	char detail[192];    /**< a sentence for people; "" = none */
};

JP_END_DECLS

#endif
