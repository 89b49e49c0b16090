/** @file freewheel.h
 * Does the server freewheel, asked before our clients are set up? jackd2 puts its whole connection state back at the end of
 * freewheeling, as it was at the beginning: a client that was activated meanwhile stops the driver for good, and
 * connecting a port that was registered meanwhile ends the server (an assertion). */
#ifndef JP_FREEWHEEL_H
#define JP_FREEWHEEL_H

#include "stay.h"

#include <stdbool.h>
#include <stdint.h>

/** Did the frame time keep step with the clock, give or take a quarter (a server that has
 * xruns loses some) and at least two periods? Pure.
 * @param passed frames that went by in elapsed_ns. @param frames period. */
bool jp_freewheel_in_step(uint32_t rate_hz, uint32_t frames, uint32_t passed, int64_t elapsed_ns);

/** The head is open, without ports, and not active. A jackd that says it is real-time does not freewheel; one that does not say so is
 * watched for 16 periods or 0.2 s; a turn of it while our clients open counts too. PipeWire copes with clients that come while it freewheels: false.
 * Thread: the session's; calls libjack, takes up to that long. */
bool jp_freewheel_now(const struct jp_stay *stay);

#endif
