/** @file ends_bench.h
 * Cycles through jp_ends, with a server's record that a test writes. Times in us; a period is 1000 us, cycle k wakes at 1000 k. */
#ifndef JP_TEST_ENDS_BENCH_H
#define JP_TEST_ENDS_BENCH_H

#include "collect/ends.h"
#include "support/fake_times.h"

enum { U = -1 /**< not known */, DRIVER = 0, SYNTH = 5, METER = 6, HARDWARE = 7, HEAD = 90, TAIL = 91 };

/** The synth is cabled to the tail, the meter to nobody. */
struct ends_bench {
	struct jp_ends *ends;
	struct jp_times *times;
	int meter; /**< when it ends in a calm cycle */
};

/** @param tells_wake like PipeWire, else like jackd2. @param tail is there one? */
struct ends_bench ends_start(bool tells_wake, bool tail);
void ends_end(struct ends_bench *b);

int64_t ends_ns(int us);

/** One look at the server's record. */
void ends_look(struct ends_bench *b, int ref, int signalled, int awake, int finished, int seen);
/** What pairing hands over. @param tail its entry, from the wake-up; U = there was no tail. */
void ends_put(struct ends_bench *b, int k, int tail, uint16_t flags);
/** The same with calls of head and tail at any time. */
void ends_put_at(struct ends_bench *b, int k, int head_us, int tail_us);
/** A cycle in which nothing is out of the ordinary: the last end is at 290 (the synth's), the tail is released at 300 and runs at 325. */
void ends_calm(struct ends_bench *b, int k);
/** A call of ours in cycle k: from 31 to 33. */
void ends_record(struct ends_bench *b, enum jp_role role, int k);
/** All is told up to now. */
enum jp_status ends_poll(struct ends_bench *b, int now, struct jp_why *why);
void ends_poll_fine(struct ends_bench *b, int now);

/** A cycle that came out. */
struct ends_got {
	struct jp_cycle cycle;
	bool judged; /**< came with its executions */
	size_t n;    /**< of these */
};
bool ends_next(struct ends_bench *b, bool flush, struct ends_got *out);
/** There must be one. */
struct ends_got ends_must(struct ends_bench *b, bool flush);
/** Calm cycles 1 to k, of which k is not taken yet. */
void ends_calm_until(struct ends_bench *b, int k);
/** @param end_us the end as it must be, from the wake-up; U = not known. */
void ends_expect_end(const char *about, struct jp_cycle c, int end_us, enum jp_end_source source);

#endif
