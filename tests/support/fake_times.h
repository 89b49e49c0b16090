/** @file fake_times.h
 * A server's record that a test writes: the whole of timing.h, in place of timing/timing.c. */
#ifndef JP_TEST_FAKE_TIMES_H
#define JP_TEST_FAKE_TIMES_H

#include "timing/names.h"
#include "timing/timing.h"

enum { FAKE_TIMES_LOOKS = 8192, FAKE_TIMES_CABLES = 16 };

/** Change any of it at any time. Times in ns. */
struct jp_times {
	struct jp_timing_refs refs;
	bool tells_wake;    /**< like PipeWire's */
	int64_t horizon_ns; /**< JP_NS_UNKNOWN = nothing told yet; the fake never tells of later than now */
	uint64_t dropped;
	struct jp_exec looks[FAKE_TIMES_LOOKS]; /**< to be handed out: from first to n */
	size_t first, n;
	struct jp_blame_cable cables[FAKE_TIMES_CABLES];
	int64_t n_cables;                           /**< -1 = not known */
	int64_t twice_period_ns, twice_dispatch_ns; /**< as jp_timing_look_twice was told last */
	bool stopped;
	struct jp_names names;
};

/** Like jackd2's (head 90, tail 91, driver 0), or PipeWire's. No cables, nothing to hand out. The test frees it. */
struct jp_times *fake_times_new(bool tells_wake);
/** One more look to be handed out. */
void fake_times_look(struct jp_times *t, const struct jp_exec *look);
void fake_times_cable(struct jp_times *t, int32_t from, int32_t to);

#endif
