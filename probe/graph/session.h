/** @file session.h
 * The probe's standing in the graph: opens head and tail, wires them, follows the graph, goes through the server's death
 * and return. Everything that calls libjack (outside callbacks) runs on a thread of the session's own, which is watched: a
 * hung server or client never blocks the callers of these functions. */
#ifndef JP_SESSION_H
#define JP_SESSION_H

#include <jackprobe/pair.h>
#include <jackprobe/record.h>
#include <jackprobe/report.h>
#include <jackprobe/ring.h>
#include <jackprobe/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct jp_times; /* timing/timing.h */

struct jp_session_config {
	const char *server; /**< NULL = default */
	const char *name;   /**< clients NAME-head and NAME-tail; must outlive the session */
	int insert;         /**< enum jp_insert (cli/watch_options.h) */
	int wire;           /**< enum jp_wire */
	int timing;         /**< enum jp_timing */
};

/** One stay at a server, from activation until it goes. Lives until the collector has seen a later one. */
struct jp_attachment {
	uint32_t generation;   /**< counts from 1 */
	struct jp_ring *head;  /**< of struct jp_record; the collector reads */
	struct jp_ring *tail;  /**< NULL with --insert head */
	struct jp_ring *xruns; /**< of struct jp_xrun */
	clockid_t clock;       /**< JACK's clock: all times of the records */
	enum jp_pair_mode pair_mode;
	enum jp_wake_source wake_source; /**< what jp_record.wake_us means here */
};

/** What the session says of itself; a copy. */
struct jp_session_info {
	bool attached;
	bool settled; /**< the first wiring of this stay is in the graph (or need not be: freewheel): from here on the tail runs
		       * after the clients it covers; records from before say nothing of the graph's end */
	const struct jp_attachment *attachment; /**< NULL before the first; stays valid until the next poll */
	char server[64];                        /**< "jackd2 1.9.21", "PipeWire 0.3.65"; "" unknown */
	char sched
		[160]; /**< the policy the callbacks really have ("SCHED_FIFO 10", "SCHED_OTHER: no real-time rights ..."); "" unknown yet */
	int64_t rate_hz, frames; /**< as told by the server; the records are the truth; -1 unknown */
	uint32_t graph_changes;  /**< goes up when coverage or names below change */
	int64_t clients, covered;
	char uncovered[256];
	/** What the server tells of each client, for the collector; NULL = nothing, timing_why says why ("" = not wanted or not
	 * decided). Decided before settled unless the server freewheels. Lives as long as the attachment. */
	struct jp_times *timing;
	char timing_why[256];
	uint32_t gone_count; /**< how often the server went */
	bool hangs;          /**< a call into libjack does, trouble says which */
	char trouble[256];   /**< why not attached or what hangs ("jack_connect to synth hangs for 3 s"); "" = none */
};

struct jp_session;

/** Start the thread; does not wait for a server. @return JP_NO_MEM only. Caller owns. */
enum jp_status jp_session_start(const struct jp_session_config *config, struct jp_session **out, struct jp_why *why);

/** Wait until settled or failed for the first time. @return JP_OK settled; JP_TIMEOUT not within ms; else why it cannot (no
 * server, refused, ...) while the session goes on trying. Thread: main. */
enum jp_status jp_session_wait(struct jp_session *s, int ms, struct jp_why *why);

/** Does the server tell per-client times? Meaningful once settled. @return JP_OK; JP_EMPTY not decided or not wanted; JP_UNSUPPORTED no,
 * why says why. Thread: any. */
enum jp_status jp_session_timing(struct jp_session *s, struct jp_why *why);

/** Copy the standing. Never blocks on libjack. Thread: collector only (it is the reader of the rings). */
void jp_session_poll(struct jp_session *s, struct jp_session_info *out);

/** Take out cables and clients. @return false when something hung for ms: the process must then end with _exit, the
 * server cleans up after it. Thread: main, after the collector has ended. */
bool jp_session_stop(struct jp_session *s, int ms);

#endif
