/** @file pair.h
 * Makes cycles of head and tail records. Pure: touches no clock, file or thread, so that the same records from a file
 * give the same cycles.
 *
 * Head and tail pair **by order**, never by frame number: the tail of a cycle that is late runs in a later cycle's frame.
 * How many calls the tail gets in each interval between two driver wake-ups tells what is late (the rules and why they hold
 * stand in collect/verdict.c); where that is ambiguous the cycles wait for what follows. An end is never put too early.
 * What has no counterpart is handed out as an incomplete cycle. */
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
	JP_PAIR_QUEUED,    /**< a client that still runs is run once more afterwards (jackd1, jackd2) */
	JP_PAIR_COALESCED, /**< they melt: the late tail call is that frame's only one (PipeWire) */
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

/** Put in records of one role, in the order in which they were taken from their ring. Take the tail's
 * records from their ring before the head's, and call jp_pair_next only after both were put in.
 * Errors: JP_FULL - more than 64 Ki records waiting; the oldest are handed out as incomplete to make room. */
enum jp_status jp_pair_put(struct jp_pair *pair, const struct jp_record *records, size_t n);

/** Tell that a suspend was seen (CLOCK_BOOTTIME moved against CLOCK_MONOTONIC): open cycles and the next one get
 * JP_CYCLE_SUSPEND. */
void jp_pair_suspend(struct jp_pair *pair);

/** Forget which head belongs to which tail (server gone, clients re-opened, tail re-wired): open records are handed out
 * as incomplete, the next ones start afresh. Unwrapping of frames and the epoch count go on; the jump of the frame
 * counter over the break counts no lost cycle. @param config the new attachment's, or NULL to keep the present one. */
void jp_pair_break(struct jp_pair *pair, const struct jp_pair_config *config);

/** Take the next finished cycle. @param flush true: no more records will come: decide what is open by what is known; late
 * cycles without a tail come out as incomplete, the newest one, which the end merely cut off, does not come out.
 * @return false when there is none. */
bool jp_pair_next(struct jp_pair *pair, struct jp_cycle *out, bool flush);

/** How often pairing had to be re-established. */
uint64_t jp_pair_resyncs(const struct jp_pair *pair);

JP_END_DECLS

#endif
