/** @file text.h
 * A growing line of text and the ways in which files get their numbers, names and times. Nothing here looks at the
 * locale: digits are made by integer arithmetic, so that LC_ALL cannot change a byte. One thread at a time per line. */
#ifndef JP_TEXT_H
#define JP_TEXT_H

#include <jackprobe/attributes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A line under construction. All zero = empty. Not NUL-terminated. */
struct jp_text {
	char *at;
	size_t len, cap;
	bool failed; /**< memory ran out: the text is not whole and must not be written */
};

/** Start again with the memory that is there. */
void jp_text_clear(struct jp_text *t);
void jp_text_free(struct jp_text *t);

/** Make room for n more bytes, which may then be written at t->at + t->len. @return false when memory ran out. */
bool jp_text_room(struct jp_text *t, size_t n);

void jp_text_bytes(struct jp_text *t, const char *bytes, size_t n);
void jp_text_put(struct jp_text *t, const char *s);
void jp_text_char(struct jp_text *t, char c);
void jp_text_int(struct jp_text *t, int64_t value);

/** A number with a fixed count of decimals (0..9), rounded half away from zero; never "-0.000".
 * @return false, with nothing written, for NaN, an infinity or a magnitude of 9e18 and more: such a value is unknown. */
bool jp_text_real(struct jp_text *t, double value, int decimals);

/** "2026-01-31T23:59:59.123Z" (milliseconds, cut, not rounded). @param unix_ns CLOCK_REALTIME. */
void jp_text_time(struct jp_text *t, int64_t unix_ns);

/** A CSV field in double quotes (RFC 4180: quotes doubled, commas and line ends kept). Invalid UTF-8 becomes U+FFFD. */
void jp_text_csv(struct jp_text *t, const char *s);

/** A JSON string with its quotes; control characters escaped. Invalid UTF-8 becomes U+FFFD. */
void jp_text_json(struct jp_text *t, const char *s);

enum { JP_TEXT_DIGITS_MAX = 20 };
/** Decimal digits of a number, no terminator. @param out JP_TEXT_DIGITS_MAX bytes. @return how many were written. */
size_t jp_text_digits(char *out, uint64_t value);

#endif
