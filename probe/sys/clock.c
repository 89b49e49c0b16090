/* Which of the kernel's clocks JACK uses. */
#include "clock.h"

#include <stdbool.h>

int64_t jp_clock_now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool brackets(int64_t before, int64_t after, uint64_t jack)
{
	const int64_t rounding_us = 1;
	int64_t t = (int64_t)jack;
	bool as_us = t >= before / 1000 - rounding_us && t <= after / 1000 + rounding_us;
	bool as_ns = t >= before && t <= after;
	return as_us || as_ns;
}

enum jp_status jp_clock_match(const struct jp_clock_look *look, clockid_t likelier, clockid_t *out)
{
	bool raw = brackets(look->raw_before, look->raw_after, look->jack);
	bool mono = brackets(look->mono_before, look->mono_after, look->jack);
	if (!raw && !mono)
		return JP_UNSUPPORTED;
	if (raw && mono)
		*out = likelier;
	else
		*out = raw ? CLOCK_MONOTONIC_RAW : CLOCK_MONOTONIC;
	return JP_OK;
}

enum jp_status jp_clock_find(uint64_t (*get_time)(void), clockid_t likelier, clockid_t *out, struct jp_why *why)
{
	struct jp_clock_look best = {0};
	int64_t narrowest = INT64_MAX;
	for (int i = 0; i < 16; i++) {
		struct jp_clock_look look;
		look.raw_before = jp_clock_now(CLOCK_MONOTONIC_RAW);
		look.mono_before = jp_clock_now(CLOCK_MONOTONIC);
		look.jack = get_time();
		look.mono_after = jp_clock_now(CLOCK_MONOTONIC);
		look.raw_after = jp_clock_now(CLOCK_MONOTONIC_RAW);
		if (look.raw_after - look.raw_before < narrowest) {
			narrowest = look.raw_after - look.raw_before;
			best = look;
		}
	}
	if (jp_clock_match(&best, likelier, out) == JP_OK)
		return JP_OK;
	return jp_why_set(why, JP_UNSUPPORTED,
		"JACK's clock is neither CLOCK_MONOTONIC nor CLOCK_MONOTONIC_RAW, so its times cannot be compared with "
		"ours; "
		"start the server with the system clock (jackd -c s)");
}
