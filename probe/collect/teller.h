/** @file teller.h
 * Makes events and tells them to sinks and OSC, at a limited rate. Thread: collector. */
#ifndef JP_TELLER_H
#define JP_TELLER_H

#include "collect/limiter.h"
#include "sink/sink.h"

#include <jackprobe/osc.h>

struct jp_teller {
	struct jp_sinks *sinks;
	struct jp_osc *osc; /**< NULL without --osc */
	struct jp_limiter limiter;
	struct jp_event held[JP_EVENT_TYPES]; /**< of each type the latest that was left out */
};

void jp_teller_init(struct jp_teller *t, struct jp_sinks *sinks, struct jp_osc *osc);

/** An event of now, everything else unknown. */
struct jp_event jp_event_now(enum jp_event_type type);

/** An event at a cycle's wake-up. @param value_us NaN = none. @param unix_ns wall clock of the wake-up, -1 = unknown: now. */
struct jp_event jp_event_at(enum jp_event_type type, const struct jp_cycle *cycle, double value_us, int64_t unix_ns);

/** Write the sentence (cut to fit). */
void jp_event_detail(struct jp_event *e, const char *fmt, ...) JP_PRINTF(2, 3);

/** Tell it, unless there were too many of its type lately; then it is counted as suppressed. */
void jp_tell(struct jp_teller *t, struct jp_event *e);

/** Nothing follows: of each type tell the latest that was left out, with the number of those left out before it. */
void jp_tell_held(struct jp_teller *t);

#endif
