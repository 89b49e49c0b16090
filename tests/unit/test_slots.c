/* The reader of the server's slots, on slots of our own. */
#include "rt/slots.h"

#include <criterion/criterion.h>
#include <jackprobe/exec.h>
#include <string.h>

enum { N = 64, STRIDE = 28 };

struct bench {
	struct jp_slots *slots;
	unsigned char memory[N * STRIDE] __attribute__((aligned(8)));
};

static void set(struct bench *b, unsigned ref, uint64_t signalled, uint64_t awake, uint64_t finished, int32_t state)
{
	unsigned char *p = b->memory + ref * STRIDE;
	memcpy(p + JP_SLOTS_SIGNALLED, &signalled, 8);
	memcpy(p + JP_SLOTS_AWAKE, &awake, 8);
	memcpy(p + JP_SLOTS_FINISHED, &finished, 8);
	memcpy(p + JP_SLOTS_STATE, &state, 4);
}

static void show(struct bench *b, uint32_t highest)
{
	struct jp_slots_view view = {b->memory, STRIDE, N};
	jp_slots_show(b->slots, &view, highest);
}

static void start(struct bench *b)
{
	memset(b->memory, 0, sizeof b->memory);
	cr_assert_eq(jp_slots_new(&b->slots), JP_OK);
}

static void look(struct bench *b, enum jp_role role, int64_t at_ns)
{
	jp_slots_enter(b->slots, role, at_ns);
	jp_slots_look(b->slots, (enum jp_looker)role, at_ns);
	jp_slots_leave(b->slots, role, at_ns);
}

static size_t take(struct bench *b, enum jp_role role, struct jp_exec *out, size_t max)
{
	return jp_ring_take(jp_slots_ring(b->slots, (enum jp_looker)role), out, max);
}

Test(slots, a_change_is_passed_on_once_by_whoever_sees_it_first)
{
	struct bench b;
	struct jp_exec e[4];
	start(&b);
	set(&b, 3, 100, 120, 90, JP_EXEC_RUNNING);
	look(&b, JP_HEAD, 1);
	cr_assert_eq(take(&b, JP_HEAD, e, 4), 0u, "nothing is read before it is shown");
	show(&b, 3);
	look(&b, JP_HEAD, 5000);
	look(&b, JP_TAIL, 6000);
	cr_assert_eq(take(&b, JP_HEAD, e, 4), 1u);
	cr_assert_eq(take(&b, JP_TAIL, e + 1, 3), 0u);
	cr_assert_eq(e[0].ref, 3);
	cr_assert_eq(e[0].signalled_ns, 100000);
	cr_assert_eq(e[0].awake_ns, 120000);
	cr_assert_eq(e[0].finished_ns, 90000);
	cr_assert_eq(e[0].seen_ns, 5000);
	cr_assert_eq(e[0].state, JP_EXEC_RUNNING);
	set(&b, 3, 100, 120, 150, JP_EXEC_FINISHED);
	look(&b, JP_TAIL, 7000);
	cr_assert_eq(take(&b, JP_TAIL, e, 4), 1u);
	cr_assert_eq(e[0].finished_ns, 150000);
	jp_slots_hide(b.slots);
	set(&b, 3, 200, 220, 250, JP_EXEC_FINISHED);
	look(&b, JP_TAIL, 8000);
	cr_assert_eq(take(&b, JP_TAIL, e, 4), 0u);
	jp_slots_free(b.slots);
}

Test(slots, times_that_were_never_set_are_unknown)
{
	struct bench b;
	struct jp_exec e;
	start(&b);
	set(&b, 2, 0, 0, UINT64_MAX, 4711);
	show(&b, 2);
	look(&b, JP_HEAD, 1);
	cr_assert_eq(take(&b, JP_HEAD, &e, 1), 1u);
	cr_assert_eq(e.signalled_ns, JP_NS_UNKNOWN);
	cr_assert_eq(e.awake_ns, JP_NS_UNKNOWN);
	cr_assert_eq(e.finished_ns, JP_NS_UNKNOWN);
	cr_assert_eq(e.state, JP_EXEC_UNKNOWN);
	jp_slots_free(b.slots);
}

Test(slots, clients_that_join_are_seen_one_after_the_other_up_to_the_last_slot)
{
	struct bench b;
	struct jp_exec e[2];
	start(&b);
	show(&b, 2);
	for (unsigned ref = 3; ref < N; ref++) {
		set(&b, ref, 1000 + ref, 2000 + ref, 3000 + ref, JP_EXEC_FINISHED);
		look(&b, JP_HEAD, 1);
		cr_assert_eq(take(&b, JP_HEAD, e, 2), 1u, "client %u", ref);
		cr_assert_eq(e[0].ref, (int32_t)ref);
	}
	cr_assert_eq(jp_slots_limit(b.slots), (uint32_t)N);
	jp_slots_free(b.slots);
}

Test(slots, who_is_in_its_callback_since_when)
{
	struct bench b;
	start(&b);
	cr_assert_not(jp_slots_running(b.slots, 0, -1), "nothing is read before it is shown");
	show(&b, 5);
	set(&b, 2, 1000, 1010, 1050, JP_EXEC_FINISHED);
	set(&b, 5, 1000, 2020, 1060, JP_EXEC_RUNNING);
	cr_assert(jp_slots_running(b.slots, 2020000, -1));
	cr_assert_not(jp_slots_running(b.slots, 2021000, -1), "it began before");
	cr_assert_not(jp_slots_running(b.slots, 2020000, 5), "the driver does not count");
	set(&b, 5, 1000, 2020, 2020, JP_EXEC_FINISHED);
	cr_assert_not(jp_slots_running(b.slots, 0, -1));
	/* Who has never run, seen from a time whose low half is above the middle. */
	set(&b, 5, 0, 0, 0, JP_EXEC_IDLE);
	cr_assert_not(jp_slots_running(b.slots, INT64_C(0x1f0000000) * 1000, -1));
	/* Across the wrap of the low half. */
	set(&b, 2, 0, UINT64_C(0x1fffffff0), UINT64_C(0x1ffffff00), JP_EXEC_RUNNING);
	cr_assert(jp_slots_running(b.slots, INT64_C(0x1ffffffe0) * 1000, -1));
	set(&b, 2, 0, UINT64_C(0x1fffffff0), UINT64_C(0x200000010), JP_EXEC_FINISHED);
	cr_assert_not(jp_slots_running(b.slots, INT64_C(0x1ffffffe0) * 1000, -1));
	jp_slots_free(b.slots);
}

Test(slots, no_room_is_counted)
{
	struct bench b;
	start(&b);
	show(&b, 2);
	for (uint64_t i = 1; i <= JP_SLOTS_RING + 7; i++) {
		set(&b, 2, i, i, i, JP_EXEC_FINISHED);
		look(&b, JP_HEAD, 1);
	}
	cr_assert_eq(jp_ring_dropped(jp_slots_ring(b.slots, JP_LOOK_HEAD)), 7u);
	jp_slots_free(b.slots);
}

Test(slots, the_last_call_is_told_when_it_is_over)
{
	struct bench b;
	int64_t entry, exit;
	start(&b);
	cr_assert_eq(jp_slots_last_call(b.slots, JP_TAIL, &entry, &exit), 0u);
	jp_slots_enter(b.slots, JP_TAIL, 1000);
	cr_assert_eq(jp_slots_last_call(b.slots, JP_TAIL, &entry, &exit), 0u);
	jp_slots_leave(b.slots, JP_TAIL, 1700);
	cr_assert_eq(jp_slots_last_call(b.slots, JP_TAIL, &entry, &exit), 1u);
	cr_assert_eq(entry, 1000);
	cr_assert_eq(exit, 1700);
	cr_assert_eq(jp_slots_last_call(b.slots, JP_HEAD, &entry, &exit), 0u);
	jp_slots_free(b.slots);
}

/* Released since the head looked last, and neither begun nor ended. */
Test(slots, the_head_passes_on_who_did_nothing)
{
	struct bench b;
	struct jp_exec e[4];
	start(&b);
	show(&b, 3);
	set(&b, 3, 1000, 1020, 1050, JP_EXEC_FINISHED);
	look(&b, JP_HEAD, 1);
	cr_assert_eq(take(&b, JP_HEAD, e, 4), 1u);
	cr_assert_eq(e[0].state, JP_EXEC_FINISHED);
	set(&b, 3, 2000, 1020, 1050, JP_EXEC_TRIGGERED);
	look(&b, JP_TAIL, 2);
	cr_assert_eq(take(&b, JP_TAIL, e, 4), 0u, "to the others a release is no news");
	look(&b, JP_HEAD, 3);
	cr_assert_eq(take(&b, JP_HEAD, e, 4), 1u);
	cr_assert_eq(e[0].state, JP_EXEC_STILL);
	cr_assert_eq(e[0].signalled_ns, 2000000);
	cr_assert_eq(e[0].awake_ns, 1020000);
	look(&b, JP_HEAD, 4);
	cr_assert_eq(take(&b, JP_HEAD, e, 4), 0u, "not released: there is nothing it should have done");
	set(&b, 3, 3000, 3020, 1050, JP_EXEC_RUNNING);
	look(&b, JP_TAIL, 5);
	set(&b, 3, 4000, 3020, 3050, JP_EXEC_TRIGGERED);
	look(&b, JP_TAIL, 6);
	cr_assert_eq(take(&b, JP_TAIL, e, 4), 2u);
	look(&b, JP_HEAD, 7);
	cr_assert_eq(take(&b, JP_HEAD, e, 4), 0u, "it ran between two looks of the head");
	jp_slots_free(b.slots);
}

/* A callback that was interrupted may have read the last slots long after the first. */
Test(slots, a_slow_callback_says_that_its_look_tells_nothing_of_what_did_not_change)
{
	struct bench b;
	struct jp_exec e[2];
	start(&b);
	for (int shown = 0; shown < 2; shown++) {
		jp_slots_enter(b.slots, JP_HEAD, 1000000);
		jp_slots_look(b.slots, JP_LOOK_HEAD, 1000000);
		jp_slots_leave(b.slots, JP_HEAD, 1000000 + JP_SLOTS_SLOW_NS + shown);
		cr_assert_eq(take(&b, JP_HEAD, e, 2), (size_t)shown);
		show(&b, 3);
	}
	cr_assert_eq(e[0].ref, JP_EXEC_LOOK);
	cr_assert_eq(e[0].state, JP_EXEC_UNKNOWN);
	cr_assert_eq(e[0].seen_ns, 1000000);
	jp_slots_enter(b.slots, JP_HEAD, 2000000);
	jp_slots_leave(b.slots, JP_HEAD, 2000000 + JP_SLOTS_SLOW_NS);
	cr_assert_eq(take(&b, JP_HEAD, e, 2), 0u);
	jp_slots_free(b.slots);
}
