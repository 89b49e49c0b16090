/** @file out.h
 * Writing to the program's standard output: all of it or an error, never a signal. */
#ifndef JP_OUT_H
#define JP_OUT_H

#include <jackprobe/status.h>
#include <stdbool.h>
#include <stddef.h>

/** Write n bytes in one write(2) if the kernel takes them so. Blocks while the reader is slow, also when the descriptor is
 * non-blocking. A reader that went away is an error, not SIGPIPE, whatever the program does with that signal.
 * Thread: any. Errors: JP_GONE (nobody reads any more), else by errno. */
enum jp_status jp_out_write(int fd, const char *text, size_t n, struct jp_why *why);

/** Does the locale of the environment (LC_ALL, LC_CTYPE, LANG) ask for UTF-8? Changes no locale. Thread: any. */
bool jp_out_utf8(void);

#endif
