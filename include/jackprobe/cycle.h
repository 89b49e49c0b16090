/** @file cycle.h
 * One cycle of the graph: what the pairing of a head and a tail record gives, and what windows and files are made of. */
#ifndef JACKPROBE_CYCLE_H
#define JACKPROBE_CYCLE_H

#include <jackprobe/attributes.h>
#include <stdbool.h>
#include <stdint.h>

JP_BEGIN_DECLS

/** A time that is not known. Never 0: 0 is a time. */
#define JP_NS_UNKNOWN INT64_MIN

/** Where `wake` of a cycle comes from; part of every output. */
enum jp_wake_source {
	JP_WAKE_UNKNOWN = 0,
	JP_WAKE_DRIVER,   /**< the driver's raw wake-up */
	JP_WAKE_NOMINAL,  /**< PipeWire without the profiler: the timer's date */
	JP_WAKE_FILTERED, /**< jack_get_cycle_times: the delay-locked loop's idea of it */
};

/** Where `end` comes from. */
enum jp_end_source {
	JP_END_UNKNOWN = 0,
	JP_END_TAIL,   /**< entry of the tail's callback: late by one thread wake-up */
	JP_END_SERVER, /**< the server's own record */
};

/** "driver", "nominal", "filtered"; "" for unknown. Thread: any. */
const char *jp_wake_source_text(enum jp_wake_source s);
/** "tail", "server"; "" for unknown. Thread: any. */
const char *jp_end_source_text(enum jp_end_source s);

/** Flags of a cycle; in the cycles file as a decimal sum. */
enum {
	JP_CYCLE_FREEWHEEL = 1u << 0, /**< enters no statistic but the freewheel count */
	JP_CYCLE_NO_TAIL = 1u << 1,   /**< incomplete: only the head saw it */
	JP_CYCLE_NO_HEAD = 1u << 2,   /**< incomplete: only the tail saw it */
	JP_CYCLE_LATE = 1u << 3,      /**< its tail ran in a later cycle's frame */
	JP_CYCLE_EPOCH = 1u << 4,     /**< first of a new epoch: rate, period or freewheel changed */
	JP_CYCLE_RESYNC = 1u << 5,    /**< pairing was re-established just before it */
	JP_CYCLE_SUSPEND = 1u << 6,   /**< a suspend lies in or next to it: enters no statistic */
};

/** One cycle. Times in ns on JACK's clock, JP_NS_UNKNOWN where not known. */
struct jp_cycle {
	uint64_t frame;     /**< frame time at its start, unwrapped to 64 bit, monotonic over the whole run */
	int64_t wake_ns;    /**< the driver's wake-up */
	int64_t nominal_ns; /**< where the server's loop expected it */
	int64_t head_ns;    /**< entry of the head's callback */
	int64_t tail_ns;    /**< entry of the tail's callback */
	int64_t end_ns;     /**< when the last client finished, see end_source */
	uint32_t nframes, rate_hz;
	uint32_t epoch;             /**< counts from 1 */
	uint32_t lost;              /**< whole periods missing between the previous cycle and this one */
	uint16_t flags;             /**< JP_CYCLE_* */
	uint8_t wake_source;        /**< enum jp_wake_source */
	uint8_t end_source;         /**< enum jp_end_source */
	int16_t head_cpu, tail_cpu; /**< -1 = unknown */
};

/** Period of the cycle: nframes / rate, in ns, rounded to nearest; JP_NS_UNKNOWN when the rate is 0. */
static inline int64_t jp_cycle_period_ns(const struct jp_cycle *c)
{
	return c->rate_hz ? ((int64_t)c->nframes * 1000000000 + c->rate_hz / 2) / c->rate_hz : JP_NS_UNKNOWN;
}

/** Difference later - earlier in ns, JP_NS_UNKNOWN when either is. */
static inline int64_t jp_ns_between(int64_t earlier, int64_t later)
{
	return earlier == JP_NS_UNKNOWN || later == JP_NS_UNKNOWN ? JP_NS_UNKNOWN : later - earlier;
}

/** Cycle end: end - wake, the headline number. */
static inline int64_t jp_cycle_end_ns(const struct jp_cycle *c)
{
	return jp_ns_between(c->wake_ns, c->end_ns);
}

/** Overrun: the cycle end is known and exceeds the cycle's own period; false in freewheel and around a suspend. */
static inline bool jp_cycle_overran(const struct jp_cycle *c)
{
	int64_t end = jp_cycle_end_ns(c), period = jp_cycle_period_ns(c);
	return !(c->flags & (JP_CYCLE_FREEWHEEL | JP_CYCLE_SUSPEND)) && end != JP_NS_UNKNOWN &&
	       period != JP_NS_UNKNOWN && end > period;
}

JP_END_DECLS

#endif
