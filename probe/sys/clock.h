/** @file clock.h
 * Which of the kernel's clocks jack_get_time counts: the stamps of our callbacks are taken from that one, in ns. */
#ifndef JP_CLOCK_H
#define JP_CLOCK_H

#include <jackprobe/status.h>
#include <stdint.h>
#include <time.h>

/** One look at all clocks: JACK's between two readings of each of the kernel's, all ns but jack. */
struct jp_clock_look {
	int64_t raw_before, raw_after;   /**< CLOCK_MONOTONIC_RAW */
	int64_t mono_before, mono_after; /**< CLOCK_MONOTONIC */
	uint64_t jack;                   /**< jack_get_time: us; PipeWire's counted ns at times */
};

/** The clock whose bracket holds JACK's time (1 us of rounding allowed). When both do (early after boot the two
 * run together) the likelier one is taken. Pure. Errors: JP_UNSUPPORTED - neither does. */
enum jp_status jp_clock_match(const struct jp_clock_look *look, clockid_t likelier, clockid_t *out);

/** Find JACK's clock. Call only after a client is open: jackd2's jack_get_time crashes before.
 * @param get_time jack_get_time. @param likelier see jp_clock_match. Thread: any, not RT safe.
 * Errors: JP_UNSUPPORTED with the sentence. */
enum jp_status jp_clock_find(uint64_t (*get_time)(void), clockid_t likelier, clockid_t *out, struct jp_why *why);

/** Reading of a clock, ns. */
int64_t jp_clock_now(clockid_t clock);

#endif
