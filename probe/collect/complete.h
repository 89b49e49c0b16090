/** @file complete.h
 * Has everybody been seen who could have ended a cycle? The latest finish that was seen is the cycle's end only then: a
 * finish may be overwritten before anybody looks. Pure.
 *
 * Whoever ran in one of the last cycles, or was released though he did not, is expected in this one, and behind those who have a cable
 * to it. What is missing is made good for by what is known of the graph: who has a cable to a client that began in this cycle had
 * finished by then, and who has one to the tail had finished when the tail was released. Of the first cycle of all, where
 * there is no tail, nothing is known. */
#ifndef JP_COMPLETE_H
#define JP_COMPLETE_H

#include "collect/exec_merge.h"

#include <jackprobe/blame.h>

enum jp_known {
	JP_KNOWN_NOT,  /**< somebody's finish is missing: he may be the last */
	JP_KNOWN_TAIL, /**< all that is missing had finished when the tail was released */
	JP_KNOWN_ALL,  /**< the latest finish that was seen is the last */
};

enum {
	JP_COMPLETE_REFS = 1024,    /**< reference numbers are told apart up to here */
	JP_COMPLETE_CABLES = 4096,  /**< more are not looked at */
	JP_COMPLETE_ABSENT = 8,     /**< cycles after which a client that does not run any more is not expected */
	JP_COMPLETE_MEMORY = 65536, /**< cycles for which it is remembered who finished after the tail's release */
};

/** Members are private to complete.c. Zero-initialised is empty. */
struct jp_complete {
	struct jp_complete_client {
		uint64_t ran, seen, open; /**< last cycle that it ran in, all of its ends or not all of them seen */
		uint64_t idle;            /**< last cycle that it was released in and did not begin */
		uint64_t behind;          /**< last cycle in which it finished after the tail's release */
		int32_t ref;
		int64_t awake_ns;    /**< last beginning (or end, where only that is known) in the cycle `ran` */
		int64_t finished_ns; /**< not before its last finish; JP_NS_UNKNOWN: it may still be running */
		bool covered;        /**< has a cable to the tail */
		bool steady;         /**< ran in the cycle before, and had done with it when this one began */
		uint64_t
			outrun; /**< last cycle in which somebody it waits for ended after it had begun: it runs again */
		int64_t due_ns; /**< ... which was then */
	} client[JP_COMPLETE_REFS];
	struct jp_blame_cable cable[JP_COMPLETE_CABLES]; /**< that tell who goes before whom */
	size_t n_cables;
	bool cables_known;
	int64_t missing_ns; /**< of the cycle judged last: who was missing had ended by then; unknown where nobody tells, or was missing */
	size_t untold;  /**< how many were missing in it of whom nobody tells */
	int32_t top;    /**< above the highest reference number seen */
	uint64_t cycle; /**< counts from 1 */
};

/** The cables between clients, as often as they are asked for. @param cables NULL: nothing is known of them; then it counts as covered who
 * was not seen to finish after the tail's release. @param tail its reference number, -1 = none. */
void jp_complete_cables(struct jp_complete *c, const struct jp_blame_cable *cables, size_t n, int32_t tail);

/** The same where the tail is none of the clients that cables are known of (PipeWire): they tell who goes before whom only. */
void jp_complete_order(struct jp_complete *c, const struct jp_blame_cable *cables, size_t n);

/** Who ran lately: executions with number and beginning only. @return how many, at most max. */
size_t jp_complete_who(const struct jp_complete *c, struct jp_exec *out, size_t max);

/** Judge the next cycle. Call for every cycle, in order. @param set its clients' executions. @param release_ns when the tail was released,
 * or, when this is not known, when it ran; JP_NS_UNKNOWN: it did not.
 * @param merge where the set is from: what came after it; may be NULL. */
enum jp_known jp_complete_cycle(
	struct jp_complete *c, const struct jp_exec_cycle *set, int64_t release_ns, const struct jp_exec_merge *merge);

/** For a cycle of which nothing is known: does everybody who ran lately finish before the tail is released? */
bool jp_complete_covered(const struct jp_complete *c);

#endif
