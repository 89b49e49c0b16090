/* Pure text helpers and standing texts of the sensors. */
#include "sense/sensor.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jp_slug(char *out, size_t size, const char *text)
{
	size_t n = 0;
	for (; *text && n + 1 < size; text++) {
		bool plain = isalnum((unsigned char)*text) && (unsigned char)*text < 128;
		if (plain)
			out[n++] = *text;
		else if (n > 0 && out[n - 1] != '_')
			out[n++] = '_';
	}
	while (n > 0 && out[n - 1] == '_')
		n--;
	out[n] = 0;
}

static bool number(const char **text, long *out)
{
	char *end;
	if (!isdigit((unsigned char)**text))
		return false;
	*out = strtol(*text, &end, 10);
	*text = end;
	return *out >= 0;
}

enum jp_status jp_cpulist(const char *text, int limit, void (*visit)(void *arg, int cpu), void *arg)
{
	long first, last;
	do {
		if (!number(&text, &first))
			return JP_BAD_DATA;
		last = first;
		if (*text == '-') {
			text++;
			if (!number(&text, &last) || last < first)
				return JP_BAD_DATA;
		}
		for (long cpu = first; cpu <= last && cpu < limit; cpu++)
			visit(arg, (int)cpu);
	} while (*text++ == ',');
	return text[-1] == 0 || isspace((unsigned char)text[-1]) ? JP_OK : JP_BAD_DATA;
}

void jp_sensor_is(struct jp_sensor_status *out, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(out->source, sizeof out->source, fmt, ap);
	va_end(ap);
	out->available = true;
	out->reason[0] = 0;
}

void jp_sensor_is_not(struct jp_sensor_status *out, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(out->reason, sizeof out->reason, fmt, ap);
	va_end(ap);
	out->available = false;
	out->source[0] = 0;
}

void jp_sensor_too_slow(struct jp_sensor_status *out, const char *what, const struct jp_pace *pace)
{
	jp_sensor_is_not(out, "reading %s took %.1f ms, longer than %.1f ms, %d times in a row: no longer read", what,
		(double)pace->worst_ns / 1e6, (double)pace->limit_ns / 1e6, JP_PACE_STRIKES);
}
