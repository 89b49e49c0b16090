/* The figures of a window as OSC arguments. */
#include "figures.h"

#include "parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum jp_status jp_osc_figures_init(
	struct jp_osc_figures *figures, const struct jp_extra_column *columns, size_t n_columns, struct jp_why *why)
{
	memcpy(figures->at, jp_osc_values, jp_osc_n_values * sizeof *jp_osc_values);
	figures->n = jp_osc_n_values;
	for (size_t i = 0; i < n_columns && i < JP_EXTRA_MAX; i++) {
		if (!columns[i].osc[0])
			continue;
		if (!jp_osc_address_valid(columns[i].osc) || figures->n == JP_OSC_FIGURES_MAX)
			return jp_why_set(
				why, JP_BAD_ARG, "column %s: '%s' is no OSC address", columns[i].csv, columns[i].osc);
		figures->at[figures->n++] = (struct jp_osc_value){columns[i].osc, JP_OSC_REAL,
			offsetof(struct jp_report, host.extra) + i * sizeof(double), columns[i].csv};
	}
	return JP_OK;
}

char jp_osc_figure_type(const struct jp_osc_value *value)
{
	switch (value->kind) {
	case JP_OSC_REAL:
		return 'f';
	case JP_OSC_COUNT:
	case JP_OSC_INTEGER:
		return 'i';
	case JP_OSC_DECIMAL:
	case JP_OSC_STATE:
	case JP_OSC_WAKE:
	case JP_OSC_END:
		break;
	}
	return 's';
}

int32_t jp_osc_clamp(int64_t value)
{
	return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

/* A real number that a float cannot hold is left out: any float in its place would be a wrong number. */
static bool put_real(struct jp_osc_msg *msg, const void *at)
{
	double value;
	memcpy(&value, at, sizeof value);
	float single = (float)value;
	if (!isfinite(single))
		return false;
	jp_osc_msg_float(msg, single);
	return true;
}

static bool put_integer(struct jp_osc_msg *msg, const void *at)
{
	double value;
	memcpy(&value, at, sizeof value);
	value = round(value);
	if (!(value >= INT32_MIN && value <= INT32_MAX))
		return false;
	jp_osc_msg_int(msg, (int32_t)value);
	return true;
}

static bool put_count(struct jp_osc_msg *msg, const void *at, bool decimal)
{
	char text[JP_OSC_SHORT_TEXT_MAX + 1];
	char *digit = text + JP_OSC_SHORT_TEXT_MAX;
	int64_t value;
	memcpy(&value, at, sizeof value);
	if (value < 0)
		return false;
	if (!decimal) {
		jp_osc_msg_int(msg, jp_osc_clamp(value));
		return true;
	}
	*digit = 0;
	do
		*--digit = (char)('0' + value % 10);
	while (value /= 10);
	jp_osc_msg_text(msg, digit, JP_OSC_SHORT_TEXT_MAX);
	return true;
}

static bool put_word(struct jp_osc_msg *msg, const char *word)
{
	if (*word)
		jp_osc_msg_text(msg, word, JP_OSC_SHORT_TEXT_MAX);
	return *word;
}

bool jp_osc_figure_put(struct jp_osc_msg *msg, const struct jp_osc_value *value, const struct jp_report *report)
{
	const void *at = (const char *)report + value->offset;
	switch (value->kind) {
	case JP_OSC_REAL:
		return put_real(msg, at);
	case JP_OSC_INTEGER:
		return put_integer(msg, at);
	case JP_OSC_COUNT:
		return put_count(msg, at, false);
	case JP_OSC_DECIMAL:
		return put_count(msg, at, true);
	case JP_OSC_STATE:
		return put_word(msg, jp_state_text(*(const enum jp_state *)at));
	case JP_OSC_WAKE:
		return put_word(msg, jp_wake_source_text(*(const enum jp_wake_source *)at));
	case JP_OSC_END:
		return put_word(msg, jp_end_source_text(*(const enum jp_end_source *)at));
	}
	return false;
}

void jp_osc_put_time(struct jp_osc_msg *msg, const struct jp_report *report)
{
	jp_osc_msg_int(msg, (int32_t)(uint32_t)(report->unix_ns / 1000000000));
	jp_osc_msg_int(msg, (int32_t)(report->unix_ns % 1000000000));
}

int32_t jp_osc_seq(const struct jp_report *report)
{
	return (int32_t)(report->seq & INT32_MAX);
}
