/** @file slots.h
 * Reads what jackd2 recorded of every client, from inside our own two callbacks and, where these see too little, from a thread
 * that glances at the slots shortly before the next wake-up (timing/glance.h); passes on what changed since the last look.
 * All share one memory of what was seen, so that a change is passed on once: by whoever sees it first (rarely twice, when
 * two look at the same time; the reader of the rings drops doubles). The head also passes on who was released since its last
 * look and did nothing (JP_EXEC_STILL): it may be a client that does not run any more. A change that could not be passed on for want of room
 * is counted in the ring and is not passed on later. */
#ifndef JP_SLOTS_H
#define JP_SLOTS_H

#include <jackprobe/attributes.h>
#include <jackprobe/record.h>
#include <jackprobe/ring.h>
#include <jackprobe/status.h>
#include <stdbool.h>
#include <stdint.h>

/** Who looks. */
enum jp_looker { JP_LOOK_HEAD = JP_HEAD, JP_LOOK_TAIL = JP_TAIL, JP_LOOK_GLANCE };
enum { JP_LOOKERS = JP_LOOK_GLANCE + 1 };

enum {
	JP_SLOTS_MAX = 1024,      /**< reference numbers ever looked at */
	JP_SLOTS_MARGIN = 8,      /**< slots looked at above the highest one in use: room for clients that join */
	JP_SLOTS_RING = 4096,     /**< elements of each ring: a tenth of a second of 40 clients at 1000 cycles/s */
	JP_SLOTS_SLOW_NS = 50000, /**< a callback that took longer was interrupted, perhaps in the middle of its look */
	JP_SLOTS_SIGNALLED = 0,   /**< byte offsets in a slot */
	JP_SLOTS_AWAKE = 8,       /**< */
	JP_SLOTS_FINISHED = 16,   /**< */
	JP_SLOTS_STATE = 24,      /**< int32 */
	JP_SLOTS_LEAST_SIZE = 28, /**< bytes of a slot at least */
};

/** Where the slots stand. */
struct jp_slots_view {
	const unsigned char
		*slot0;  /**< slot of reference number 0; 4-byte aligned, mapped read-only, touched, locked */
	uint32_t stride; /**< bytes from slot to slot, a multiple of 4 */
	uint32_t n;      /**< slots there are, at most JP_SLOTS_MAX */
};

/** What was seen last in a slot: low halves of its times, in us. Atomic. */
struct jp_slot_seen {
	uint32_t awake_, finished_;
};

/** What the head saw last in a slot: low halves of its times, in us. The head's thread alone. */
struct jp_slot_still {
	uint32_t signalled, awake, finished;
};

/** The last call of a callback. The count is odd while it runs. */
struct jp_slots_call {
	struct jp_shared_u64 count __attribute__((aligned(64)));
	struct jp_shared_u64 entry_ns, exit_ns;
};

/** Members are private to slots.c and slots_setup.c. What a callback needs first stands in the first cache line. */
struct jp_slots {
	const unsigned char *slot0_ __attribute__((aligned(64))); /**< atomic; NULL: nothing is read */
	uint32_t stride_, n_;                                     /**< fixed before slot0_ is set */
	uint32_t limit_;                                          /**< atomic: slots looked at, from 0 */
	struct jp_ring *ring_[JP_LOOKERS];                        /**< by enum jp_looker; of struct jp_exec */
	struct jp_slots_call call_[2];                            /**< by enum jp_role */
	struct jp_slot_seen seen_[JP_SLOTS_MAX] __attribute__((aligned(64)));
	struct jp_slot_still still_[JP_SLOTS_MAX] __attribute__((aligned(64)));
};

/* Process callbacks. */

/** First thing in a callback: the call is noted, and what the look will need is asked for, to come while the callback does other things.
 * @param role whose callback this is. @param entry_ns its entry. Thread: the process thread of that role. RT safe. */
JP_RT void jp_slots_enter(struct jp_slots *s, enum jp_role role, int64_t entry_ns);

/** Look at all slots up to the limit and pass on those that changed. Bounded by the number of slots; without a view nothing happens.
 * @param now_ns entry of the callback; now, for the glance. Thread: the process thread of that role, the glancing one. RT safe. */
JP_RT void jp_slots_look(struct jp_slots *s, enum jp_looker who, int64_t now_ns);

/** Pass on that one has looked, whatever was seen. @param now_ns as in the look.
 * @param whole what did not change was still so; false: the look took so long that this may not be true of all slots.
 * Thread: the process thread of that role, the glancing one. RT safe. */
JP_RT void jp_slots_mark(struct jp_slots *s, enum jp_looker who, int64_t now_ns, bool whole);

/** Last thing in a callback. @param exit_ns now. Thread: the process thread of that role. RT safe. */
JP_RT void jp_slots_leave(struct jp_slots *s, enum jp_role role, int64_t exit_ns);

/* Set-up (timing/slots_setup.c): the thread that owns it. */

/** Allocate, touch and lock. Nothing is read before jp_slots_show. Errors: JP_NO_MEM. The caller owns the result. */
enum jp_status jp_slots_new(struct jp_slots **out);
/** Both callbacks must have ended for good. */
void jp_slots_free(struct jp_slots *s);
/** Let the callbacks read. @param highest highest reference number known to be in use. Call once. */
void jp_slots_show(struct jp_slots *s, const struct jp_slots_view *view, uint32_t highest);
/** Let them read no more. One callback may still be reading: unmap only after both have ended for good. */
void jp_slots_hide(struct jp_slots *s);
/** The last call of a role's callback. @return its number, counted from 1; 0 while one runs or before the first. Equal numbers before
 * and after some work: no callback of that role ran meanwhile. */
uint64_t jp_slots_last_call(const struct jp_slots *s, enum jp_role role, int64_t *entry_ns, int64_t *exit_ns);
/** Entry of a role's latest call, also while it runs; 0 before the first. Thread: any. */
int64_t jp_slots_entered(const struct jp_slots *s, enum jp_role role);
/** Is a client in its callback that began it at or after an instant? Head and tail count, too. Thread: any.
 * @param driver whose slot does not count; -1 = none. In the synchronous mode it looks as if it ran from the end of a cycle to the
 * next release. */
bool jp_slots_running(const struct jp_slots *s, int64_t since_ns, int32_t driver);
/** Slots looked at at present. */
uint32_t jp_slots_limit(const struct jp_slots *s);
/** The ring that one who looks writes; for the collector to read. */
struct jp_ring *jp_slots_ring(struct jp_slots *s, enum jp_looker who);

#endif
