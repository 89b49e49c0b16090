/** @file timed.h
 * Opens the server timing of a stay once our callbacks run in a wired graph, and keeps names and cables in it up to date.
 * Thread of all calls: the session's; they call libjack. */
#ifndef JP_TIMED_H
#define JP_TIMED_H

#include "stay.h"
#include "watch.h"

struct jp_timed {
	struct jp_stay *stay;
	struct jp_watch *watch;
	bool decided;     /**< open, known not to work, or not wanted (--timing api) */
	uint32_t seen;    /**< notes.graph at the last refresh */
	int64_t since_ns; /**< JACK's clock: when a change that is not refreshed yet was first seen; -1 = none */
	int64_t due_ns;   /**< CLOCK_MONOTONIC: no refresh before */
	char why[256];    /**< why there is none; "" = open, not decided, not wanted */
};

void jp_timed_init(struct jp_timed *t, struct jp_stay *stay, struct jp_watch *watch, int timing);

/** Do what is due. @param wired the graph is as planned. */
void jp_timed_step(struct jp_timed *t, bool wired);

/** ns until there is something to do, -1 = nothing before the next news. */
int64_t jp_timed_due(const struct jp_timed *t);

#endif
