/** @file rt.h
 * What the callbacks share with the session. Everything in this folder runs in threads of libjack's: it sets a flag, bumps a
 * counter, puts a record into a ring, and returns. */
#ifndef JP_RT_H
#define JP_RT_H

#include "rt/slots.h"

#include <jack/jack.h>
#include <jackprobe/record.h>
#include <jackprobe/ring.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

/** A number that threads share; only through the functions below. */
struct jp_shared_u32 {
	uint32_t value_;
};

static inline uint32_t jp_shared_get(const struct jp_shared_u32 *u)
{
	return __atomic_load_n(&u->value_, __ATOMIC_ACQUIRE);
}

static inline void jp_shared_set(struct jp_shared_u32 *u, uint32_t value)
{
	__atomic_store_n(&u->value_, value, __ATOMIC_RELEASE);
}

static inline uint32_t jp_shared_bump(struct jp_shared_u32 *u)
{
	return __atomic_fetch_add(&u->value_, 1, __ATOMIC_ACQ_REL);
}

/** One more, for a number that one thread alone writes: cheaper than a bump, which waits for all stores before it.
 * @return what it was. */
static inline uint32_t jp_shared_count(struct jp_shared_u32 *u)
{
	uint32_t was = __atomic_load_n(&u->value_, __ATOMIC_RELAXED);
	jp_shared_set(u, was + 1);
	return was;
}

/** What notification callbacks leave for the session's thread. */
struct jp_notes {
	struct jp_shared_u32 graph;     /**< goes up with every port, cable or order change */
	struct jp_shared_u32 gone;      /**< goes up when the server goes or throws a client of ours out */
	struct jp_shared_u32 freewheel; /**< 1 while the server freewheels */
	struct jp_shared_u32 turns;     /**< goes up when freewheeling begins or ends */
	struct jp_shared_u32 rate_hz;   /**< as told by the server; 0 unknown */
	struct jp_shared_u32 frames;    /**< period as told by the server; 0 unknown */
	sem_t *wake;                    /**< the session's; posted after each of these */
};

/** Context of the head's callbacks. Written before activation, afterwards only by the callbacks themselves. */
struct jp_head {
	jack_client_t *client;
	struct jp_ring *ring;
	struct jp_ring *xruns; /**< of struct jp_xrun; its only writer is the head's xrun callback */
	struct jp_notes *notes;
	struct jp_slots *slots;  /**< reads the server's times of all clients; NULL = does not */
	clockid_t clock;         /**< JACK's clock */
	bool wake_in_position;   /**< pos.usecs of jack_transport_query is the driver's wake-up (or the timer's date) */
	double delay_us_per_one; /**< jack_get_xrun_delayed_usecs times this is us: 1, on PipeWire 1e6 */
	/** Strict mode only, kept silent; else NULL. late_out feeds inputs that have cables already. */
	jack_port_t *audio_out, *late_out, *midi_out;
	struct jp_shared_u32 late_min, late_max; /**< capture latency of those inputs, frames: told for late_out */
	struct jp_shared_u32 calls;              /**< callbacks so far, modulo 2^32 */
	pthread_t thread;                        /**< the process thread, once calls is not 0 */
	uint32_t cost_ns;                        /**< of the previous call */
};

/** Context of the tail's callback. Same rules. */
struct jp_tail {
	jack_client_t *client;
	struct jp_ring *ring;
	struct jp_notes *notes;
	struct jp_slots *slots;
	clockid_t clock;
	struct jp_shared_u32 calls;
	uint32_t cost_ns;
};

/** Process callbacks: one record into the ring, "no room" is counted there. @param arg struct jp_head, struct jp_tail.
 * Thread: the client's process thread. RT safe. @return 0. */
JP_RT int jp_head_process(jack_nframes_t nframes, void *arg);
JP_RT int jp_tail_process(jack_nframes_t nframes, void *arg);

/** xrun callback of the head: time and delay into its ring. @param arg struct jp_head.
 * Thread: any one thread of libjack's; on PipeWire the process thread. RT safe. @return 0. */
JP_RT int jp_head_xrun(void *arg);

/** Latency callback of the head: its outputs say what the inputs they feed had before, so that nobody's latency changes.
 * @param arg struct jp_head. Thread: one of libjack's. */
void jp_head_latency(jack_latency_callback_mode_t mode, void *arg);

/* Notifications. arg is a struct jp_notes. Threads: libjack's, several at a time. They do not block. */

int jp_note_rate(jack_nframes_t rate, void *arg);
int jp_note_frames(jack_nframes_t frames, void *arg);
void jp_note_freewheel(int starting, void *arg);
int jp_note_order(void *arg);
void jp_note_port(jack_port_id_t port, int added, void *arg);
void jp_note_cable(jack_port_id_t a, jack_port_id_t b, int made, void *arg);
void jp_note_shutdown(void *arg);
void jp_note_info_shutdown(jack_status_t code, const char *reason, void *arg);

/** The instant in ns. Thread: any. RT safe. */
static inline uint64_t jp_timespec_ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

#endif
