/** @file exec.h
 * One execution of one client, as the server recorded it: when it was released, when its thread woke, when it finished.
 * Comes from jackd2's shared memory (rt/slots.h) or PipeWire's profiler; what happens in a client's other threads is not
 * in it. */
#ifndef JACKPROBE_EXEC_H
#define JACKPROBE_EXEC_H

#include <jackprobe/cycle.h>
#include <stdbool.h>
#include <stdint.h>

JP_BEGIN_DECLS

/** What the server holds of a client. The values are those of jackd2 and of PipeWire. */
enum jp_exec_state {
	JP_EXEC_UNKNOWN = -1,
	JP_EXEC_IDLE = 0,      /**< not released in this cycle yet */
	JP_EXEC_TRIGGERED = 1, /**< released, its thread has not woken yet */
	JP_EXEC_RUNNING = 2,
	JP_EXEC_FINISHED = 3,
	JP_EXEC_STILL =
		4, /**< not the server's; of looks only: released since the head looked last, and neither begun nor ended */
};

enum {
	JP_EXEC_LOOK =
		-1, /**< as a reference number: nothing but that somebody looked, and when. With JP_EXEC_STILL: after late ones, and
	                    * what did not change was still so; with JP_EXEC_UNKNOWN: so slowly that this may not be true */
};

/** Times in ns on JACK's clock; jackd2 records whole microseconds, cut off. JP_NS_UNKNOWN where not known. */
struct jp_exec {
	int64_t signalled_ns; /**< released: the last client (or the driver) it waits for finished */
	int64_t awake_ns;     /**< its thread woke up, just before its process callback */
	int64_t finished_ns;  /**< its process callback returned */
	int64_t seen_ns;      /**< when this was read; of one whose end nobody saw, when it was seen running last */
	int32_t ref;          /**< jackd2: reference number, re-used by later clients; PipeWire: node id */
	int32_t state;        /**< enum jp_exec_state */
};

/** "idle", "triggered", "running", "finished"; "" = unknown. Thread: any. */
const char *jp_exec_state_text(enum jp_exec_state state);

/** When it was there: it began; or, where that is not known, ended, or was looked at. */
static inline int64_t jp_exec_time_ns(const struct jp_exec *e)
{
	int64_t ran = e->awake_ns != JP_NS_UNKNOWN ? e->awake_ns : e->finished_ns;
	return ran != JP_NS_UNKNOWN ? ran : e->seen_ns;
}

/** Release to wake-up. Unknown when either is. */
static inline int64_t jp_exec_wait_ns(const struct jp_exec *e)
{
	return jp_ns_between(e->signalled_ns, e->awake_ns);
}

/** Wake-up to finish. Unknown when either is. */
static inline int64_t jp_exec_busy_ns(const struct jp_exec *e)
{
	return jp_ns_between(e->awake_ns, e->finished_ns);
}

JP_END_DECLS

#endif
