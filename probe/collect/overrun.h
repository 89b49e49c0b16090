/** @file overrun.h
 * The event of an overrun, with who is to blame. */
#ifndef JP_OVERRUN_H
#define JP_OVERRUN_H

#include "collect/culprit.h"

#include <jackprobe/event.h>

/** @param verdict NULL without server timing. @param unix_ns wall clock of the wake-up, -1 = unknown: now. */
struct jp_event jp_overrun_event(const struct jp_cycle *cycle, const struct jp_verdict *verdict, int64_t unix_ns);

/** "12 overruns: 9 synth (busy 3.1 ms, usually 0.4), 2 driver woke late, 1 unknown": for the summary. In brackets the worst of the client's.
 * @param overruns how many there were. @return false when none was judged: then "". */
bool jp_overrun_sum(struct jp_culprit *c, uint64_t overruns, char *out, size_t size);

#endif
