/** @file manual.h
 * The manual page: a text with places where tables of the program go in. */
#ifndef JP_MANUAL_H
#define JP_MANUAL_H

#include "cli.h"

/** What goes into the places. */
struct jp_manual {
	const struct jp_command *const *commands;
	size_t n_commands;
	const char *version;
};

/** Copy the template; a line of "@NAME" or "@NAME WORD" alone becomes
 *   @TITLE              the .TH line with the version
 *   @COMMANDS           name and sentence of every command
 *   @OPTIONS COMMAND    the options of a command
 *   @OSC_VALUES         addresses, types and meaning of a window's values
 *   @OSC_MESSAGES       the other messages.
 * Thread: any. Errors: JP_BAD_DATA (unknown place or command, says which line), JP_IO. */
enum jp_status jp_manual_write(const struct jp_manual *manual, FILE *in, FILE *out, struct jp_why *why);

/** Text with what roff would take for its own made harmless. */
void jp_manual_text(FILE *out, const char *text);

#endif
