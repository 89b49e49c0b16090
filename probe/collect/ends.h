/** @file ends.h
 * Gives cycles their exact end from the server's record, and the executions that belong to them. Cycles wait here until
 * these are in (some 50 ms; a client that does not end: half a second); without server timing they pass straight through. All
 * the while the record is held against what our own callbacks saw of themselves. One thread: the collector. */
#ifndef JP_ENDS_H
#define JP_ENDS_H

#include "collect/exec_merge.h"
#include "timing/timing.h"

#include <jackprobe/record.h>
#include <jackprobe/status.h>

struct jp_ends; /**< opaque */

/** @return NULL when out of memory. The caller owns it. */
struct jp_ends *jp_ends_new(void);
void jp_ends_free(struct jp_ends *e);

/** Use this from now on (borrowed); NULL = none. Cycles that wait have to be taken before (flush). @param now_ns JACK's clock; records from
 * before are not held against it. */
void jp_ends_use(struct jp_ends *e, struct jp_times *timing, int64_t now_ns);

/** Records of one role, in order: what our callbacks know of themselves. */
void jp_ends_records(struct jp_ends *e, const struct jp_record *records, size_t n);
/** Records or cycles are missing from here on: begin the comparison anew. */
void jp_ends_gap(struct jp_ends *e);

/** Put a cycle in, in order. */
void jp_ends_put(struct jp_ends *e, const struct jp_cycle *cycle);

/** Take the looks at the server's record that there are. @param now_ns JACK's clock, read before the records of this poll were taken.
 * @return JP_BAD_DATA when the record contradicts our own callbacks: it is not used any more, why says what happened. */
enum jp_status jp_ends_poll(struct jp_ends *e, int64_t now_ns, struct jp_why *why);

/** Take the next cycle. @param flush do not wait any longer. @param execs its executions, valid until the next call; NULL when
 * there are none known. @return false when there is none. */
bool jp_ends_next(struct jp_ends *e, bool flush, struct jp_cycle *out, const struct jp_exec_cycle **execs);

/** When our first callback was called in the cycle that jp_ends_next gives out next; JP_NS_UNKNOWN = there is none. */
int64_t jp_ends_first_ns(const struct jp_ends *e);

/** Is there a server's record in use? NULL = no. */
struct jp_times *jp_ends_timing(const struct jp_ends *e);

/** What is missing of the server's record since the start. */
struct jp_ends_missing {
	uint64_t looks;      /**< left out because the collector came too late */
	uint64_t executions; /**< not wholly known, for this or any other reason */
};
struct jp_ends_missing jp_ends_missing(const struct jp_ends *e);

#endif
