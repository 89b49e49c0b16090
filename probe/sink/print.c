/* Text for people: width, safety, numbers. */
#include "print.h"

#include "sys/utf8.h"

#include <jackprobe/window.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void append(struct jp_print *p, const char *s)
{
	size_t n = strlen(s);
	if (p->len + n + 1 > p->size)
		return;
	memcpy(p->buf + p->len, s, n + 1);
	p->len += n;
}

static const char *tone_start(enum jp_tone tone)
{
	switch (tone) {
	case JP_PLAIN:
		return "";
	case JP_DIM:
		return "\033[2m";
	case JP_BOLD:
		return "\033[1m";
	case JP_GOOD:
		return "\033[32m";
	case JP_WARN:
		return "\033[33m";
	case JP_BAD:
		return "\033[1;31m";
	}
	return "";
}

/* The line is full: a mark in its last column instead of what stands there. */
static void cut(struct jp_print *p)
{
	if (p->used == p->columns) {
		p->len = p->last_len;
		p->used = p->last_used;
	}
	p->last_len = p->len;
	p->last_used = p->used;
	append(p, p->color ? "\033[0m" : "");
	append(p, p->utf8 ? "\u2026" : ">");
	p->used = p->columns;
}

static void put(struct jp_print *p, const struct jp_utf8 *c)
{
	if (c->columns > 0) {
		p->last_len = p->len;
		p->last_used = p->used;
	}
	append(p, c->text);
	p->used += c->columns;
}

void jp_print(struct jp_print *p, enum jp_tone tone, const char *fmt, ...)
{
	char text[768];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	bool toned = p->color && tone != JP_PLAIN;
	if (toned)
		append(p, tone_start(tone));
	for (const char *s = text; *s;) {
		struct jp_utf8 c = jp_utf8_next(s, p->utf8);
		if (p->columns && p->used + c.columns > p->columns) {
			cut(p);
			break;
		}
		put(p, &c);
		s += c.bytes;
	}
	if (toned)
		append(p, "\033[0m");
}

void jp_print_to(struct jp_print *p, int column)
{
	if (column > p->used)
		jp_print(p, JP_PLAIN, "%*s", column - p->used, "");
}

void jp_print_end(struct jp_print *p)
{
	append(p, "\n");
	p->used = p->last_used = 0;
	p->last_len = p->len;
}

struct jp_num jp_num(double value, int decimals)
{
	struct jp_num n = {"n/a"};
	int64_t scale = 1;
	for (int i = 0; i < decimals; i++)
		scale *= 10;
	if (!isfinite(value) || fabs(value) > 9e18 / (double)scale)
		return n;
	int64_t whole = llround(value * (double)scale);
	uint64_t size = whole < 0 ? (uint64_t)-whole : (uint64_t)whole;
	const char *sign = whole < 0 ? "-" : "";
	if (decimals)
		snprintf(n.text, sizeof n.text, "%s%llu.%0*llu", sign, (unsigned long long)(size / (uint64_t)scale),
			decimals, (unsigned long long)(size % (uint64_t)scale));
	else
		snprintf(n.text, sizeof n.text, "%s%llu", sign, (unsigned long long)size);
	return n;
}

struct jp_num jp_num_us(double us)
{
	return jp_num(us, fabs(us) < 100000 ? 1 : 0);
}

struct jp_num jp_num_count(int64_t count)
{
	return jp_num(count < 0 ? NAN : (double)count, 0);
}

struct jp_num jp_num_percentile(const struct jp_dist *dist, double us, double p)
{
	struct jp_num n, plain = jp_num_us(us);
	snprintf(n.text, sizeof n.text, "%.30s%s", plain.text, isfinite(us) && jp_dist_thin(dist->n, p) ? "~" : "");
	return n;
}

struct jp_num jp_num_elapsed(double seconds)
{
	struct jp_num n = {"n/a"};
	if (!(seconds >= 0 && seconds < 1e12))
		return n;
	unsigned long s = (unsigned long)seconds, days = s / 86400;
	int at = days ? snprintf(n.text, sizeof n.text, "%lud ", days) : 0;
	snprintf(n.text + at, sizeof n.text - (size_t)at, "%02lu:%02lu:%02lu", s / 3600 % 24, s / 60 % 60, s % 60);
	return n;
}

struct jp_num jp_num_utc(int64_t unix_ns, bool milliseconds)
{
	struct jp_num n = {"n/a"};
	struct tm tm;
	time_t s = (time_t)(unix_ns / 1000000000);
	if (unix_ns < 0 || !gmtime_r(&s, &tm))
		return n;
	size_t at = strftime(n.text, sizeof n.text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (milliseconds)
		at += (size_t)snprintf(n.text + at, sizeof n.text - at, ".%03d", (int)(unix_ns / 1000000 % 1000));
	snprintf(n.text + at, sizeof n.text - at, "Z");
	return n;
}

struct jp_num jp_num_local(int64_t unix_ns)
{
	struct jp_num n = {"n/a"};
	struct tm tm;
	time_t s = (time_t)(unix_ns / 1000000000);
	if (unix_ns >= 0 && localtime_r(&s, &tm))
		strftime(n.text, sizeof n.text, "%H:%M:%S", &tm);
	return n;
}

struct jp_num jp_num_covered(int64_t covered, int64_t clients)
{
	struct jp_num n = {"n/a"};
	if (covered >= 0)
		snprintf(n.text, sizeof n.text, "%.14s/%.14s", jp_num_count(covered).text, jp_num_count(clients).text);
	return n;
}

struct jp_num jp_num_ran(const struct jp_ran *ran)
{
	struct jp_num n = {"n/a"};
	char type[16] = "";
	if (*ran->type)
		snprintf(type, sizeof type, " (%s-core)", ran->type);
	if (ran->cpu >= 0)
		snprintf(n.text, sizeof n.text, "CPU %d%s %.0f %%", ran->cpu, type, ran->pct);
	return n;
}

const char *jp_or_na(const char *text)
{
	return *text ? text : "n/a";
}
