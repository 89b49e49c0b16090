/** @file overrun.h
 * The events of an overrun, with who is to blame, and of a client that is stuck. */
#ifndef JP_OVERRUN_H
#define JP_OVERRUN_H

#include "collect/culprit.h"

#include <jackprobe/event.h>

/** @param verdict NULL without server timing. @param unix_ns wall clock of the wake-up, -1 = unknown: now. */
struct jp_event jp_overrun_event(const struct jp_cycle *cycle, const struct jp_verdict *verdict, int64_t unix_ns);

/** @param cycle the one at hand. @param unix_ns wall clock of the cycle's wake-up, -1 = unknown: now. */
struct jp_event jp_stuck_event(const struct jp_cycle *cycle, const struct jp_stuck_news *news, int64_t unix_ns);

/** "12 overruns: 9 synth (busy 3.1 ms, usually 0.4), 2 driver woke late, 1 unknown": for the summary. In brackets the worst of
 * the client's. Pure.
 * @param f clients since start, most blamed first. @param count overruns that were judged, by kind of blame. @param overruns how many there
 * were. @return false when none was judged: then "". */
bool jp_overrun_sum(const struct jp_client_figures *f, size_t n, const uint64_t count[JP_BLAME_KINDS],
	uint64_t overruns, char *out, size_t size);

#endif
