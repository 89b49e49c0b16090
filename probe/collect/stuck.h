/** @file stuck.h
 * Clients that hold the graph up for so long that they do not merely run late: stopped, hung, or kept off their CPU. Pure. */
#ifndef JP_STUCK_H
#define JP_STUCK_H

#include <jackprobe/cycle.h>
#include <jackprobe/report.h>
#include <stdbool.h>
#include <stddef.h>

#define JP_STUCK_NS INT64_C(500000000) /* from then on it is told */

enum {
	JP_STUCK_MAX = 32,   /**< looked after at a time; more are left out */
	JP_STUCK_NAMES = 16, /**< remembered for the summary; more are left out */
};

/** What there is to tell of one. */
struct jp_stuck_news {
	char client[JP_NAME_MAX];
	bool over;       /**< it runs again, or is gone; else it has been stuck for JP_STUCK_NS */
	bool running;    /**< it is in its process callback; else it does not wake up */
	int64_t wake_ns; /**< wake-up of the first cycle that it held up */
	int64_t for_ns;  /**< how long it has lasted by now */
	uint64_t cycles; /**< that it has held up */
};

/** Members are private to stuck.c. Zero-initialised is empty. */
struct jp_stuck {
	struct jp_stuck_client {
		int32_t ref;
		bool told, seen, running;
		char name[JP_NAME_MAX];
		int64_t wake_ns, until_ns;
		uint64_t cycles;
	} client[JP_STUCK_MAX];
	size_t n;
	struct jp_stuck_sum {
		char name[JP_NAME_MAX];
		int64_t for_ns;
		uint64_t times, cycles;
	} sum[JP_STUCK_NAMES];
	size_t n_sums;
};

/** This client holds the cycle at hand up. @param wake_ns of the cycle. @param until_ns it has been seen to do so up to then.
 * @param running see jp_stuck_news. */
void jp_stuck_held(struct jp_stuck *s, int32_t ref, const char *name, bool running, int64_t wake_ns, int64_t until_ns);

/** The cycle at hand is done with: what is there to tell? Call until it returns false, then the next cycle begins.
 * @param wake_ns of the cycle. */
bool jp_stuck_next(struct jp_stuck *s, int64_t wake_ns, struct jp_stuck_news *out);

/** For the summary: "synth for 1.99 s (93 cycles), sampler 2 times for 3.10 s (1162 cycles)". @return false when none was: then "". */
bool jp_stuck_text(const struct jp_stuck *s, char *out, size_t size);

#endif
