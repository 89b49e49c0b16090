/* Set-up of the slot reader (rt/slots.h): everything that may allocate or enter the kernel. */
#include "rt/slots.h"

#include <jackprobe/exec.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct whole {
	struct jp_slots slots;
	struct jp_ring ring[2];
	struct jp_exec room[2][JP_SLOTS_RING];
};

enum jp_status jp_slots_new(struct jp_slots **out)
{
	void *memory;
	if (posix_memalign(&memory, 4096, sizeof(struct whole)))
		return JP_NO_MEM;
	struct whole *w = memory;
	memset(w, 0, sizeof *w);
	/* Without the right to lock, the pages stay touched: as good as it gets. */
	(void)mlock(w, sizeof *w);
	for (int role = JP_HEAD; role <= JP_TAIL; role++) {
		jp_ring_init(&w->ring[role], w->room[role], JP_SLOTS_RING, sizeof(struct jp_exec));
		w->slots.ring_[role] = &w->ring[role];
	}
	*out = &w->slots;
	return JP_OK;
}

void jp_slots_free(struct jp_slots *s)
{
	if (!s)
		return;
	struct whole *w = (struct whole *)s;
	(void)munlock(w, sizeof *w);
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

uint32_t jp_slots_limit(const struct jp_slots *s)
{
	return __atomic_load_n(&s->limit_, __ATOMIC_RELAXED);
}

struct jp_ring *jp_slots_ring(struct jp_slots *s, enum jp_role role)
{
	return s->ring_[role];
}
