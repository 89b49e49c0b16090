/** @file pair.h
 * Makes cycles of head and tail records. Pure: touches no clock, file or thread, so that the same records from a file
 * give the same cycles.
 *
 * Head and tail pair **by order**. On jackd2 in async mode a tail that is late runs in the next cycle's frame and its
 * calls are never lost: the k-th tail call belongs to the k-th head call. On PipeWire wake-ups of a late client melt
 * into one: a tail that runs in a later frame ends the oldest open cycle and the cycles in between have no tail.
 * Resynchronisation needs evidence (a tail before its head's wake-up; a steady surplus of heads without any xrun), and
 * what could not be paired is handed out as an incomplete cycle. */
#ifndef JACKPROBE_PAIR_H
#define JACKPROBE_PAIR_H

#include <jackprobe/cycle.h>
#include <jackprobe/record.h>
#include <jackprobe/status.h>
#include <stdbool.h>
#include <stddef.h>

JP_BEGIN_DECLS

/** What the server does with the wake-ups of a late client. */
enum jp_pair_mode {
	JP_PAIR_QUEUED,    /**< they add up (jackd1, jackd2) */
	JP_PAIR_COALESCED, /**< they melt into one (PipeWire) */
	JP_PAIR_HEAD_ONLY, /**< there is no tail: every head record is a cycle without tail and end */
};

struct jp_pair_config {
	enum jp_pair_mode mode;
	enum jp_wake_source
		wake_source; /**< what wake_us of the head's records means: JP_WAKE_DRIVER or JP_WAKE_NOMINAL;
	                                  * records with wake_us = 0 fall back to nominal_us, JP_WAKE_FILTERED */
};

struct jp_pair; /**< opaque; jp_pair_new, jp_pair_free */

/** @return NULL when out of memory. Thread: any; afterwards one thread at a time. The caller owns it. */
struct jp_pair *jp_pair_new(const struct jp_pair_config *config);
void jp_pair_free(struct jp_pair *pair);

/** Put in records of one role, in the order in which they were taken from their ring. Put in the tail's records of a
 * poll before the head's are taken from their ring but call jp_pair_next only after both.
 * Errors: JP_FULL - more than 64 Ki records waiting; the oldest are handed out as incomplete to make room. */
enum jp_status jp_pair_put(struct jp_pair *pair, const struct jp_record *records, size_t n);

/** Tell that the server notified an xrun: evidence that late tails are late and not lost. */
void jp_pair_xrun(struct jp_pair *pair);

/** Tell that a suspend was seen (CLOCK_BOOTTIME moved against CLOCK_MONOTONIC): open cycles and the next one get
 * JP_CYCLE_SUSPEND. */
void jp_pair_suspend(struct jp_pair *pair);

/** Forget which head belongs to which tail (server gone, clients re-opened, tail re-wired): open records are handed out
 * as incomplete, the next ones start afresh. Unwrapping of frames and the epoch count go on; the jump of the frame
 * counter over the break counts no lost cycle. @param config the new attachment's, or NULL to keep the present one. */
void jp_pair_break(struct jp_pair *pair, const struct jp_pair_config *config);

/** Take the next finished cycle. @param flush true: no more records will come, hand out open ones as incomplete.
 * @return false when there is none. */
bool jp_pair_next(struct jp_pair *pair, struct jp_cycle *out, bool flush);

/** How often pairing had to be re-established. */
uint64_t jp_pair_resyncs(const struct jp_pair *pair);

JP_END_DECLS

#endif
