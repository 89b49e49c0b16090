/** @file record.h
 * What one process callback leaves behind: a fixed-size record, copied into a ring (ring.h) and read by the collector. */
#ifndef JACKPROBE_RECORD_H
#define JACKPROBE_RECORD_H

#include <jackprobe/attributes.h>
#include <stdint.h>

JP_BEGIN_DECLS

enum jp_role { JP_HEAD = 0, JP_TAIL = 1 };

/** Flags of a record. */
enum {
	JP_REC_FREEWHEEL = 1u << 0, /**< the server was freewheeling */
	JP_REC_FIRST = 1u << 1,     /**< first callback of this role since activation */
};

/** One call of a process callback. All times on JACK's own clock (see sys/clock.h for which clock that is). */
struct jp_record {
	uint64_t entry_ns;   /**< clock read first thing in the callback */
	uint64_t wake_us;    /**< head only: pos.usecs of jack_transport_query; 0 = unknown */
	uint64_t nominal_us; /**< head only: current_usecs of jack_get_cycle_times; 0 = unknown */
	uint32_t period_us;  /**< head only: period_usecs of jack_get_cycle_times, rounded; 0 = unknown */
	uint32_t frame;      /**< jack_last_frame_time: 32 bits, wraps */
	uint32_t nframes;    /**< argument of the callback: the truth about the period's length */
	uint32_t rate_hz;    /**< sample rate; 0 = unknown (tail) */
	/** Of this role's previous callback: entry to its last reading of the clock, ring write and look at the server's record included,
	 * jp_slots_leave behind it not; 0 = none yet. */
	uint32_t cost_ns;
	int16_t cpu;   /**< CPU number the callback ran on; -1 = unknown */
	uint8_t role;  /**< enum jp_role */
	uint8_t flags; /**< JP_REC_* */
};

JP_END_DECLS

#endif
