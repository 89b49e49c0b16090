/* The tail: the last stamp of a cycle. It never asks for its ports' buffers, so that nothing is mixed for it. */
#include "rt.h"

#include "rt/cpu.h"

JP_RT int jp_tail_process(jack_nframes_t nframes, void *arg)
{
	struct jp_tail *tail = arg;
	struct timespec t;
	clock_gettime(tail->clock, &t);
	struct jp_record rec = {.entry_ns = jp_timespec_ns(&t), .nframes = nframes, .role = JP_TAIL};
	jp_ring_prefetch(tail->ring);
	__builtin_prefetch(tail->notes);
	if (tail->slots)
		jp_slots_enter(tail->slots, JP_TAIL, (int64_t)rec.entry_ns);
	rec.frame = jack_last_frame_time(tail->client);
	rec.cpu = jp_cpu_now();
	rec.cost_ns = tail->cost_ns;
	rec.flags = (uint8_t)(jp_shared_get(&tail->notes->freewheel) ? JP_REC_FREEWHEEL : 0);
	if (!jp_shared_count(&tail->calls))
		rec.flags |= JP_REC_FIRST;
	jp_ring_put(tail->ring, &rec);
	if (tail->slots)
		jp_slots_look(tail->slots, JP_LOOK_TAIL, (int64_t)rec.entry_ns);
	clock_gettime(tail->clock, &t);
	tail->cost_ns = (uint32_t)(jp_timespec_ns(&t) - rec.entry_ns);
	if (tail->slots)
		jp_slots_leave(tail->slots, JP_TAIL, (int64_t)jp_timespec_ns(&t));
	return 0;
}
