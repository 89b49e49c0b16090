/** @file blame.h
 * Who made a cycle late. Pure.
 *
 * The critical path is walked backwards from the client that finished last: what released it is the client (with a cable
 * to it, where cables are known) whose finish is its release, and so on to the driver. Every step of the path is held
 * against what is usual for it: a client's time awake ("busy"), the time from its release to its wake-up ("woke late"), the
 * driver's own delay ("driver"). The step with the largest excess is to blame when it explains at least half of the overrun;
 * else the client at work when the deadline passed (too much work overall); else nobody ("unknown"): so too when most time passed
 * between an end and the release that waited for it, which is nobody's step. What merely waited
 * is never on the list, nor are we: also not who waited for one whose end nobody saw. A client that was released and did not
 * begin at all ends the path, when no one that did ended last. */
#ifndef JACKPROBE_BLAME_H
#define JACKPROBE_BLAME_H

#include <jackprobe/exec.h>
#include <stddef.h>

JP_BEGIN_DECLS

enum jp_blame_kind {
	JP_BLAME_UNKNOWN = 0,
	JP_BLAME_BUSY,      /**< the client computed too long, or was still at an earlier cycle's work */
	JP_BLAME_WOKE_LATE, /**< it was released in time, but its thread ran late */
	JP_BLAME_DRIVER,    /**< the server's own wake-up was late */
	JP_BLAME_RELEASE,   /**< the server woke, and was late to release the graph */
};
enum { JP_BLAME_KINDS = JP_BLAME_RELEASE + 1 };
/** "unknown", "busy", "woke late"; "driver" for the server's two. Thread: any. */
const char *jp_blame_text(enum jp_blame_kind kind);

enum { JP_BLAME_EXECS_MAX = 1024 };

/** One execution in the cycle, with what is usual for its client. */
struct jp_blame_exec {
	struct jp_exec exec;        /**< finished_ns unknown: it never finished (killed, removed) or has not yet;
	                             * with state JP_EXEC_FINISHED nobody knows when, but not before seen_ns. awake_ns unknown: it did not begin
	                             * in this cycle, though released (JP_EXEC_TRIGGERED), or was still at something earlier (JP_EXEC_RUNNING) */
	int64_t usual_busy_ns;      /**< median of the client; JP_NS_UNKNOWN = not enough seen */
	int64_t usual_wait_ns;      /**< same */
	int64_t before_finished_ns; /**< finish of this client's execution before this one; JP_NS_UNKNOWN */
	bool ours;                  /**< head or tail: never blamed, not part of the graph's work */
};

/** A cable between two clients, by reference number. */
struct jp_blame_cable {
	int32_t from, to;
};

struct jp_blame_cycle {
	int64_t wake_ns, end_ns, period_ns;
	int64_t lateness_ns;       /**< wake - nominal wake; JP_NS_UNKNOWN */
	int64_t released_ns;       /**< when the driver released the graph; JP_NS_UNKNOWN */
	int64_t usual_dispatch_ns; /**< median of released - wake; JP_NS_UNKNOWN */
	int64_t before_end_ns; /**< end of the cycle before: a driver that had to wait for it is not to blame; JP_NS_UNKNOWN */
	const struct jp_blame_exec *execs;   /**< executions that began in the cycle, in any order */
	size_t n_execs;                      /**< at most JP_BLAME_EXECS_MAX, the rest is not looked at */
	const struct jp_blame_cable *cables; /**< NULL = not known: releases alone then tell the path */
	size_t n_cables;
};

struct jp_blame {
	enum jp_blame_kind kind;
	int32_t ref;      /**< the client; -1 for driver and unknown */
	int64_t value_ns; /**< what it is blamed for: the time it was busy (up to the cycle's end when it never finished;
	                    * what it still did for an earlier cycle included), waited, or the driver's delay; JP_NS_UNKNOWN */
	int64_t usual_ns;  /**< what is usual for that; JP_NS_UNKNOWN = not known */
	int64_t excess_ns; /**< value over usual (over 0 when that is not known); JP_NS_UNKNOWN */
};

/** Has an execution not begun, or not ended? Thread: any. */
bool jp_blame_is_missing(const struct jp_blame_exec *e);
/** Has an execution not begun, or not ended, and had all that it waits for ended when the period was over? Then it is what the others
 * wait for. Where cables are not known: when it is the only one. Thread: any. @param i index of the execution in the cycle. */
bool jp_blame_holds_up(const struct jp_blame_cycle *cycle, size_t i);

/** Find the culprit of a cycle that overran; for one that did not, kind is unknown. Thread: any. No allocation. */
void jp_blame_find(const struct jp_blame_cycle *cycle, struct jp_blame *out);

JP_END_DECLS

#endif
