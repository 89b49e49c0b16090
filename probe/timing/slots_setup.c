/* Set-up of the slot reader (rt/slots.h): everything that may allocate or enter the kernel. */
#include "rt/slots.h"

#include <jackprobe/exec.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* What the callbacks touch comes first; the glance's room is paged in when and as far as it is used. */
struct whole {
	struct jp_slots slots;
	struct jp_ring ring[JP_LOOKERS];
	struct jp_exec room[JP_LOOKERS][JP_SLOTS_RING];
};

static const size_t OF_CALLBACKS = offsetof(struct whole, room[JP_LOOK_GLANCE]);

enum jp_status jp_slots_new(struct jp_slots **out)
{
	void *memory;
	if (posix_memalign(&memory, 4096, sizeof(struct whole)))
		return JP_NO_MEM;
	struct whole *w = memory;
	memset(w, 0, OF_CALLBACKS);
	/* Without the right to lock, the pages stay touched: as good as it gets. */
	(void)mlock(w, OF_CALLBACKS);
	for (int who = 0; who < JP_LOOKERS; who++) {
		jp_ring_init(&w->ring[who], w->room[who], JP_SLOTS_RING, sizeof(struct jp_exec));
		w->slots.ring_[who] = &w->ring[who];
	}
	*out = &w->slots;
	return JP_OK;
}

void jp_slots_free(struct jp_slots *s)
{
	if (!s)
		return;
	struct whole *w = (struct whole *)s;
	(void)munlock(w, OF_CALLBACKS);
	free(w);
}

void jp_slots_show(struct jp_slots *s, const struct jp_slots_view *view, uint32_t highest)
{
	s->stride_ = view->stride;
	s->n_ = view->n < JP_SLOTS_MAX ? view->n : JP_SLOTS_MAX;
	uint32_t limit = highest + 1 + JP_SLOTS_MARGIN;
	__atomic_store_n(&s->limit_, limit < s->n_ ? limit : s->n_, __ATOMIC_RELAXED);
	__atomic_store_n(&s->slot0_, view->slot0, __ATOMIC_RELEASE);
}

void jp_slots_hide(struct jp_slots *s)
{
	__atomic_store_n(&s->slot0_, NULL, __ATOMIC_RELEASE);
}

uint64_t jp_slots_last_call(const struct jp_slots *s, enum jp_role role, int64_t *entry_ns, int64_t *exit_ns)
{
	const struct jp_slots_call *call = &s->call_[role];
	uint64_t count = __atomic_load_n(&call->count.value_, __ATOMIC_ACQUIRE);
	/* Acquired: the second look at the count is made after these. */
	*entry_ns = (int64_t)__atomic_load_n(&call->entry_ns.value_, __ATOMIC_ACQUIRE);
	*exit_ns = (int64_t)__atomic_load_n(&call->exit_ns.value_, __ATOMIC_ACQUIRE);
	bool still = __atomic_load_n(&call->count.value_, __ATOMIC_RELAXED) == count;
	return still && count % 2 == 0 ? count / 2 : 0;
}

int64_t jp_slots_entered(const struct jp_slots *s, enum jp_role role)
{
	return (int64_t)__atomic_load_n(&s->call_[role].entry_ns.value_, __ATOMIC_ACQUIRE);
}

/* us; may be torn once in 71 minutes, and then asks for one look too many or too few. */
static uint64_t time_at(const unsigned char *p)
{
	uint32_t low = __atomic_load_n((const uint32_t *)(const void *)p, __ATOMIC_ACQUIRE);
	uint32_t high = __atomic_load_n((const uint32_t *)(const void *)(p + 4), __ATOMIC_ACQUIRE);
	return (uint64_t)high << 32 | low;
}

bool jp_slots_running(const struct jp_slots *s, int64_t since_ns, int32_t driver)
{
	const unsigned char *slot = __atomic_load_n(&s->slot0_, __ATOMIC_ACQUIRE);
	uint32_t limit = slot ? jp_slots_limit(s) : 0;
	uint64_t since_us = (uint64_t)(since_ns > 0 ? since_ns : 0) / 1000;
	for (uint32_t ref = 0; ref < limit; ref++, slot += s->stride_) {
		uint64_t awake = (int32_t)ref != driver ? time_at(slot + JP_SLOTS_AWAKE) : 0;
		if (awake && awake >= since_us && time_at(slot + JP_SLOTS_FINISHED) < awake)
			return true;
	}
	return false;
}

uint32_t jp_slots_limit(const struct jp_slots *s)
{
	return __atomic_load_n(&s->limit_, __ATOMIC_RELAXED);
}

struct jp_ring *jp_slots_ring(struct jp_slots *s, enum jp_looker who)
{
	return s->ring_[who];
}
