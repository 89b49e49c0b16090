/** @file heads.h
 * Turns the head's records into cycles without a tail: unwraps frames, finds lost periods and epochs, and puts calls
 * that ran after the next wake-up back into the cycle they belong to. Pure; one thread at a time. */
#ifndef JP_HEADS_H
#define JP_HEADS_H

#include "fifo.h"

#include <jackprobe/cycle.h>
#include <jackprobe/pair.h>

/** A cycle whose tail is not known yet. */
struct jp_open {
	struct jp_cycle cycle;
	uint32_t raw; /**< its frame as the server counts, 32 bits */
};

/** State from one head record to the next. Zeroed by jp_heads_init. */
struct jp_heads {
	enum jp_wake_source wake_source; /**< what wake_us of the records means */
	bool seen;                       /**< there was a head record */
	bool linked;                     /**< the next frame follows the last one: no break since */
	bool restarted;                  /**< the server's counter may have started again */
	bool freewheel;                  /**< last cycle was in freewheel */
	bool apart;                /**< last cycle was in freewheel or around a suspend: nothing is lost after it */
	uint32_t raw;              /**< frame of the last record */
	uint64_t own;              /**< the same, unwrapped */
	uint64_t frame;            /**< of the last cycle: behind own where its call was late */
	int64_t wake_ns;           /**< of the last cycle that had one */
	uint32_t nframes, rate_hz; /**< of the last cycle */
	uint32_t epoch;            /**< of the last cycle; 1 before there is one */
	uint32_t behind;           /**< cycles by which calls run late at present */
	size_t suspended;          /**< so many more cycles lie around a suspend */
};

void jp_heads_init(struct jp_heads *h, enum jp_wake_source source);

/** The next record does not follow the last one. @param restarted the server's frame counter may have started again. */
void jp_heads_break(struct jp_heads *h, enum jp_wake_source source, bool restarted);

/** Turn the oldest record into a cycle and take it out. A record after a gap in the frames waits for those that tell a
 * late call (two calls then see one frame) from lost periods.
 * @param records of struct jp_record. @param flush do not wait. @return false when there is none yet. */
bool jp_heads_next(struct jp_heads *h, struct jp_fifo *records, bool flush, struct jp_open *out);

#endif
