/* Values of options: strict parsing, ranges, and the words for them. */
#include "value.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct jp_quote jp_quote(const char *text)
{
	struct jp_quote q;
	size_t length = strlen(text), room = sizeof q.text - sizeof "''...";
	size_t n = length < room ? length : room;
	while (n < length && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
		n--; /* not through the middle of a UTF-8 character */
	snprintf(q.text, sizeof q.text, "'%.*s'%s", (int)n, text, n < length ? "..." : "");
	for (char *c = q.text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	return q;
}

/* [+-] digits [. digits], at least one digit. */
static bool is_decimal(const char *s)
{
	if (*s == '+' || *s == '-')
		s++;
	size_t whole = strspn(s, "0123456789");
	s += whole;
	size_t part = 0;
	if (*s == '.') {
		part = strspn(s + 1, "0123456789");
		s += 1 + part;
	}
	return *s == 0 && whole + part > 0;
}

bool jp_value_number(const char *text, double *out)
{
	if (!is_decimal(text))
		return false;
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c)
		return false;
	*out = strtod_l(text, NULL, c);
	freelocale(c);
	return isfinite(*out);
}

static const char *unit_word(const char *unit)
{
	static const char *const words[][2] = {{"s", "seconds"}, {"ms", "milliseconds"}, {"us", "microseconds"}};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(unit, words[i][0]) == 0)
			return words[i][1];
	return unit;
}

static void wants_choice(const struct jp_option *o, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, "one of ");
	for (size_t i = 0; o->choices[i] && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s", i ? ", " : "", o->choices[i]);
}

void jp_value_wants(const struct jp_option *o, char *out, size_t size)
{
	const char *whole = o->type == JP_OPT_INT ? "whole " : "";
	if (o->type == JP_OPT_CHOICE)
		wants_choice(o, out, size);
	else if (o->type == JP_OPT_INT || o->type == JP_OPT_REAL)
		snprintf(out, size, "a %snumber%s%s from %.15g to %.15g", whole, o->unit ? " of " : "",
			o->unit ? unit_word(o->unit) : "", o->min, o->max);
	else
		snprintf(out, size, "a value (%s)", o->arg);
}

static enum jp_status refuse(const struct jp_option *o, const char *value, struct jp_why *why)
{
	char wants[160];
	jp_value_wants(o, wants, sizeof wants);
	return jp_why_set(why, JP_BAD_ARG, "--%s wants %s, not %s", o->name, wants, jp_quote(value).text);
}

static enum jp_status set_number(const struct jp_option *o, const char *value, void *member, struct jp_why *why)
{
	double v = 0;
	bool whole = o->type == JP_OPT_INT;
	if (!jp_value_number(value, &v) || v < o->min || v > o->max || (whole && v != floor(v)) ||
		(whole && strchr(value, '.')))
		return refuse(o, value, why);
	if (whole)
		*(int64_t *)member = (int64_t)v;
	else
		*(double *)member = v;
	return JP_OK;
}

static enum jp_status set_choice(const struct jp_option *o, const char *value, int *member, struct jp_why *why)
{
	for (int i = 0; o->choices[i]; i++)
		if (strcmp(value, o->choices[i]) == 0) {
			*member = i;
			return JP_OK;
		}
	return refuse(o, value, why);
}

/* TEXT and LIST: never empty, then the row's own check. */
static enum jp_status check_text(const struct jp_option *o, const char *value, struct jp_why *why)
{
	struct jp_why reason = {""};
	if (!*value)
		return refuse(o, value, why);
	enum jp_status status = o->check ? o->check(value, &reason) : JP_OK;
	return status == JP_OK ? JP_OK : jp_why_set(why, status, "--%s: %s", o->name, reason.text);
}

static enum jp_status add_item(
	const struct jp_option *o, const char *value, struct jp_opt_list *list, struct jp_why *why)
{
	if (list->n == JP_OPT_LIST_MAX)
		return jp_why_set(why, JP_BAD_ARG, "--%s can be given at most %d times", o->name, JP_OPT_LIST_MAX);
	list->item[list->n++] = value;
	return JP_OK;
}

enum jp_status jp_value_set(const struct jp_option *o, const char *value, void *config, struct jp_why *why)
{
	void *member = (char *)config + o->offset;
	enum jp_status status = JP_OK;
	switch (o->type) {
	case JP_OPT_FLAG:
		*(bool *)member = true;
		return JP_OK;
	case JP_OPT_INT:
	case JP_OPT_REAL:
		return set_number(o, value, member, why);
	case JP_OPT_CHOICE:
		return set_choice(o, value, member, why);
	case JP_OPT_TEXT:
		status = check_text(o, value, why);
		if (status == JP_OK)
			*(const char **)member = value;
		return status;
	case JP_OPT_LIST:
		status = check_text(o, value, why);
		return status == JP_OK ? add_item(o, value, member, why) : status;
	}
	return JP_BAD_ARG;
}

enum jp_status jp_value_default(const struct jp_option *o, void *config, struct jp_why *why)
{
	void *member = (char *)config + o->offset;
	switch (o->type) {
	case JP_OPT_FLAG:
		*(bool *)member = false;
		break;
	case JP_OPT_INT:
		*(int64_t *)member = -1;
		break;
	case JP_OPT_REAL:
		*(double *)member = NAN;
		break;
	case JP_OPT_TEXT:
		*(const char **)member = NULL;
		break;
	case JP_OPT_CHOICE:
		*(int *)member = 0;
		break;
	case JP_OPT_LIST:
		*(struct jp_opt_list *)member = (struct jp_opt_list){.n = 0};
		break;
	}
	return o->def ? jp_value_set(o, o->def, config, why) : JP_OK;
}

bool jp_value_printable(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	return true;
}

enum jp_status jp_value_check_server(const char *value, struct jp_why *why)
{
	enum { SERVER_MAX = 128 };
	if (*value && strlen(value) <= SERVER_MAX && !strchr(value, '/') && jp_value_printable(value))
		return JP_OK;
	return jp_why_set(why, JP_BAD_ARG,
		"wants the name of a server, 1 to %d bytes of printable text without '/', not %s", SERVER_MAX,
		jp_quote(value).text);
}

enum jp_status jp_value_check_default_server(struct jp_why *why)
{
	const char *server = getenv("JACK_DEFAULT_SERVER");
	struct jp_why wants;
	if (!server || jp_value_check_server(server, &wants) == JP_OK)
		return JP_OK;
	return jp_why_set(why, JP_BAD_ARG, "JACK_DEFAULT_SERVER %.200s", wants.text);
}
