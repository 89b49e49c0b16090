/** @file intake.h
 * From the rings to the windows: drains head, tail and xrun records of the attachment at hand, pairs them, and counts
 * each cycle in the current window and since start. One thread: the collector. */
#ifndef JP_INTAKE_H
#define JP_INTAKE_H

#include "collect/cpu_tally.h"
#include "collect/ends.h"
#include "graph/session.h"

#include <jackprobe/pair.h>
#include <jackprobe/sense.h>
#include <jackprobe/window.h>

/** What the intake tells while it works. Called on the collector thread, in the order of the cycles. */
struct jp_intake_listener {
	void *arg;
	/** Before the first cycle of a new epoch is counted: close the window of the old one. Not called for the first epoch of the run. */
	void (*epoch)(void *arg, const struct jp_cycle *first, const struct jp_cycle *before);
	/** Every cycle, after it has been counted. @param execs its clients' executions, NULL without server timing.
	 * @param unix_ns wall clock of its wake-up, -1 unknown. */
	void (*cycle)(void *arg, const struct jp_cycle *cycle, const struct jp_exec_cycle *execs, int64_t unix_ns);
	/** Server timing has switched itself off. */
	void (*timing_off)(void *arg, const char *why);
	/** Every xrun notification. @param delay_us NaN when the server's word cannot be believed. */
	void (*xrun)(void *arg, double delay_us, int64_t unix_ns);
};

struct jp_intake; /**< opaque */

/** @return NULL when out of memory. The caller owns it. The listener is copied. */
struct jp_intake *jp_intake_new(const struct jp_intake_listener *listener);
void jp_intake_free(struct jp_intake *in);

/** Take what the rings hold. A new attachment (generation) starts pairing afresh.
 * @param attachment NULL: nothing to take. @param settled the tail stands behind the clients it covers; until then, and in
 * the poll that sees it first, records are thrown away: their ends are not the graph's.
 * @param timing the server's record of its clients, or NULL; lives as long as the attachment.
 * @return number of head and tail records taken. */
size_t jp_intake_poll(
	struct jp_intake *in, const struct jp_attachment *attachment, bool settled, struct jp_times *timing);

/** Count no cycle whose head was called at that instant or later, until told otherwise: it is another window's. @param mono_ns CLOCK_MONOTONIC;
 * JP_NS_UNKNOWN = count all. */
void jp_intake_limit(struct jp_intake *in, int64_t mono_ns);
/** Have all cycles before the limit been counted, as far as the last poll knows? */
bool jp_intake_reached(const struct jp_intake *in);

/** The server's record in use; NULL = none. */
struct jp_times *jp_intake_timing(const struct jp_intake *in);

/** The run ends: no more records are taken, but what the server tells of the cycles that were seen still is. @return whether it
 * has not told all. */
bool jp_intake_waits(struct jp_intake *in);

/** The run ends: decide the open cycles. The one that is under way is cut off by us and is not counted; nor is the last one when
 * only the server knows when it began. */
void jp_intake_flush(struct jp_intake *in);

/** A suspend was seen. */
void jp_intake_suspend(struct jp_intake *in);

/** Was the last record a freewheeling one? */
bool jp_intake_freewheeling(const struct jp_intake *in);

/** The last cycle counted since the server let us in; NULL before the first. */
const struct jp_cycle *jp_intake_last(const struct jp_intake *in);

/** Has any cycle been counted since the start of the run? */
bool jp_intake_measured(const struct jp_intake *in);

/** Figures of the current window and of everything. */
void jp_intake_spans(const struct jp_intake *in, struct jp_span *window, struct jp_span *total);

/** Start the next window (the current one has been reported). */
void jp_intake_next_window(struct jp_intake *in);

/** On which CPUs head and tail ran. Borrowed. */
const struct jp_cpu_tally *jp_intake_cpus(const struct jp_intake *in);

/** Cost of the callbacks since start, ns. Borrowed. */
const struct jp_hist *jp_intake_cost(const struct jp_intake *in, enum jp_role role);

/** Cycles with a call of the tail, or without a tail in the graph, whose end is not known. */
uint64_t jp_intake_endless(const struct jp_intake *in);
/** What is missing of the server's record since the start. */
struct jp_ends_missing jp_intake_missing(const struct jp_intake *in);
/** How often pairing had to be re-established. */
uint64_t jp_intake_resyncs(const struct jp_intake *in);

#endif
