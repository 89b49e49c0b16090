/** @file descriptors.h
 * How many files may be open: libjack crashes or hangs where it cannot open one more. */
#ifndef JP_DESCRIPTORS_H
#define JP_DESCRIPTORS_H

#include <jackprobe/status.h>

/** Make sure that so many may be open at a time, by raising the process's own limit where that is allowed.
 * Errors: JP_DENIED with the sentence. */
enum jp_status jp_descriptors_need(unsigned n, struct jp_why *why);

#endif
