/** @file print.h
 * Text for people, in memory of the caller's: cut at a width in terminal columns, safe against whatever a client calls
 * itself, with numbers that do not depend on the locale. Pure. */
#ifndef JP_PRINT_H
#define JP_PRINT_H

#include <jackprobe/attributes.h>
#include <jackprobe/report.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jp_tone { JP_PLAIN, JP_DIM, JP_BOLD, JP_GOOD, JP_WARN, JP_BAD };

struct jp_print {
	char *buf;
	size_t size, len; /**< always NUL-terminated; what does not fit is left out */
	bool utf8;        /**< false: other than ASCII becomes '?' */
	bool color;       /**< false: tones are ignored */
	int columns;      /**< of a line; 0 = no limit */
	int used;         /**< columns of the present line */
	size_t last_len;  /**< len and used before the line's last character */
	int last_used;
};

/** Append formatted text to the line, in at most 767 bytes. Control, bidirectional and invalid characters are made visible
 * (\\x1b, \\u202e), line ends too. Where the line's width is exceeded the rest of the line is left out and a mark stands in its last
 * column: half a number must not look like a number. */
void jp_print(struct jp_print *p, enum jp_tone tone, const char *fmt, ...) JP_PRINTF(3, 4);
/** Spaces up to column `column` (counted from 0). */
void jp_print_to(struct jp_print *p, int column);
/** End the line. */
void jp_print_end(struct jp_print *p);

struct jp_num {
	char text[32];
};
/** A number with fixed decimals (0..6); "n/a" for NaN and infinity. */
struct jp_num jp_num(double value, int decimals);
/** Microseconds with one decimal, from 100000 up none. */
struct jp_num jp_num_us(double us);
/** A count; "n/a" for -1. */
struct jp_num jp_num_count(int64_t count);
/** Microseconds of percentile p, with a '~' behind it when too few samples stand behind it. */
struct jp_num jp_num_percentile(const struct jp_dist *dist, double us, double p);
/** "00:01:23", "2d 00:01:23". */
struct jp_num jp_num_elapsed(double seconds);
/** Wall clock: "2026-01-31T23:59:59Z", with milliseconds on request; "n/a" for unknown (below 0). */
struct jp_num jp_num_utc(int64_t unix_ns, bool milliseconds);
/** Wall clock of the place: "23:59:59". */
struct jp_num jp_num_local(int64_t unix_ns);
/** Coverage: "7/8"; "n/a" when neither is known. */
struct jp_num jp_num_covered(int64_t covered, int64_t clients);
/** Where a callback ran: "CPU 3 98 %", with the core's type "CPU 3 (P-core) 98 %". */
struct jp_num jp_num_ran(const struct jp_ran *ran);
/** A text that may be missing: "n/a" for "". */
const char *jp_or_na(const char *text);

#endif
