/** @file load_client.h
 * The process callback of a synthetic client and the memory that it writes. Its set-up is probe/load/. */
#ifndef JP_LOAD_CLIENT_H
#define JP_LOAD_CLIENT_H

#include <jack/jack.h>
#include <jackprobe/attributes.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum {
	JP_LOAD_PORTS_MAX = 64,    /**< inputs, and as many outputs, of one client */
	JP_LOAD_LATE_SLOTS = 1024, /**< a late call must end within so many cycles to be told from another cycle's */
};

/** What one client did in one call. Times in ns on JACK's clock. */
struct jp_load_record {
	int64_t wake_ns; /**< the wake-up of jack_transport_query at entry; JP_NS_UNKNOWN where the server tells none */
	int64_t start_ns; /**< clock at entry */
	int64_t end_ns;   /**< clock at the very end, before this record is written */
	uint32_t frame;   /**< jack_last_frame_time: 32 bits, wraps */
};

/** What all clients of a run share. Through the __atomic builtins only: several threads, perhaps processes, write. */
struct jp_load_board {
	uint32_t measuring_;                    /**< not 0: count and record */
	uint64_t late_;                         /**< cycles with a client that finished after their period */
	int64_t late_wake_[JP_LOAD_LATE_SLOTS]; /**< the late cycles seen last, so that each counts once */
};

/** What one client counts. One writer, the callback; read through jp_load_read. */
struct jp_load_tally {
	uint64_t calls_;   /**< since activation */
	uint64_t cycles_;  /**< calls while measuring */
	uint64_t kept_;    /**< records written */
	uint64_t dropped_; /**< records left out because there was no more room */
};

/** A client as its callback sees it. All but `freewheel` is set before activation and not changed after. */
struct jp_load_rt {
	jack_client_t *client;
	clockid_t clock; /**< JACK's clock */
	jack_port_t *in[JP_LOAD_PORTS_MAX], *out[JP_LOAD_PORTS_MAX];
	uint32_t n_in, n_out;
	bool midi;                      /**< ports are MIDI: outputs are cleared, nothing is mixed */
	int64_t burn_ns;                /**< spin until so long after entry */
	int64_t spike_ns;               /**< the same in every spike_every-th call */
	uint64_t spike_every;           /**< 0 = never */
	struct jp_load_record *records; /**< touched and locked by whoever set this up */
	uint64_t capacity;              /**< of records; 0 = keep none */
	struct jp_load_tally *tally;
	struct jp_load_board *board;
	uint32_t freewheel_; /**< atomic: the server freewheels, lateness has no meaning */
};

/** JACK process callback: mixes all inputs into each output, burns, counts, records.
 * Thread: the client's JACK process thread. RT safe. @param arg struct jp_load_rt. @return 0. */
JP_RT int jp_load_process(jack_nframes_t nframes, void *arg);

/** Read a counter of jp_load_tally or jp_load_board. Thread: any. */
static inline uint64_t jp_load_read(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

#endif
