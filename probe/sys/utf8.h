/** @file utf8.h
 * One character at a time of text that nobody vouches for, made fit to be shown on a terminal. Pure. */
#ifndef JP_UTF8_H
#define JP_UTF8_H

#include <stdbool.h>
#include <stddef.h>

struct jp_utf8 {
	char text[12]; /**< what to show: the character itself, "\x1b" in letters for a control character or a wrong
	                * byte, "\u202e" in letters for one that turns or hides text, "?" where only ASCII can be shown */
	int columns;   /**< that this takes on a terminal: 0 (combining) to 6 */
	size_t bytes;  /**< of the input: go on behind them */
};

/** @param s not empty, NUL-terminated. @param utf8 false: the terminal shows ASCII only. */
struct jp_utf8 jp_utf8_next(const char *s, bool utf8);

/** A whole text in such characters, UTF-8 allowed; what does not fit into size bytes is left out. */
void jp_utf8_show(const char *s, char *out, size_t size);

#endif
