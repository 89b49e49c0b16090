/** @file match.h
 * Sorts the tail's calls into the intervals between driver wake-ups, lets verdict.h decide, and hands out the cycles. */
#ifndef JP_MATCH_H
#define JP_MATCH_H

#include "pairing.h"

/** Work until the next cycle is finished. @param flush no more records will come. @return false when there is none. */
bool jp_match_next(struct jp_pair *p, struct jp_cycle *out, bool flush);

#endif
