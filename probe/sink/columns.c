/* The table of the window's columns and how one value is written. */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct jp_report, member)
#define RUN(name, kind, member)                                                                                        \
	{                                                                                                              \
		name, kind, JP_ABOUT_RUN, 0, AT(member)                                                                \
	}
#define COUNT(name)                                                                                                    \
	{                                                                                                              \
#name, JP_COL_COUNT, JP_ABOUT_SPAN, 0, AT(window.counts.name)                                          \
	}
#define SPAN(name, decimals)                                                                                           \
	{                                                                                                              \
#name, JP_COL_REAL, JP_ABOUT_SPAN, decimals, AT(window.name)                                           \
	}
#define DIST(dist, figure)                                                                                             \
	{                                                                                                              \
#dist "_" #figure, JP_COL_REAL, JP_ABOUT_DIST, 3, AT(window.dist.figure)                               \
	}
#define HOST(name, decimals)                                                                                           \
	{                                                                                                              \
#name, JP_COL_REAL, JP_ABOUT_HOST, decimals, AT(host.name)                                             \
	}

const struct jp_column jp_columns[] = {
	RUN("time_utc", JP_COL_TIME, unix_ns),
	RUN("unix_ns", JP_COL_INT, unix_ns),
	{"elapsed_s", JP_COL_REAL, JP_ABOUT_RUN, 3, AT(elapsed_s)},
	RUN("seq", JP_COL_SERIAL, seq),
	RUN("epoch", JP_COL_SERIAL, epoch),
	RUN("state", JP_COL_STATE, state),
	RUN("rate_hz", JP_COL_COUNT, rate_hz),
	RUN("frames", JP_COL_COUNT, frames),
	{"period_us", JP_COL_REAL, JP_ABOUT_RUN, 3, AT(period_us)},
	COUNT(cycles),
	COUNT(overruns),
	COUNT(lost),
	COUNT(incomplete),
	COUNT(xruns),
	SPAN(xrun_delay_max_us, 3),
	COUNT(dropped),
	COUNT(freewheel),
	RUN("wake_source", JP_COL_WAKE, wake_source),
	RUN("end_source", JP_COL_END, end_source),
	DIST(cycle_end, min_us),
	DIST(cycle_end, mean_us),
	DIST(cycle_end, p50_us),
	DIST(cycle_end, p90_us),
	DIST(cycle_end, p99_us),
	DIST(cycle_end, p999_us),
	DIST(cycle_end, max_us),
	SPAN(headroom_min_us, 3),
	DIST(dispatch, p50_us),
	DIST(dispatch, p99_us),
	DIST(dispatch, max_us),
	DIST(lateness, p50_us),
	DIST(lateness, p99_us),
	DIST(lateness, max_us),
	DIST(tail_hop, p50_us),
	DIST(tail_hop, p99_us),
	SPAN(load_p50_pct, 2),
	SPAN(load_max_pct, 2),
	RUN("clients", JP_COL_COUNT, clients),
	RUN("covered", JP_COL_COUNT, covered),
	{"worst_client", JP_COL_NAME, JP_ABOUT_HOST, 0, AT(worst_client)},
	HOST(dma_latency_us, 0),
	HOST(cpu_user_pct, 2),
	HOST(cpu_system_pct, 2),
	HOST(cpu_nice_pct, 2),
	HOST(cpu_iowait_pct, 2),
	HOST(cpu_irq_pct, 2),
	HOST(cpu_softirq_pct, 2),
	HOST(irq_per_s, 1),
	HOST(ctxt_per_s, 1),
	HOST(freq_mean_mhz, 1),
	HOST(freq_min_mhz, 1),
	HOST(freq_max_mhz, 1),
	HOST(rt_freq_mhz, 1),
	HOST(rt_pcore_pct, 2),
	HOST(power_w, 3),
};
const size_t jp_n_columns = sizeof jp_columns / sizeof jp_columns[0];

static bool put_int(struct jp_text *t, int64_t value, bool known)
{
	if (known)
		jp_text_int(t, value);
	return known;
}

/* A word of our own: needs no escaping. */
static bool put_word(struct jp_text *t, const char *word, enum jp_quoting as)
{
	if (!word[0])
		return false;
	if (as == JP_QUOTE_JSON)
		jp_text_json(t, word);
	else
		jp_text_put(t, word);
	return true;
}

static bool put_name(struct jp_text *t, const char *name, enum jp_quoting as)
{
	if (!name[0])
		return false;
	if (as == JP_QUOTE_JSON)
		jp_text_json(t, name);
	else
		jp_text_csv(t, name);
	return true;
}

static bool put_time(struct jp_text *t, int64_t unix_ns, enum jp_quoting as)
{
	const char *quote = as == JP_QUOTE_JSON ? "\"" : "";
	jp_text_put(t, quote);
	jp_text_time(t, unix_ns);
	jp_text_put(t, quote);
	return true;
}

bool jp_column_put(
	struct jp_text *t, const struct jp_column *column, const struct jp_report *report, enum jp_quoting as)
{
	const void *at = (const char *)report + column->offset;
	switch (column->kind) {
	case JP_COL_TIME:
		return put_time(t, *(const int64_t *)at, as);
	case JP_COL_INT:
		return put_int(t, *(const int64_t *)at, true);
	case JP_COL_COUNT:
		return put_int(t, *(const int64_t *)at, *(const int64_t *)at >= 0);
	case JP_COL_SERIAL:
		return put_int(t, *(const uint32_t *)at, *(const uint32_t *)at > 0);
	case JP_COL_REAL:
		return jp_text_real(t, *(const double *)at, column->decimals);
	case JP_COL_STATE:
		return put_word(t, jp_state_text(*(const enum jp_state *)at), as);
	case JP_COL_WAKE:
		return put_word(t, jp_wake_source_text(*(const enum jp_wake_source *)at), as);
	case JP_COL_END:
		return put_word(t, jp_end_source_text(*(const enum jp_end_source *)at), as);
	case JP_COL_NAME:
		return put_name(t, at, as);
	}
	return false;
}

int jp_extra_decimals(const char *name)
{
	static const struct {
		const char *unit;
		int decimals;
	} units[] = {{"_w", 3}, {"_pct", 2}, {"_c", 1}, {"_mib", 2}};
	size_t len = strlen(name);
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		size_t n = strlen(units[i].unit);
		if (len > n && strcmp(name + len - n, units[i].unit) == 0)
			return units[i].decimals;
	}
	return 3;
}

enum jp_status jp_extra_copy(struct jp_extra_names *to, const struct jp_extra_column *columns, size_t n)
{
	*to = (struct jp_extra_names){.n = n < JP_EXTRA_MAX ? n : JP_EXTRA_MAX};
	if (!to->n)
		return JP_OK;
	to->name = calloc(to->n, sizeof to->name[0]);
	to->decimals = calloc(to->n, sizeof to->decimals[0]);
	if (!to->name || !to->decimals) {
		jp_extra_free(to);
		return JP_NO_MEM;
	}
	for (size_t i = 0; i < to->n; i++) {
		memcpy(to->name[i], columns[i].csv, sizeof to->name[i]);
		to->name[i][sizeof to->name[i] - 1] = 0;
		to->decimals[i] = jp_extra_decimals(to->name[i]);
	}
	return JP_OK;
}

void jp_extra_free(struct jp_extra_names *names)
{
	free(names->name);
	free(names->decimals);
	*names = (struct jp_extra_names){0};
}

void jp_columns_header(struct jp_text *t, const struct jp_extra_names *extra)
{
	for (size_t i = 0; i < jp_n_columns; i++) {
		jp_text_put(t, i ? "," : "");
		jp_text_put(t, jp_columns[i].name);
	}
	for (size_t i = 0; i < extra->n; i++) {
		jp_text_char(t, ',');
		jp_text_put(t, extra->name[i]);
	}
}

void jp_columns_json_names(struct jp_text *t, const struct jp_extra_names *extra)
{
	for (size_t i = 0; i < jp_n_columns; i++) {
		jp_text_char(t, i ? ',' : '[');
		jp_text_json(t, jp_columns[i].name);
	}
	for (size_t i = 0; i < extra->n; i++) {
		jp_text_char(t, ',');
		jp_text_json(t, extra->name[i]);
	}
	jp_text_char(t, ']');
}
