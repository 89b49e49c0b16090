/** @file limiter.h
 * Rate limit of events: a storm is counted exactly and told at a limited rate, with the number left out. Pure: the time
 * is an argument. */
#ifndef JP_LIMITER_H
#define JP_LIMITER_H

#include <jackprobe/event.h>
#include <stdbool.h>

enum {
	JP_LIMIT_BURST = 5,     /**< events of one type that may follow each other at once */
	JP_LIMIT_PER_SECOND = 2 /**< and how many a second after that */
};

struct jp_limiter {
	struct {
		double tokens;
		int64_t at_ns;
		uint64_t held; /**< left out since the last one that passed */
		bool used;
	} type[JP_EVENT_TYPES];
};

void jp_limiter_init(struct jp_limiter *l);

/** May an event of this type be told now? @param suppressed gets the number left out before it when it may.
 * @param mono_ns CLOCK_MONOTONIC, not decreasing. */
bool jp_limiter_pass(struct jp_limiter *l, enum jp_event_type type, int64_t mono_ns, uint64_t *suppressed);

/** Events of this type left out since the last one that passed; from now on none are. */
uint64_t jp_limiter_take_held(struct jp_limiter *l, enum jp_event_type type);

#endif
