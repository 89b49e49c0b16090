/* The head: the first stamp of a cycle. */
#include "rt.h"

#include "rt/cpu.h"
#include "rt/xrun.h"

#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/transport.h>
#include <string.h>

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return jp_timespec_ns(&t);
}

/* Outputs of strict mode: what is not written plays whatever the buffer held before. */
static void silence(const struct jp_head *head, jack_nframes_t nframes)
{
	if (!head->audio_out)
		return;
	memset(jack_port_get_buffer(head->audio_out, nframes), 0, nframes * sizeof(jack_default_audio_sample_t));
	memset(jack_port_get_buffer(head->late_out, nframes), 0, nframes * sizeof(jack_default_audio_sample_t));
	jack_midi_clear_buffer(jack_port_get_buffer(head->midi_out, nframes));
}

/* Driver's wake-up and rate. The position is filled in whatever state the transport is in. */
static void note_position(const struct jp_head *head, struct jp_record *rec)
{
	jack_position_t pos;
	pos.usecs = 0;
	pos.frame_rate = 0;
	jack_transport_query(head->client, &pos);
	rec->wake_us = head->wake_in_position ? pos.usecs : 0;
	rec->rate_hz = pos.frame_rate ? pos.frame_rate : jp_shared_get(&head->notes->rate_hz);
}

/* Frame time (jack_last_frame_time's, in one call less) and what the server's delay-locked loop expected. */
static void note_loop(const struct jp_head *head, struct jp_record *rec)
{
	jack_nframes_t frames;
	jack_time_t now_us, next_us;
	float period_us;
	if (jack_get_cycle_times(head->client, &frames, &now_us, &next_us, &period_us)) {
		rec->frame = jack_last_frame_time(head->client);
		return;
	}
	rec->frame = frames;
	rec->nominal_us = now_us;
	if (period_us > 0 && period_us < 4e9f)
		rec->period_us = (uint32_t)(period_us + 0.5f);
}

JP_RT int jp_head_process(jack_nframes_t nframes, void *arg)
{
	struct jp_head *head = arg;
	struct jp_record rec = {.entry_ns = now_ns(head->clock), .nframes = nframes, .role = JP_HEAD};
	jp_ring_prefetch(head->ring);
	__builtin_prefetch(head->notes);
	if (head->slots)
		jp_slots_enter(head->slots, JP_HEAD, (int64_t)rec.entry_ns);
	note_position(head, &rec);
	note_loop(head, &rec);
	silence(head, nframes);
	rec.cpu = jp_cpu_now();
	rec.cost_ns = head->cost_ns;
	rec.flags = (uint8_t)(jp_shared_get(&head->notes->freewheel) ? JP_REC_FREEWHEEL : 0);
	if (!jp_shared_get(&head->calls)) {
		rec.flags |= JP_REC_FIRST;
		head->thread = pthread_self();
	}
	jp_shared_count(&head->calls);
	jp_ring_put(head->ring, &rec);
	if (head->slots)
		jp_slots_look(head->slots, JP_LOOK_HEAD, (int64_t)rec.entry_ns);
	uint64_t exit_ns = now_ns(head->clock);
	head->cost_ns = (uint32_t)(exit_ns - rec.entry_ns);
	if (head->slots)
		jp_slots_leave(head->slots, JP_HEAD, (int64_t)exit_ns);
	return 0;
}

void jp_head_latency(jack_latency_callback_mode_t mode, void *arg)
{
	struct jp_head *head = arg;
	jack_latency_range_t range = {.min = jp_shared_get(&head->late_min), .max = jp_shared_get(&head->late_max)};
	if (mode == JackCaptureLatency && head->late_out)
		jack_port_set_latency_range(head->late_out, mode, &range);
}

JP_RT int jp_head_xrun(void *arg)
{
	struct jp_head *head = arg;
	struct jp_xrun xrun = {.at_ns = now_ns(head->clock)};
	xrun.delay_us = (double)jack_get_xrun_delayed_usecs(head->client) * head->delay_us_per_one;
	jp_ring_put(head->xruns, &xrun);
	return 0;
}
