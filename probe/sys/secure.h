/** @file secure.h
 * A program with file capabilities or set-ID bits: the dynamic linker ignores LD_LIBRARY_PATH there, and with it pw-jack. */
#ifndef JP_SECURE_H
#define JP_SECURE_H

#include <jackprobe/status.h>

#include <stdbool.h>
#include <stddef.h>

/** Does the library path in these variables (NAME=VALUE, each ended by a zero byte) lead to PipeWire's libjack? */
bool jp_secure_pw_jack(const char *variables, size_t size);

/** Was the program started through pw-jack in vain?
 * @param last_word the last word of the command line as main() got it: the kernel puts the environment behind it.
 * @param libjack version that the libjack in use tells of itself, or NULL.
 * Errors: JP_UNSUPPORTED with the sentence. */
enum jp_status jp_secure_check(const char *last_word, const char *libjack, struct jp_why *why);

#endif
