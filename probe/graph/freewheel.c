/* Does the server freewheel? */
#include "freewheel.h"

#include "sys/clock.h"

#include <stdlib.h>

bool jp_freewheel_in_step(uint32_t rate_hz, uint32_t frames, uint32_t passed, int64_t elapsed_ns)
{
	int64_t expected = (int64_t)((double)elapsed_ns * rate_hz / 1e9);
	int64_t give = expected / 4 > 2 * (int64_t)frames ? expected / 4 : 2 * (int64_t)frames;
	return llabs((int64_t)passed - expected) <= give;
}

bool jp_freewheel_now(const struct jp_stay *stay)
{
	if (jp_shared_get(&stay->notes.turns))
		return true;
	bool jackd = stay->kind == JP_SERVER_JACK1 || stay->kind == JP_SERVER_JACK2;
	/* While freewheeling jackd2 lays its real-time state aside. */
	if (!jackd || jack_is_realtime(stay->head.client))
		return false;
	uint32_t rate = jp_shared_get(&stay->notes.rate_hz), frames = jp_shared_get(&stay->notes.frames);
	if (!rate || !frames)
		return false;
	int64_t periods_ns = (int64_t)frames * 16 * 1000000000 / rate;
	int64_t span_ns = periods_ns > 200000000 ? periods_ns : 200000000;
	const struct timespec span = {.tv_sec = span_ns / 1000000000, .tv_nsec = span_ns % 1000000000};
	jack_nframes_t before = jack_last_frame_time(stay->head.client);
	int64_t start = jp_clock_now(CLOCK_MONOTONIC);
	nanosleep(&span, NULL);
	jack_nframes_t passed = jack_last_frame_time(stay->head.client) - before;
	return !jp_freewheel_in_step(rate, frames, passed, jp_clock_now(CLOCK_MONOTONIC) - start);
}
