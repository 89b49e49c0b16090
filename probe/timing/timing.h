/** @file timing.h
 * What the server tells of each client's executions: one interface over the ways to learn it. The session opens and follows
 * it; the collector reads. */
#ifndef JP_TIMING_H
#define JP_TIMING_H

#include "rt/slots.h"

#include <jack/jack.h>
#include <jackprobe/blame.h>
#include <jackprobe/exec.h>
#include <jackprobe/report.h>
#include <stdbool.h>
#include <time.h>

struct jp_times; /**< opaque */

/* Session's thread. */

/** jackd2's shared memory; see jack2.h for the arguments, the time it takes and the errors. */
enum jp_status jp_timing_open_jack2(jack_client_t *head, jack_client_t *tail, struct jp_slots *slots, clockid_t clock,
	struct jp_times **out, struct jp_why *why);
/** PipeWire's profiler; see pipewire.h. @param head, tail names of our clients; tail "" = none.
 * Errors: also JP_UNSUPPORTED when this program was built without libpipewire. */
enum jp_status jp_timing_open_pipewire(const char *head, const char *tail, struct jp_times **out, struct jp_why *why);
/** Only when both callbacks have ended for good and the collector reads no more. */
void jp_timing_close(struct jp_times *t);
/** Ports or cables have changed; see jp_jack2_refresh. */
void jp_timing_refresh(struct jp_times *t, int64_t since_ns);
/** Must cables be told to it? Else it reads them itself. */
bool jp_timing_wants_cables(const struct jp_times *t);
/** Who is cabled to whom; see jp_cables_set. */
void jp_timing_cabled(struct jp_times *t, const char *const *names, size_t n_names, const struct jp_blame_cable *cables,
	size_t n_cables);

/* Collector's thread. */

/** Reference numbers that are not a client's; -1 = there is none. */
struct jp_timing_refs {
	int32_t head, tail, driver, hardware;
};
struct jp_timing_refs jp_timing_refs(const struct jp_times *t);
/** Take raw looks (collect/exec_merge.h). @return how many. */
size_t jp_timing_take(struct jp_times *t, struct jp_exec *out, size_t max);
/** Looks left out since the start because the collector came too late. */
uint64_t jp_timing_dropped(const struct jp_times *t);
/** Who had a number at a time; "#N" when that is not known. */
bool jp_timing_name(struct jp_times *t, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX]);
/** Cables between the clients of these executions. @return how many; -1 when they are not known. */
int64_t jp_timing_cables(
	struct jp_times *t, const struct jp_exec *execs, size_t n, struct jp_blame_cable *out, size_t max);
/** All looks up to this instant have been handed out (or are there to be taken) by now_ns, both on JACK's clock; JP_NS_UNKNOWN = none. */
int64_t jp_timing_horizon(struct jp_times *t, int64_t now_ns);
/** Is the driver's release its raw wake-up, which JACK's calls do not tell? (PipeWire.) */
bool jp_timing_tells_wake(const struct jp_times *t);
/** What our callbacks see does not tell all ends: look at them once more in each cycle (glance.h); no effect on PipeWire, whose
 * records leave nobody out. @param period_ns 0 = need not. @param dispatch_ns wake-up to the entry of the head. */
void jp_timing_look_twice(struct jp_times *t, int64_t period_ns, int64_t dispatch_ns);
/** Look no more: what was read contradicts what we know. */
void jp_timing_stop(struct jp_times *t);
/** How it is known, for the log. */
void jp_timing_text(const struct jp_times *t, char *out, size_t size);

#endif
