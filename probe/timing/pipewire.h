/** @file pipewire.h
 * Per-client times of PipeWire, from its public profiler interface (as pw-top uses it). libpipewire is loaded when this is opened,
 * not before. Times come in batches some 50 ms after they happened. */
#ifndef JP_PIPEWIRE_H
#define JP_PIPEWIRE_H

#include <jackprobe/exec.h>
#include <jackprobe/report.h>
#include <jackprobe/status.h>
#include <stdbool.h>
#include <stddef.h>

struct jp_pipewire; /**< opaque */

/** Connect, and wait until the profiler has told of both of our nodes. Thread: session's. At most a second.
 * @param head, tail names of our clients; tail "" = none.
 * Errors: JP_UNSUPPORTED (no libpipewire, no profiler module in the session), JP_GONE (no connection), JP_TIMEOUT (the profiler is
 * silent), JP_NO_MEM; each with the sentence. The caller owns the result. */
enum jp_status jp_pipewire_open(const char *head, const char *tail, struct jp_pipewire **out, struct jp_why *why);
void jp_pipewire_close(struct jp_pipewire *p);

/* Thread: any, one at a time each. */

/** Node ids; tail -1 = none. The driver's is that of the driver of our nodes. */
void jp_pipewire_refs(struct jp_pipewire *p, int32_t *head, int32_t *tail, int32_t *driver);
/** Take what was told: an execution per client and cycle, and for the driver its wake-up as the finish. @return how many. */
size_t jp_pipewire_take(struct jp_pipewire *p, struct jp_exec *out, size_t max);
/** All that happened before this instant has been told (CLOCK_MONOTONIC, ns); JP_NS_UNKNOWN = nothing yet. */
int64_t jp_pipewire_told(struct jp_pipewire *p);
/** Executions left out because nobody took them. */
uint64_t jp_pipewire_dropped(struct jp_pipewire *p);
bool jp_pipewire_name(struct jp_pipewire *p, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX]);

#endif
