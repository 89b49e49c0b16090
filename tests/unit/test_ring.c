#include <jackprobe/ring.h>

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

enum { CAPACITY = 8 };

struct element {
	uint64_t number, twice, check[3];
};

static struct element element(uint64_t number)
{
	return (struct element){number, 2 * number, {~number, number ^ 5, number}};
}

Test(ring, wants_a_power_of_two)
{
	struct jp_ring ring;
	char memory[64];
	const uint32_t bad[] = {0, 1, 3, 6, 1000};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_assert_eq(jp_ring_init(&ring, memory, bad[i], 4), JP_BAD_ARG, "%u", bad[i]);
	cr_assert_eq(jp_ring_init(&ring, NULL, 8, 4), JP_BAD_ARG);
	cr_assert_eq(jp_ring_init(&ring, memory, 8, 0), JP_BAD_ARG);
	cr_assert_eq(jp_ring_init(&ring, memory, 16, 4), JP_OK);
}

Test(ring, holds_its_capacity_and_counts_what_did_not_fit)
{
	struct element slots[CAPACITY], out[CAPACITY + 1];
	struct jp_ring ring;
	cr_assert_eq(jp_ring_init(&ring, slots, CAPACITY, sizeof *slots), JP_OK);
	cr_assert_eq(jp_ring_take(&ring, out, CAPACITY), 0);
	for (uint64_t i = 0; i < CAPACITY + 3; i++) {
		struct element e = element(i);
		cr_assert_eq(jp_ring_put(&ring, &e), i < CAPACITY ? JP_OK : JP_FULL);
	}
	cr_assert_eq(jp_ring_dropped(&ring), 3);
	cr_assert_eq(jp_ring_take(&ring, out, CAPACITY + 1), CAPACITY);
	for (uint64_t i = 0; i < CAPACITY; i++)
		cr_assert_eq(out[i].number, i, "the oldest are kept, the newest left out");
}

Test(ring, order_survives_many_turns)
{
	struct element slots[CAPACITY], out[CAPACITY];
	struct jp_ring ring;
	uint64_t put = 0, taken = 0;
	jp_ring_init(&ring, slots, CAPACITY, sizeof *slots);
	for (size_t turn = 0; turn < 1000; turn++) {
		for (size_t i = 0; i < turn % (CAPACITY + 1); i++) {
			struct element e = element(put++);
			cr_assert_eq(jp_ring_put(&ring, &e), JP_OK);
		}
		size_t n = jp_ring_take(&ring, out, CAPACITY);
		for (size_t i = 0; i < n; i++)
			cr_assert_eq(out[i].number, taken++);
	}
	cr_assert_eq(taken, put);
	cr_assert_eq(jp_ring_dropped(&ring), 0);
}

enum { MANY = 200000 };

static void *write_many(void *arg)
{
	for (uint64_t i = 0; i < MANY; i++) {
		struct element e = element(i);
		jp_ring_put(arg, &e);
	}
	return NULL;
}

/* Two threads: nothing torn, nothing twice, nothing out of order, and what is missing was counted. */
Test(ring, two_threads)
{
	struct element slots[CAPACITY], out[CAPACITY];
	struct jp_ring ring;
	pthread_t writer;
	uint64_t next = 0, taken = 0;
	jp_ring_init(&ring, slots, CAPACITY, sizeof *slots);
	cr_assert_eq(pthread_create(&writer, NULL, write_many, &ring), 0);
	while (taken + jp_ring_dropped(&ring) < MANY) {
		size_t n = jp_ring_take(&ring, out, CAPACITY);
		for (size_t i = 0; i < n; i++) {
			struct element want = element(out[i].number);
			cr_assert_eq(memcmp(&want, &out[i], sizeof want), 0, "torn");
			cr_assert_geq(out[i].number, next);
			next = out[i].number + 1;
		}
		taken += n;
		if (!n)
			sched_yield();
	}
	pthread_join(writer, NULL);
	cr_assert_eq(taken + jp_ring_dropped(&ring), MANY);
}
