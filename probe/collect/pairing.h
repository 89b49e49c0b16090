/** @file pairing.h
 * State of the pairing. Three parts work on it, each calls only those after it: pair.c puts records in, match.c sorts the tail's
 * calls into intervals (from one driver wake-up to the next) and hands out what is decided, verdict.c decides at the end of an
 * interval which cycle its calls belong to. */
#ifndef JP_PAIRING_H
#define JP_PAIRING_H

#include "heads.h"

enum {
	JP_PAIRING_WAITING_MAX = 65536, /**< records of one role */
	JP_PAIRING_OPEN_MAX = 4096,     /**< cycles without or with a doubtful tail */
};

/** How the cycles in jp_pair.open stand, oldest first. */
enum jp_pairing_phase {
	JP_PAIRING_CLEAR,     /**< none is open */
	JP_PAIRING_LATE,      /**< all are without a tail: the graph is late. None, when all were given up */
	JP_PAIRING_TENTATIVE, /**< one: it ended together with a late one, unless the next interval says otherwise */
	JP_PAIRING_SUSPECT, /**< the first has no tail, the others each have one of their own interval: either wake-ups melted (the
			     * first never gets one) or all of them run late (each tail is the cycle's before) */
};

struct jp_pair {
	struct jp_pair_config config;
	struct jp_heads heads;
	struct jp_fifo head_records, tail_records; /**< struct jp_record */
	struct jp_fifo open;      /**< struct jp_open: closed intervals whose cycle is undecided or to be handed out */
	struct jp_fifo done;      /**< struct jp_cycle: finished early, to make room or by a break */
	struct jp_open now, next; /**< the present interval's head, and the one after it */
	bool has_now, has_next;
	struct jp_record last, before; /**< of the present interval: its last tail call, and the one before it */
	unsigned tails;                /**< calls in the present interval */
	unsigned calls,
		usual; /**< calls in the last clear interval; the fewer of the last two: above 1 in a feedback loop */
	enum jp_pairing_phase phase;
	size_t ready;        /**< open cycles, from the oldest, that are decided */
	unsigned fits;       /**< SUSPECT: tails in a row, up to the present one, that look like the own one */
	unsigned fits_total; /**< SUSPECT: all such tails */
	double typical_ns;   /**< running mean of tail - wake of clear cycles; 0 = none yet */
	bool synced;         /**< a pair was found since the start or the last break */
	bool resynced;       /**< the next pair is the first after a resynchronisation */
	int64_t newest_head_ns, newest_tail_ns; /**< entries of the last records put in */
	int64_t last_tail_ns;                   /**< entry of the last tail that was looked at */
	uint64_t resyncs;
	uint64_t out_frame; /**< of the last cycle handed out */
	uint32_t out_epoch;
};

#endif
