/* Lines of text without the locale: numbers, RFC 4180, JSON, times. */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void jp_text_clear(struct jp_text *t)
{
	t->len = 0;
	t->failed = false;
}

void jp_text_free(struct jp_text *t)
{
	free(t->at);
	*t = (struct jp_text){0};
}

bool jp_text_room(struct jp_text *t, size_t n)
{
	if (t->failed)
		return false;
	if (t->cap - t->len >= n)
		return true;
	size_t cap = t->cap ? t->cap : 1024;
	while (cap - t->len < n)
		cap *= 2;
	char *at = realloc(t->at, cap);
	if (!at) {
		t->failed = true;
		return false;
	}
	t->at = at;
	t->cap = cap;
	return true;
}

void jp_text_bytes(struct jp_text *t, const char *bytes, size_t n)
{
	if (!n || !jp_text_room(t, n))
		return;
	memcpy(t->at + t->len, bytes, n);
	t->len += n;
}

void jp_text_put(struct jp_text *t, const char *s)
{
	jp_text_bytes(t, s, strlen(s));
}

void jp_text_char(struct jp_text *t, char c)
{
	jp_text_bytes(t, &c, 1);
}

size_t jp_text_digits(char *out, uint64_t value)
{
	char back[JP_TEXT_DIGITS_MAX];
	size_t n = 0;
	do {
		back[n++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	for (size_t i = 0; i < n; i++)
		out[i] = back[n - 1 - i];
	return n;
}

/* Digits with leading zeros up to a width. */
static void put_padded(struct jp_text *t, uint64_t value, size_t width)
{
	char digits[JP_TEXT_DIGITS_MAX];
	size_t n = jp_text_digits(digits, value);
	for (size_t i = n; i < width; i++)
		jp_text_char(t, '0');
	jp_text_bytes(t, digits, n);
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void jp_text_int(struct jp_text *t, int64_t value)
{
	if (value < 0)
		jp_text_char(t, '-');
	put_padded(t, magnitude(value), 1);
}

bool jp_text_real(struct jp_text *t, double value, int decimals)
{
	static const int32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
	const double most = 9e18;
	if (!isfinite(value) || fabs(value) >= most)
		return false;
	uint64_t unit = (uint64_t)powers[decimals];
	uint64_t whole = (uint64_t)fabs(value);
	uint64_t part = (uint64_t)llround((fabs(value) - (double)whole) * (double)unit); /* the difference is exact */
	if (part == unit) {
		whole++;
		part = 0;
	}
	if (value < 0 && (whole || part))
		jp_text_char(t, '-');
	put_padded(t, whole, 1);
	if (decimals) {
		jp_text_char(t, '.');
		put_padded(t, part, (size_t)decimals);
	}
	return true;
}

void jp_text_time(struct jp_text *t, int64_t unix_ns)
{
	const int64_t second = 1000000000;
	int64_t rest = unix_ns % second;
	time_t at = (time_t)(unix_ns / second);
	if (rest < 0) {
		rest += second;
		at--;
	}
	struct tm tm;
	if (!gmtime_r(&at, &tm))
		return;
	const struct {
		int value;
		char width, after;
	} parts[] = {
		{tm.tm_year + 1900, 4, '-'},
		{tm.tm_mon + 1, 2, '-'},
		{tm.tm_mday, 2, 'T'},
		{tm.tm_hour, 2, ':'},
		{tm.tm_min, 2, ':'},
		{tm.tm_sec, 2, '.'},
		{(int)(rest / 1000000), 3, 'Z'},
	};
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		put_padded(t, (uint64_t)parts[i].value, (size_t)parts[i].width);
		jp_text_char(t, parts[i].after);
	}
}

/* Bytes of the well-formed UTF-8 character at s (Unicode 15, table 3-7); 0 when it is none. The terminating NUL is no
 * continuation byte, so nothing is read past it. */
static size_t utf8_size(const unsigned char *s)
{
	static const struct {
		unsigned char first, last, second_min, second_max, size;
	} forms[] = {
		{0x00, 0x7f, 0x00, 0x00, 1},
		{0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		if (s[0] < forms[i].first || s[0] > forms[i].last)
			continue;
		if (forms[i].size > 1 && (s[1] < forms[i].second_min || s[1] > forms[i].second_max))
			return 0;
		for (size_t k = 2; k < forms[i].size; k++) {
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		}
		return forms[i].size;
	}
	return 0;
}

/* Put one character or, for a byte that belongs to none, U+FFFD. @return the bytes it took from s. */
static size_t put_character(struct jp_text *t, const char *s)
{
	size_t size = utf8_size((const unsigned char *)s);
	if (size)
		jp_text_bytes(t, s, size);
	else
		jp_text_put(t, "\xef\xbf\xbd");
	return size ? size : 1;
}

void jp_text_csv(struct jp_text *t, const char *s)
{
	jp_text_char(t, '"');
	while (*s) {
		if (*s == '"')
			jp_text_char(t, '"');
		s += put_character(t, s);
	}
	jp_text_char(t, '"');
}

static void put_json_control(struct jp_text *t, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	const char escape[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
	jp_text_bytes(t, escape, sizeof escape);
}

void jp_text_json(struct jp_text *t, const char *s)
{
	jp_text_char(t, '"');
	while (*s) {
		if ((unsigned char)*s < 0x20) {
			put_json_control(t, (unsigned char)*s++);
			continue;
		}
		if (*s == '"' || *s == '\\')
			jp_text_char(t, '\\');
		s += put_character(t, s);
	}
	jp_text_char(t, '"');
}
