/** @file match.h
 * State of the pairing and its machine: pair.c puts records in and tells events, match.c gives tails to heads. */
#ifndef JP_MATCH_H
#define JP_MATCH_H

#include "heads.h"

enum {
	JP_MATCH_WAITING_MAX = 65536, /**< records of one role */
	JP_MATCH_OPEN_MAX = 4096,     /**< cycles without or with a doubtful tail */
};

struct jp_pair {
	struct jp_pair_config config;
	struct jp_heads heads;
	struct jp_fifo head_records, tail_records; /**< struct jp_record */
	struct jp_fifo open;                       /**< struct jp_open; the last one's interval is the present one */
	struct jp_fifo done;                       /**< struct jp_cycle: finished early, to make room or by a break */
	struct jp_open next;                       /**< the head after the open ones, when has_next */
	bool has_next;
	bool synced;       /**< a pair was found since the start or the last break */
	bool resynced;     /**< the next pair is the first after a resynchronisation */
	bool xrun;         /**< one was notified since the last interval was closed */
	size_t held;       /**< open cycles, from the oldest, that have their tail */
	size_t ready;      /**< open cycles, from the oldest, that are finished */
	unsigned tails;    /**< in the present interval */
	unsigned streak;   /**< intervals in a row that look as if a tail had been lost before them */
	size_t streak_lag; /**< open cycles without tail after each of them */
	int64_t streak_ns; /**< start of the first */
	int64_t newest_head_ns, newest_tail_ns; /**< entries of the last records put in */
	int64_t last_tail_ns;                   /**< entry of the last tail that was looked at */
	uint64_t resyncs;
	uint64_t out_frame; /**< of the last cycle handed out */
	uint32_t out_epoch;
};

/** Work until the next cycle is finished. @param flush no more records will come. @return false when there is none. */
bool jp_match_next(struct jp_pair *p, struct jp_cycle *out, bool flush);

#endif
