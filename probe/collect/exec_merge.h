/** @file exec_merge.h
 * Makes executions of the raw looks at the server's slots, and sorts them into cycles: an execution belongs to the cycle
 * whose wake-up precedes its own (on PipeWire, whose looks are reports: its release). Pure.
 *
 * A raw look (struct jp_exec as rt/slots.h or timing/pipewire.c give it) holds what stood in the slot: its end may be that of
 * the execution before. Executions that come out have awake <= finished. One that never ended (killed) has no finish and the
 * state JP_EXEC_RUNNING; one whose end was overwritten before anybody looked has no finish and JP_EXEC_FINISHED, unless it was seen
 * running after the driver's next release: then it ended with the beginning of the next one (a thread that was late goes on at once);
 * or shortly before its own next release by a look at late ones: then it ended half-way between the two. One whose beginning was
 * overwritten has no awake. */
#ifndef JP_EXEC_MERGE_H
#define JP_EXEC_MERGE_H

#include <jackprobe/exec.h>
#include <jackprobe/status.h>
#include <stddef.h>

enum jp_exec_role {
	JP_EXEC_CLIENT,
	JP_EXEC_HEAD,
	JP_EXEC_TAIL,
	JP_EXEC_DRIVER, /**< its end releases the graph; it has no executions */
	JP_EXEC_NOBODY, /**< the server's own, of no interest */
};
enum { JP_EXEC_ROLES = JP_EXEC_NOBODY + 1 };

enum {
	JP_EXEC_CYCLES_MAX = 8192, /**< cycles that wait */
};

/** The executions of one cycle. */
struct jp_exec_cycle {
	int64_t wake_ns;        /**< its wake-up, as told by jp_exec_merge_wake */
	int64_t released_ns;    /**< when the driver released the graph; JP_NS_UNKNOWN */
	int64_t last_finish_ns; /**< latest finish of a client that is neither ours nor the driver; JP_NS_UNKNOWN */
	size_t unfinished;      /**< clients' executions that never ended */
	const struct jp_exec *execs; /**< of clients, ordered by awake; valid until the next call */
	size_t n;
	const struct jp_exec *
		idle; /**< clients that were released and did not begin before the next wake-up (JP_EXEC_TRIGGERED), or were
	                             * still at something earlier (JP_EXEC_RUNNING); number and state only; valid until the next call */
	size_t n_idle;
};

struct jp_exec_merge; /**< opaque */

/** @param patience_ns how long a cycle waits for an execution to end. @return NULL when out of memory. The caller owns it.
 * One thread at a time. */
struct jp_exec_merge *jp_exec_merge_new(int64_t patience_ns);
void jp_exec_merge_free(struct jp_exec_merge *m);

/** The looks are reports made at the end of a cycle (PipeWire): who is running in one has run into the next cycle. Call before any other. */
void jp_exec_merge_reports(struct jp_exec_merge *m);

/** How long cycles are at present; 0 = not known. Says what time without a look, or without a wake-up, is too long. */
void jp_exec_merge_period(struct jp_exec_merge *m, int64_t period_ns);

/** Say what a reference number stands for; JP_EXEC_CLIENT unless told. Executions of head and tail do not enter cycles. */
void jp_exec_merge_role(struct jp_exec_merge *m, int32_t ref, enum jp_exec_role role);

/** Put raw looks in, in any order. Errors: JP_FULL - no room or no memory; what was left out is counted (jp_exec_merge_lost). */
enum jp_status jp_exec_merge_put(struct jp_exec_merge *m, const struct jp_exec *raw, size_t n);

/** Tell a cycle, in order. @param wake_ns the driver's wake-up. @param look_ns the first look at the slots after it (the head's
 * entry): from then on it is known who began before the wake-up. Errors: JP_FULL, counted. */
enum jp_status jp_exec_merge_wake(struct jp_exec_merge *m, int64_t wake_ns, int64_t look_ns);

/** All looks up to this instant have been put in: work them off. Let it lag a millisecond behind the taking from the rings,
 * so that a callback that is interrupted between clock and ring keeps its place. */
void jp_exec_merge_advance(struct jp_exec_merge *m, int64_t horizon_ns);

/** Take the next cycle: when all that began in it has ended or patience has. @return false when there is none yet. */
bool jp_exec_merge_next(struct jp_exec_merge *m, struct jp_exec_cycle *out);

/** The execution of head or tail that was going on at an instant (the entry of its callback). Remembered for the last 1024 of them.
 * @return false when there is none. */
bool jp_exec_merge_during(const struct jp_exec_merge *m, enum jp_exec_role role, int64_t at_ns, struct jp_exec *out);

/** When a client's first execution after the cycle taken last ended, as far as this is known by now; JP_NS_UNKNOWN. */
int64_t jp_exec_merge_next_finish(const struct jp_exec_merge *m, int32_t ref);

/** Looks and executions left out for want of room, and executions whose beginning or end nobody saw. */
uint64_t jp_exec_merge_lost(const struct jp_exec_merge *m);

#endif
