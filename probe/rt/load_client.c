/* The process callback of a synthetic client. */
#include "load_client.h"

#include <jack/midiport.h>
#include <jack/transport.h>
#include <jackprobe/cycle.h>
#include <string.h>

JP_RT static int64_t now_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Only the callback writes its tally: a plain sum, stored so that readers see it whole. */
JP_RT static void add_one(uint64_t *counter)
{
	__atomic_store_n(counter, *counter + 1, __ATOMIC_RELEASE);
}

JP_RT static void add_input(float *sum, const float *in, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sum[i] += in[i];
}

JP_RT static void mix(const struct jp_load_rt *rt, jack_nframes_t nframes)
{
	if (!rt->n_out)
		return;
	float *sum = jack_port_get_buffer(rt->out[0], nframes);
	memset(sum, 0, nframes * sizeof *sum);
	for (uint32_t i = 0; i < rt->n_in; i++)
		add_input(sum, jack_port_get_buffer(rt->in[i], nframes), nframes);
	for (uint32_t i = 1; i < rt->n_out; i++)
		memcpy(jack_port_get_buffer(rt->out[i], nframes), sum, nframes * sizeof *sum);
}

JP_RT static void clear_midi(const struct jp_load_rt *rt, jack_nframes_t nframes)
{
	for (uint32_t i = 0; i < rt->n_out; i++)
		jack_midi_clear_buffer(jack_port_get_buffer(rt->out[i], nframes));
}

JP_RT static int64_t burn_of(const struct jp_load_rt *rt)
{
	uint64_t call = rt->tally->calls_ + 1;
	return rt->spike_every && call % rt->spike_every == 0 ? rt->spike_ns : rt->burn_ns;
}

/* A cycle in which several clients are late counts once: the first of them to leave its wake-up in the slot counts it. A client whose
 * wake-up and frame were told on either side of a new wake-up has left it in the slot beside. */
JP_RT static void count_late(struct jp_load_board *board, int64_t wake_ns, uint32_t cycle)
{
	int64_t *slot = &board->late_wake_[cycle % JP_LOAD_LATE_SLOTS];
	const int64_t *before = &board->late_wake_[(cycle - 1) % JP_LOAD_LATE_SLOTS];
	const int64_t *after = &board->late_wake_[(cycle + 1) % JP_LOAD_LATE_SLOTS];
	if (__atomic_load_n(before, __ATOMIC_ACQUIRE) == wake_ns || __atomic_load_n(after, __ATOMIC_ACQUIRE) == wake_ns)
		return;
	if (__atomic_exchange_n(slot, wake_ns, __ATOMIC_ACQ_REL) != wake_ns)
		__atomic_add_fetch(&board->late_, 1, __ATOMIC_ACQ_REL);
}

JP_RT static void keep(struct jp_load_rt *rt, const struct jp_load_record *record)
{
	struct jp_load_tally *tally = rt->tally;
	add_one(&tally->cycles_);
	if (!rt->capacity)
		return;
	if (tally->kept_ == rt->capacity) {
		add_one(&tally->dropped_);
		return;
	}
	rt->records[tally->kept_] = *record;
	add_one(&tally->kept_);
}

JP_RT int jp_load_process(jack_nframes_t nframes, void *arg)
{
	struct jp_load_rt *rt = arg;
	struct jp_load_record record = {.start_ns = now_ns(rt->clock)};
	jack_position_t pos;
	jack_transport_query(rt->client, &pos);
	record.frame = jack_last_frame_time(rt->client);
	record.wake_ns = pos.usecs ? (int64_t)pos.usecs * 1000 : JP_NS_UNKNOWN;
	if (rt->midi)
		clear_midi(rt, nframes);
	else
		mix(rt, nframes);
	int64_t until = record.start_ns + burn_of(rt);
	do
		record.end_ns = now_ns(rt->clock);
	while (record.end_ns < until);
	if (__atomic_load_n(&rt->board->measuring_, __ATOMIC_ACQUIRE)) {
		int64_t took = jp_ns_between(record.wake_ns, record.end_ns);
		bool timed = nframes && pos.frame_rate && !__atomic_load_n(&rt->freewheel_, __ATOMIC_RELAXED);
		if (timed && took != JP_NS_UNKNOWN && took * pos.frame_rate > (int64_t)nframes * 1000000000)
			count_late(rt->board, record.wake_ns, record.frame / nframes);
		keep(rt, &record);
	}
	add_one(&rt->tally->calls_);
	return 0;
}
