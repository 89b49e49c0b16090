/** @file episode.h
 * When overruns come in storms: an episode is a run of overruns with less than a given quiet time between one and the next. Pure. */
#ifndef JP_EPISODE_H
#define JP_EPISODE_H

#include <stdbool.h>
#include <stdint.h>

struct jp_episode {
	int64_t quiet_ns; /**< overruns that lie so far or farther apart belong to two episodes */
	int64_t last_ns;  /**< time of the last overrun */
	bool any;         /**< there has been one */
};

/** @param quiet_ns > 0; the program uses 1 s. */
void jp_episode_init(struct jp_episode *e, int64_t quiet_ns);

/** Tell of an overrun. @param at_ns on any one clock, ns; a time before the last one's (another server, another clock) begins a new
 * episode. @return true when a new episode begins with it. */
bool jp_episode_overrun(struct jp_episode *e, int64_t at_ns);

#endif
