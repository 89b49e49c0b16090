/** @file verdict.h
 * Decides at the end of an interval between driver wake-ups which cycle its calls of the tail belong to. */
#ifndef JP_VERDICT_H
#define JP_VERDICT_H

#include "pairing.h"

/** The present interval has ended and all its calls are known: decide. Moves it from now to open. */
void jp_verdict_close(struct jp_pair *p);

/** A call in an interval whose head was not seen. @return true when it is the end of a late cycle; false: nobody's. */
bool jp_verdict_stray(struct jp_pair *p, const struct jp_record *tail);

/** No more records come, or none for too long: decide all that is open by what is known. */
void jp_verdict_end(struct jp_pair *p);

/** Pairing was lost and found again: the next pair is the first after it. */
void jp_verdict_resync(struct jp_pair *p);

#endif
