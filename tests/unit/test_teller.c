/* Events on their way to the sinks. */
#include "collect/teller.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>

enum { STORM = 40, MAX = 64 };

struct heard {
	struct jp_event event[MAX];
	size_t n;
};

static enum jp_status hear(void *self, const struct jp_event *event, struct jp_why *why)
{
	struct heard *h = self;
	(void)why;
	cr_assert_lt(h->n, MAX);
	h->event[h->n++] = *event;
	return JP_OK;
}

static void stay(void *self)
{
	(void)self;
}

static const struct jp_sink_ops ops = {.kind = "lines", .event = hear, .close = stay};

static void storm(struct jp_teller *t, enum jp_event_type type, int n)
{
	for (int i = 0; i < n; i++) {
		struct jp_event e = jp_event_now(type);
		e.frame = i;
		jp_tell(t, &e);
	}
}

static uint64_t told(const struct heard *h, enum jp_event_type type)
{
	uint64_t n = 0;
	for (size_t i = 0; i < h->n; i++)
		n += h->event[i].event == type ? 1 + h->event[i].suppressed : 0;
	return n;
}

Test(teller, what_was_held_back_is_told_at_the_end)
{
	struct heard heard = {.n = 0};
	struct jp_sinks *sinks = jp_sinkrun_add(&(struct jp_sink_instance){.ops = &ops, .self = &heard, .name = "ear"});
	struct jp_teller t;
	jp_teller_init(&t, sinks, NULL);
	storm(&t, JP_EVENT_OVERRUN, STORM);
	storm(&t, JP_EVENT_XRUN, 2);
	jp_sinkrun_flush(sinks);
	cr_expect_lt(told(&heard, JP_EVENT_OVERRUN), STORM);
	size_t before = heard.n;
	jp_tell_held(&t);
	jp_tell_held(&t);
	jp_sinkrun_flush(sinks);
	cr_expect_eq(heard.n, before + 1, "one event for all that were left out, once");
	cr_expect_eq(heard.event[before].frame, STORM - 1, "the latest");
	cr_expect_eq(told(&heard, JP_EVENT_OVERRUN), STORM);
	cr_expect_eq(told(&heard, JP_EVENT_XRUN), 2);
	jp_sinkrun_end(sinks, 0);
}
