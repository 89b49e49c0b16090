/* Makes events and tells them. */
#include "teller.h"

#include "sys/clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void jp_teller_init(struct jp_teller *t, struct jp_sinks *sinks, struct jp_osc *osc)
{
	t->sinks = sinks;
	t->osc = osc;
	jp_limiter_init(&t->limiter);
}

struct jp_event jp_event_now(enum jp_event_type type)
{
	return (struct jp_event){.event = type,
		.value_us = NAN,
		.period_us = NAN,
		.frame = -1,
		.unix_ns = jp_clock_now(CLOCK_REALTIME),
		.mono_ns = jp_clock_now(CLOCK_MONOTONIC)};
}

struct jp_event jp_event_at(enum jp_event_type type, const struct jp_cycle *cycle, double value_us, int64_t unix_ns)
{
	struct jp_event e = jp_event_now(type);
	int64_t period = jp_cycle_period_ns(cycle);
	e.value_us = value_us;
	e.period_us = period == JP_NS_UNKNOWN ? NAN : (double)period / 1e3;
	e.frame = (int64_t)cycle->frame;
	if (unix_ns >= 0) {
		e.mono_ns -= e.unix_ns - unix_ns;
		e.unix_ns = unix_ns;
	}
	return e;
}

void jp_event_detail(struct jp_event *e, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(e->detail, sizeof e->detail, fmt, ap);
	va_end(ap);
}

static void hand_out(struct jp_teller *t, const struct jp_event *e)
{
	jp_sinks_event(t->sinks, e);
	if (t->osc)
		jp_osc_event(t->osc, e);
}

void jp_tell(struct jp_teller *t, struct jp_event *e)
{
	/* The time of telling, not of the event: events of the past come in any order. */
	if (jp_limiter_pass(&t->limiter, e->event, jp_clock_now(CLOCK_MONOTONIC), &e->suppressed))
		hand_out(t, e);
	else
		t->held[e->event] = *e;
}

void jp_tell_held(struct jp_teller *t)
{
	for (enum jp_event_type type = 0; type < JP_EVENT_TYPES; type++) {
		uint64_t held = jp_limiter_take_held(&t->limiter, type);
		if (!held)
			continue;
		t->held[type].suppressed = held - 1;
		hand_out(t, &t->held[type]);
	}
}
