/** @file look_times.h
 * When the server's slots were looked at lately, for those who draw conclusions from what a look did not see to change. Two who
 * look at the same time share what was seen (rt/slots.h): what the one looked at later but read first, it passes on, and the other
 * does not see a change. So a look proves nothing against one that was made at nearly the same time, and one that was interrupted
 * proves nothing at all. Pure. */
#ifndef JP_LOOK_TIMES_H
#define JP_LOOK_TIMES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	JP_LOOK_TIMES = 32,       /**< looks that are remembered */
	JP_LOOK_APART_NS = 50000, /**< looks further apart did not overlap, or one says that it was interrupted */
};

/** Zero-initialised is empty. */
struct jp_look_times {
	struct {
		int64_t at_ns;
		bool late;
	} look[JP_LOOK_TIMES];
	uint64_t n;      /**< ever put */
	int64_t slow_ns; /**< the last that was interrupted */
};

/** Somebody has looked. In the order of time; again and again for the same look is the same. */
void jp_look_times_put(struct jp_look_times *t, int64_t at_ns);
/** It was a look at those who run late; one that was interrupted stays one that proves nothing. Before its jp_look_times_put, or after. */
void jp_look_times_late(struct jp_look_times *t, int64_t at_ns);
/** It was interrupted: what it did not see to change may have. Before its jp_look_times_put. */
void jp_look_times_slow(struct jp_look_times *t, int64_t at_ns);

/** The last look that proves something against one made at an instant: with @p late, of those at who runs late. JP_NS_UNKNOWN: none. */
int64_t jp_look_times_before(const struct jp_look_times *t, int64_t at_ns, bool late);

#endif
