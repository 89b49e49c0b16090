/** @file say.h
 * A sentence on standard error that nobody waits for: a terminal that is stopped, or a pipe that is not read, must not keep the
 * program from its end. */
#ifndef JP_SAY_H
#define JP_SAY_H

#include <jackprobe/attributes.h>

enum {
	JP_SAY_PATIENCE_MS = 200, /**< how long the program waits for standard error, in all its life */
	JP_SAY_MAX = 2000,        /**< bytes of a sentence */
};

/** Write "jackprobe: ", the sentence and a line's end. What is no printable character is told in letters (sys/utf8.h), what is
 * longer than JP_SAY_MAX bytes is cut, what standard error does not take in time is left out. Thread: any one at a time. */
void jp_say(const char *fmt, ...) JP_PRINTF(1, 2);

#endif
