/** @file ring.h
 * Single-producer single-consumer ring of fixed-size elements. Full: the new element is left out and counted.
 * Nobody waits, nobody is signalled: the reader polls. */
#ifndef JACKPROBE_RING_H
#define JACKPROBE_RING_H

#include <jackprobe/attributes.h>
#include <jackprobe/status.h>
#include <stddef.h>
#include <stdint.h>

JP_BEGIN_DECLS

/** A counter that two threads share; wrapped so that it cannot be read or written by accident. */
struct jp_shared_u64 {
	uint64_t value_; /**< only through the __atomic builtins */
};

/** Members are private to ring.c and to the prefetch below. Writer's and reader's halves lie on cache lines of their own. */
struct jp_ring {
	unsigned char *slots_; /**< capacity x size bytes, the caller's */
	uint32_t mask_, size_;
	struct jp_shared_u64 head_ __attribute__((aligned(64))); /**< elements ever put */
	struct jp_shared_u64 dropped_;
	uint64_t seen_tail_;                                     /**< writer's last look at tail_ */
	struct jp_shared_u64 tail_ __attribute__((aligned(64))); /**< elements ever taken */
};

/** Set up a ring over memory of the caller's, which must outlive it and be touched and locked before a callback uses it.
 * @param slots capacity * size bytes. @param capacity a power of two >= 2. @param size bytes of one element.
 * Thread: one, before either side runs. Errors: JP_BAD_ARG. */
enum jp_status jp_ring_init(struct jp_ring *ring, void *slots, uint32_t capacity, uint32_t size);

/* Writer side: the JACK process thread. */

/** Ask for the memory that jp_ring_put will touch; what is done in between costs no time of its own then.
 * Thread: writer only. RT safe. */
static inline void jp_ring_prefetch(const struct jp_ring *ring)
{
	__builtin_prefetch(ring);
	__builtin_prefetch(&ring->head_, 1);
}

/** Copy one element in. When there is no room it is left out and the drop count goes up by one; nothing waits.
 * Thread: writer only. RT safe. Errors: JP_FULL - no room, the drop has been counted. */
JP_RT enum jp_status jp_ring_put(struct jp_ring *ring, const void *element);

/* Reader side: the collector thread. */

/** Copy up to max elements out, oldest first. @return how many. Thread: reader only. */
size_t jp_ring_take(struct jp_ring *ring, void *out, size_t max);

/** Elements left out since jp_ring_init. Thread: any. */
uint64_t jp_ring_dropped(const struct jp_ring *ring);

JP_END_DECLS

#endif
