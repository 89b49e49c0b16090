/** @file value.h
 * From the text of an option's value to the member of the config struct. */
#ifndef JP_VALUE_H
#define JP_VALUE_H

#include "cli.h"

enum { JP_QUOTE_MAX = 80 };
/** A user's text for a message: quoted, cut, control characters as '?'. */
struct jp_quote {
	char text[JP_QUOTE_MAX];
};
struct jp_quote jp_quote(const char *text);

/** Parse a decimal number ("12", "0.5", "-3"): digits with at most one point, nothing else; the locale does not matter.
 * @return false when the text is anything else or too large for a double. */
bool jp_value_number(const char *text, double *out);

/** Nothing in it that a terminal or a log would take for a command? */
bool jp_value_printable(const char *text);

/** Is the text a name that libjack can take for a server's (it copies names into small buffers unchecked)? Errors: JP_BAD_ARG. */
enum jp_status jp_value_check_server(const char *value, struct jp_why *why);

/** The same for JACK_DEFAULT_SERVER, which libjack reads by itself. */
enum jp_status jp_value_check_default_server(struct jp_why *why);

/** Set the option's member to the value; a list grows by it. Errors: JP_BAD_ARG with the sentence. */
enum jp_status jp_value_set(const struct jp_option *option, const char *value, void *config, struct jp_why *why);
/** Set the member to the default of the row, or to what stands for "not given". Errors: as jp_value_set. */
enum jp_status jp_value_default(const struct jp_option *option, void *config, struct jp_why *why);

/** What the option takes, in words: "a number of seconds from 0.1 to 3600", "one of auto, once, none". */
void jp_value_wants(const struct jp_option *option, char *out, size_t size);

#endif
