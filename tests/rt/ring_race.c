/* Two threads at one ring, built with the thread sanitizer: it reports any access that is not ordered. */
#include <jackprobe/ring.h>

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

enum { MANY = 100000, CAPACITY = 16 };

struct element {
	uint64_t number, inverse;
};

static void *write_many(void *arg)
{
	for (uint64_t i = 0; i < MANY; i++) {
		const struct element e = {i, ~i};
		jp_ring_put(arg, &e);
		if (i % CAPACITY == 0)
			sched_yield();
	}
	return NULL;
}

int main(void)
{
	struct element slots[CAPACITY], some[CAPACITY];
	struct jp_ring ring;
	pthread_t writer;
	uint64_t taken = 0, torn = 0;
	jp_ring_init(&ring, slots, CAPACITY, sizeof *slots);
	if (pthread_create(&writer, NULL, write_many, &ring))
		return 1;
	while (taken + jp_ring_dropped(&ring) < MANY) {
		size_t n = jp_ring_take(&ring, some, CAPACITY);
		for (size_t i = 0; i < n; i++)
			torn += some[i].inverse != ~some[i].number;
		taken += n;
	}
	pthread_join(writer, NULL);
	printf("ring: %llu taken, %llu dropped, %llu torn\n", (unsigned long long)taken,
		(unsigned long long)jp_ring_dropped(&ring), (unsigned long long)torn);
	return torn || !taken;
}
