/* Memory of one stay at a server. */
#include "stay.h"

#include "rt/xrun.h"

#include <sys/mman.h>

enum {
	RECORDS = 4096, /* of head and tail each: 1.4 s at 3000 cycles/s, 256 KiB */
	XRUNS = 256,
};

struct slots {
	struct jp_record head[RECORDS], tail[RECORDS];
	struct jp_xrun xruns[XRUNS];
};

struct jp_stay *jp_stay_new(uint32_t generation, bool with_tail, sem_t *wake)
{
	size_t size = sizeof(struct jp_stay) + sizeof(struct slots);
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	/* Without the right to lock so much it stays merely touched. */
	(void)mlock(memory, size);
	struct jp_stay *stay = memory;
	struct slots *slots = (struct slots *)(stay + 1);
	jp_ring_init(&stay->head_ring, slots->head, RECORDS, sizeof *slots->head);
	jp_ring_init(&stay->tail_ring, slots->tail, RECORDS, sizeof *slots->tail);
	jp_ring_init(&stay->xrun_ring, slots->xruns, XRUNS, sizeof *slots->xruns);
	stay->size = size;
	stay->notes.wake = wake;
	stay->head.ring = &stay->head_ring;
	stay->head.xruns = &stay->xrun_ring;
	stay->head.notes = stay->tail.notes = &stay->notes;
	stay->tail.ring = &stay->tail_ring;
	stay->shown = (struct jp_attachment){.generation = generation,
		.head = &stay->head_ring,
		.tail = with_tail ? &stay->tail_ring : NULL,
		.xruns = &stay->xrun_ring,
		.clock = CLOCK_MONOTONIC};
	return stay;
}

void jp_stay_free(struct jp_stay *stay)
{
	jp_timing_close(stay->timing);
	jp_slots_free(stay->slots);
	munmap(stay, stay->size);
}
