/* Single-producer single-consumer ring. Positions count elements ever put and taken; the slot is the position modulo the
 * capacity, so that full and empty need no spare slot. */
#include <jackprobe/ring.h>

#include <string.h>

static uint64_t load_own(const struct jp_shared_u64 *u)
{
	return __atomic_load_n(&u->value_, __ATOMIC_RELAXED);
}

static uint64_t load_other(const struct jp_shared_u64 *u)
{
	return __atomic_load_n(&u->value_, __ATOMIC_ACQUIRE);
}

static void publish(struct jp_shared_u64 *u, uint64_t value)
{
	__atomic_store_n(&u->value_, value, __ATOMIC_RELEASE);
}

static unsigned char *slot(const struct jp_ring *ring, uint64_t position)
{
	return ring->slots_ + (size_t)(position & ring->mask_) * ring->size_;
}

/* Word by word: a record is short, and memcpy's code would have to come from memory after every wake-up. */
static void copy_in(unsigned char *to, const unsigned char *from, size_t size)
{
	for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
		memcpy(to, from, sizeof(uint64_t));
		to += sizeof(uint64_t);
		from += sizeof(uint64_t);
	}
	for (; size; size--)
		*to++ = *from++;
}

enum jp_status jp_ring_init(struct jp_ring *ring, void *slots, uint32_t capacity, uint32_t size)
{
	if (!slots || !size || capacity < 2 || (capacity & (capacity - 1)))
		return JP_BAD_ARG;
	*ring = (struct jp_ring){.slots_ = slots, .mask_ = capacity - 1, .size_ = size};
	return JP_OK;
}

JP_RT enum jp_status jp_ring_put(struct jp_ring *ring, const void *element)
{
	uint64_t head = load_own(&ring->head_);
	if (head - ring->seen_tail_ > ring->mask_) {
		ring->seen_tail_ = load_other(&ring->tail_);
		if (head - ring->seen_tail_ > ring->mask_) {
			publish(&ring->dropped_, load_own(&ring->dropped_) + 1);
			return JP_FULL;
		}
	}
	copy_in(slot(ring, head), element, ring->size_);
	publish(&ring->head_, head + 1);
	return JP_OK;
}

size_t jp_ring_take(struct jp_ring *ring, void *out, size_t max)
{
	uint64_t tail = load_own(&ring->tail_);
	uint64_t there = load_other(&ring->head_) - tail;
	size_t n = there < max ? (size_t)there : max;
	for (size_t i = 0; i < n; i++)
		memcpy((unsigned char *)out + i * ring->size_, slot(ring, tail + i), ring->size_);
	publish(&ring->tail_, tail + n);
	return n;
}

uint64_t jp_ring_dropped(const struct jp_ring *ring)
{
	return load_other(&ring->dropped_);
}
