/* Real-time half of the server timing: look at the server's slots, pass on what changed. */
#include "rt/slots.h"

#include <jackprobe/exec.h>

#include <stdbool.h>
#include <string.h>

struct raw {
	uint64_t signalled, awake, finished;
	int32_t state;
};

JP_RT static uint32_t half(const unsigned char *p)
{
	return __atomic_load_n((const uint32_t *)(const void *)p, __ATOMIC_ACQUIRE);
}

/* A slot is only 4-byte aligned, so the server's 64-bit store may be seen in two halves. The high one changes every 71 minutes:
 * read it before and after the low one; a second difference in a row cannot be. */
JP_RT static uint64_t wide(const unsigned char *p)
{
	uint32_t low, high = half(p + 4), again;
	low = half(p);
	again = half(p + 4);
	if (again != high)
		low = half(p);
	return (uint64_t)again << 32 | low;
}

/* What is unchanged in its low half is unchanged: whole multiples of 71 minutes between two looks do not matter. A release alone
 * is no news: it may be one of several that a client waits for. */
JP_RT static bool changed(const unsigned char *slot, const struct jp_slot_seen *seen)
{
	return half(slot + JP_SLOTS_FINISHED) != __atomic_load_n(&seen->finished_, __ATOMIC_RELAXED) ||
	       half(slot + JP_SLOTS_AWAKE) != __atomic_load_n(&seen->awake_, __ATOMIC_RELAXED);
}

/* The server writes signalled, awake, finished in this order in the course of a cycle. Read backwards, so that an end never
 * comes without its beginning. */
JP_RT static void take(const unsigned char *slot, struct jp_slot_seen *seen, struct raw *out)
{
	int32_t state = (int32_t)half(slot + JP_SLOTS_STATE);
	out->state = state >= JP_EXEC_IDLE && state <= JP_EXEC_FINISHED ? state : JP_EXEC_UNKNOWN;
	out->finished = wide(slot + JP_SLOTS_FINISHED);
	out->awake = wide(slot + JP_SLOTS_AWAKE);
	out->signalled = wide(slot + JP_SLOTS_SIGNALLED);
	__atomic_store_n(&seen->finished_, (uint32_t)out->finished, __ATOMIC_RELAXED);
	__atomic_store_n(&seen->awake_, (uint32_t)out->awake, __ATOMIC_RELAXED);
}

JP_RT static int64_t to_ns(uint64_t us)
{
	return us && us < INT64_MAX / 1000 ? (int64_t)us * 1000 : JP_NS_UNKNOWN;
}

JP_RT static void pass_on(struct jp_ring *ring, const struct raw *raw, uint32_t ref, int64_t now_ns)
{
	struct jp_exec exec = {
		.signalled_ns = to_ns(raw->signalled),
		.awake_ns = to_ns(raw->awake),
		.finished_ns = to_ns(raw->finished),
		.seen_ns = now_ns,
		.ref = (int32_t)ref,
		.state = raw->state,
	};
	jp_ring_put(ring, &exec);
}

/* Other cores wrote these lines: ask for all of them at once instead of waiting for each. */
JP_RT static void fetch(const unsigned char *from, size_t size)
{
	for (size_t at = 0; at < size; at += 64)
		__builtin_prefetch(from + at);
}

/* Has it been released since the head looked last, and done nothing? One that ended before that look, and waits for its turn in the
 * new cycle, is among them: the reader knows when it ran. */
JP_RT static bool is_still(const unsigned char *slot, struct jp_slot_still *last)
{
	struct jp_slot_still now = {
		half(slot + JP_SLOTS_SIGNALLED), half(slot + JP_SLOTS_AWAKE), half(slot + JP_SLOTS_FINISHED)};
	bool still = now.awake == last->awake && now.finished == last->finished && now.signalled != last->signalled;
	*last = now;
	return still;
}

JP_RT void jp_slots_look(struct jp_slots *s, enum jp_looker who, int64_t now_ns)
{
	const unsigned char *slot = __atomic_load_n(&s->slot0_, __ATOMIC_ACQUIRE);
	if (!slot)
		return;
	uint32_t limit = __atomic_load_n(&s->limit_, __ATOMIC_RELAXED), highest = 0;
	for (uint32_t ref = 0; ref < limit; ref++, slot += s->stride_) {
		struct jp_slot_seen *seen = &s->seen_[ref];
		bool still = who == JP_LOOK_HEAD && is_still(slot, &s->still_[ref]);
		if (!still && !changed(slot, seen))
			continue;
		struct raw raw;
		take(slot, seen, &raw);
		if (still && (uint32_t)raw.awake == s->still_[ref].awake &&
			(uint32_t)raw.finished == s->still_[ref].finished)
			raw.state = JP_EXEC_STILL;
		pass_on(s->ring_[who], &raw, ref, now_ns);
		highest = ref;
	}
	if (highest + JP_SLOTS_MARGIN > limit && limit < s->n_) {
		uint32_t wanted = highest + JP_SLOTS_MARGIN;
		__atomic_store_n(&s->limit_, wanted < s->n_ ? wanted : s->n_, __ATOMIC_RELAXED);
	}
}

JP_RT void jp_slots_mark(struct jp_slots *s, enum jp_looker who, int64_t now_ns, bool whole)
{
	struct jp_exec mark = {.ref = JP_EXEC_LOOK, .seen_ns = now_ns};
	mark.state = whole ? JP_EXEC_STILL : JP_EXEC_UNKNOWN;
	mark.signalled_ns = mark.awake_ns = mark.finished_ns = JP_NS_UNKNOWN;
	jp_ring_put(s->ring_[who], &mark);
}

JP_RT void jp_slots_enter(struct jp_slots *s, enum jp_role role, int64_t entry_ns)
{
	struct jp_slots_call *call = &s->call_[role];
	const unsigned char *slot0 = __atomic_load_n(&s->slot0_, __ATOMIC_ACQUIRE);
	if (slot0) {
		uint32_t limit = __atomic_load_n(&s->limit_, __ATOMIC_RELAXED);
		fetch(slot0, (size_t)limit * s->stride_);
		fetch((const unsigned char *)s->seen_, limit * sizeof *s->seen_);
		if (role == JP_HEAD)
			fetch((const unsigned char *)s->still_, limit * sizeof *s->still_);
		jp_ring_prefetch(s->ring_[role]);
	}
	uint64_t count = __atomic_load_n(&call->count.value_, __ATOMIC_RELAXED);
	__atomic_store_n(&call->count.value_, count + 1, __ATOMIC_RELAXED);
	/* Released: who reads this entry reads a count that is odd, or later. */
	__atomic_store_n(&call->entry_ns.value_, (uint64_t)entry_ns, __ATOMIC_RELEASE);
}

JP_RT void jp_slots_leave(struct jp_slots *s, enum jp_role role, int64_t exit_ns)
{
	struct jp_slots_call *call = &s->call_[role];
	int64_t entry_ns = (int64_t)__atomic_load_n(&call->entry_ns.value_, __ATOMIC_RELAXED);
	if (exit_ns - entry_ns > JP_SLOTS_SLOW_NS && __atomic_load_n(&s->slot0_, __ATOMIC_RELAXED))
		jp_slots_mark(s, (enum jp_looker)role, entry_ns, false);
	uint64_t count = __atomic_load_n(&call->count.value_, __ATOMIC_RELAXED);
	__atomic_store_n(&call->exit_ns.value_, (uint64_t)exit_ns, __ATOMIC_RELEASE);
	__atomic_store_n(&call->count.value_, count + 1, __ATOMIC_RELEASE);
}
