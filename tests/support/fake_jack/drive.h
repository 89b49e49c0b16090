/** @file drive.h
 * Plays cycles. All functions: the driver's thread. */
#ifndef FAKE_JACK_DRIVE_H
#define FAKE_JACK_DRIVE_H

#include "fake.h"

/** One cycle as the script wants it; times in us. */
struct fake_cycle {
	uint32_t nframes;
	int64_t end_us;      /**< wake to the tail's entry */
	int64_t dispatch_us; /**< wake to the head's entry */
	int64_t late_us;     /**< nominal wake to wake */
	int64_t step_us;     /**< nominal wake to the next; the period, but for freewheeling */
	bool no_tail;
};

/** Period of so many frames, us, rounded down. */
int64_t fake_period_us(uint32_t nframes);
void fake_play(const struct fake_cycle *cycle);
/** Time and frames go on by one period without a call. */
void fake_skip(void);
void fake_xrun(float delay_us);
void fake_freewheel(bool on);
void fake_buffer_size(uint32_t nframes);
void fake_sample_rate(uint32_t rate);
/** The server goes: all clients are told, opening fails until fake.down is cleared. */
void fake_shutdown(void);

#endif
