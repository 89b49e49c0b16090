/* Words about overruns. */
#include "overrun.h"

#include "collect/teller.h"
#include "sink/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct jp_event jp_overrun_event(const struct jp_cycle *cycle, const struct jp_verdict *verdict, int64_t unix_ns)
{
	struct jp_event e = jp_event_at(JP_EVENT_OVERRUN, cycle, (double)jp_cycle_end_ns(cycle) / 1e3, unix_ns);
	double over_us = e.value_us - (double)jp_cycle_period_ns(cycle) / 1e3;
	char why[128] = "";
	if (verdict) {
		snprintf(e.client, sizeof e.client, "%s", verdict->client);
		snprintf(e.kind, sizeof e.kind, "%s", jp_blame_text(verdict->blame.kind));
		jp_verdict_text(verdict, (int64_t)(over_us * 1e3), why, sizeof why);
	}
	if (why[0])
		jp_event_detail(&e, "%.60s%s%s: the graph finished %.0f us after the deadline", e.client,
			e.client[0] ? " " : "", why, over_us);
	else
		jp_event_detail(&e, "the graph finished %.0f us after the deadline", over_us);
	return e;
}

struct jp_event jp_stuck_event(const struct jp_cycle *cycle, const struct jp_stuck_news *news, int64_t unix_ns)
{
	struct jp_event e = jp_event_at(JP_EVENT_STUCK, cycle, (double)news->for_ns / 1e3, unix_ns);
	double seconds = (double)news->for_ns * 1e-9;
	memcpy(e.client, news->client, sizeof e.client);
	snprintf(e.kind, sizeof e.kind, "%s", news->over ? "end" : "start");
	if (news->over)
		jp_event_detail(
			&e, "%.60s held the graph up for %.2f s (%" PRIu64 " cycles)", e.client, seconds, news->cycles);
	else if (news->running)
		jp_event_detail(&e, "%.60s has been in its process callback for %.2f s: it holds the graph up",
			e.client, seconds);
	else
		jp_event_detail(&e,
			"%.60s is released in each cycle and has ended none for %.2f s: it holds the graph up",
			e.client, seconds);
	return e;
}

enum { NAMED_MAX = 6 };

/* As many digits as say something. */
static struct jp_num ms(int64_t ns)
{
	double value = (double)ns / 1e6;
	return jp_num(value, value >= 100 ? 0 : value >= 0.095 ? 1 : value >= 0.0095 ? 2 : 3);
}

static void begin(struct jp_print *p, uint64_t n)
{
	bool first = p->len && p->buf[p->len - 1] == ':';
	jp_print(p, JP_PLAIN, "%s%" PRIu64 " ", first ? " " : ", ", n);
}

static void add_client(struct jp_print *p, const struct jp_client_figures *f)
{
	const struct jp_blame *b = &f->worst;
	begin(p, (uint64_t)f->blamed);
	jp_print(p, JP_PLAIN, "%s", f->name);
	if (b->value_ns == JP_NS_UNKNOWN)
		return;
	jp_print(p, JP_PLAIN, " (%s %s ms", jp_blame_text(b->kind), ms(b->value_ns).text);
	if (b->usual_ns != JP_NS_UNKNOWN)
		jp_print(p, JP_PLAIN, ", usually %s", ms(b->usual_ns).text);
	jp_print(p, JP_PLAIN, ")");
}

static void add(struct jp_print *p, uint64_t n, const char *what)
{
	if (!n)
		return;
	begin(p, n);
	jp_print(p, JP_PLAIN, "%s", what);
}

bool jp_overrun_sum(const struct jp_client_figures *f, size_t n, const uint64_t count[JP_BLAME_KINDS],
	uint64_t overruns, char *out, size_t size)
{
	uint64_t clients = count[JP_BLAME_BUSY] + count[JP_BLAME_WOKE_LATE];
	uint64_t judged = clients + count[JP_BLAME_DRIVER] + count[JP_BLAME_RELEASE] + count[JP_BLAME_UNKNOWN];
	struct jp_print p = {.buf = out, .size = size, .utf8 = true};
	out[0] = 0;
	if (!judged)
		return false;
	jp_print(&p, JP_PLAIN, "%" PRIu64 " overrun%s:", overruns, overruns == 1 ? "" : "s");
	for (size_t i = 0; i < n && i < NAMED_MAX && f[i].blamed; i++) {
		add_client(&p, &f[i]);
		clients -= (uint64_t)f[i].blamed;
	}
	add(&p, clients, "others");
	add(&p, count[JP_BLAME_DRIVER], "driver woke late");
	add(&p, count[JP_BLAME_RELEASE], "driver released late");
	add(&p, count[JP_BLAME_UNKNOWN], "unknown");
	add(&p, overruns > judged ? overruns - judged : 0, "without per-client times");
	return true;
}
