/* Words about overruns. */
#include "overrun.h"

#include "collect/teller.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct jp_event jp_overrun_event(const struct jp_cycle *cycle, const struct jp_verdict *verdict, int64_t unix_ns)
{
	struct jp_event e = jp_event_at(JP_EVENT_OVERRUN, cycle, (double)jp_cycle_end_ns(cycle) / 1e3, unix_ns);
	double over_us = e.value_us - (double)jp_cycle_period_ns(cycle) / 1e3;
	char why[96] = "";
	if (verdict) {
		snprintf(e.client, sizeof e.client, "%s", verdict->client);
		snprintf(e.kind, sizeof e.kind, "%s", jp_blame_text(verdict->blame.kind));
		jp_verdict_text(verdict, why, sizeof why);
	}
	if (why[0])
		jp_event_detail(&e, "%.60s%s%s: the graph finished %.0f us after the deadline", e.client,
			e.client[0] ? " " : "", why, over_us);
	else
		jp_event_detail(&e, "the graph finished %.0f us after the deadline", over_us);
	return e;
}

static int append(char *out, size_t size, int at, uint64_t n, const char *who)
{
	if (!n || at < 0 || (size_t)at >= size)
		return at;
	return at + snprintf(out + at, size - (size_t)at, "%s%" PRIu64 " %s", at ? ", " : "", n, who);
}

bool jp_overrun_sum(struct jp_culprit *c, char *out, size_t size)
{
	struct jp_client_figures *f = calloc(JP_CLIENTS_MAX, sizeof *f);
	size_t n = f ? jp_client_stats_total(jp_culprit_stats(c), f, JP_CLIENTS_MAX) : 0;
	int at = 0;
	out[0] = 0;
	for (size_t i = 0; i < n; i++)
		at = append(out, size, at, (uint64_t)f[i].blamed, f[i].name);
	at = append(out, size, at, jp_culprit_count(c, JP_BLAME_DRIVER), "the server's driver");
	append(out, size, at, jp_culprit_count(c, JP_BLAME_UNKNOWN), "unknown");
	free(f);
	return out[0] != 0;
}
