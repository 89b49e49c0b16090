/** @file overrun.h
 * The event of an overrun, with who is to blame. */
#ifndef JP_OVERRUN_H
#define JP_OVERRUN_H

#include "collect/culprit.h"

#include <jackprobe/event.h>

/** @param verdict NULL without server timing. @param unix_ns wall clock of the wake-up, -1 = unknown: now. */
struct jp_event jp_overrun_event(const struct jp_cycle *cycle, const struct jp_verdict *verdict, int64_t unix_ns);

/** "12 overruns: 9 synth, 2 driver, 1 unknown": for the summary. @return false when there were none. */
bool jp_overrun_sum(struct jp_culprit *c, char *out, size_t size);

#endif
