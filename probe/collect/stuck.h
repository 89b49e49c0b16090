/** @file stuck.h
 * Clients that hold the graph up for so long that they do not merely run late: stopped, hung, or kept off their CPU. Pure.
 *
 * Who is missing (released, and not run or not ended) holds the graph up when nobody that he waits for is missing, and then for as long as he
 * stays missing: one before him may be late now and then, and when he is killed his cables go before his last cycles are judged. Who was
 * missing already beside one that holds the graph up waits for that one. */
#ifndef JP_STUCK_H
#define JP_STUCK_H

#include <jackprobe/cycle.h>
#include <jackprobe/report.h>
#include <stdbool.h>
#include <stddef.h>

#define JP_STUCK_NS INT64_C(500000000) /* from then on it is told */

enum {
	JP_STUCK_MISSING = 256, /**< missing in a cycle; more are left out */
	JP_STUCK_MAX = 32,      /**< looked after at a time; more are left out */
	JP_STUCK_ABSENT =
		8, /**< cycles in which it neither was missing nor ran (PipeWire: its turn did not come), until it counts as gone */
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
		bool told, seen, running, ran;
		unsigned absent; /**< cycles */
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
	int32_t before[JP_STUCK_MISSING]; /**< who was missing in the cycle before */
	size_t n_before;
};

/** One who is missing in the cycle at hand. */
struct jp_stuck_missing {
	int32_t ref;
	bool first;    /**< nobody that it waits for is missing */
	bool running;  /**< see jp_stuck_news */
	bool holds_up; /**< out: it holds the graph up; then jp_stuck_held is to be called */
};
/** Who of them holds the graph up? Call once a cycle, with all of them; also with none. */
void jp_stuck_sort(struct jp_stuck *s, struct jp_stuck_missing *missing, size_t n);

/** This client holds the cycle at hand up. @param wake_ns of the cycle. @param until_ns it has been seen to do so up to then. */
void jp_stuck_held(
	struct jp_stuck *s, const struct jp_stuck_missing *m, const char *name, int64_t wake_ns, int64_t until_ns);

/** It ended an execution in the cycle at hand: it does not hold the graph up any more. */
void jp_stuck_ran(struct jp_stuck *s, int32_t ref);

/** The cycle at hand is done with: what is there to tell? Call until it returns false, then the next cycle begins.
 * @param wake_ns of the cycle. */
bool jp_stuck_next(struct jp_stuck *s, int64_t wake_ns, struct jp_stuck_news *out);

/** For the summary: "synth for 1.99 s (93 cycles), sampler 2 times for 3.10 s (1162 cycles)". @return false when none was: then "". */
bool jp_stuck_text(const struct jp_stuck *s, char *out, size_t size);

#endif
