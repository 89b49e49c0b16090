/* The ways to learn executions, under one interface. */
#include "timing/timing.h"

#include "timing/cables.h"
#include "timing/glance.h"
#include "timing/jack2.h"
#include "timing/pipewire.h"

#include <jack/thread.h>
#include <stdio.h>
#include <stdlib.h>

#define LAG_NS 1000000 /* a callback may be interrupted between its clock and its ring */

struct jp_times {
	struct jp_jack2 *jack2; /* with slots; NULL = PipeWire's */
	struct jp_slots *slots;
	struct jp_glance *glance; /* NULL = there is none */
	struct jp_pipewire *pipewire;
	struct jp_cables *cables; /* with PipeWire */
};

void jp_timing_close(struct jp_times *t)
{
	if (!t)
		return;
	jp_glance_free(t->glance);
	jp_jack2_free(t->jack2);
	jp_pipewire_close(t->pipewire);
	jp_cables_free(t->cables);
	free(t);
}

enum jp_status jp_timing_open_jack2(jack_client_t *head, jack_client_t *tail, struct jp_slots *slots, clockid_t clock,
	struct jp_times **out, struct jp_why *why)
{
	struct jp_times *t = calloc(1, sizeof *t);
	if (!t)
		return jp_why_set(why, JP_NO_MEM, "out of memory for per-client times");
	t->slots = slots;
	enum jp_status status = jp_jack2_find(
		&(struct jp_jack2_config){.head = head, .tail = tail, .slots = slots, .clock = clock}, &t->jack2, why);
	if (status != JP_OK) {
		free(t);
		return status;
	}
	t->glance = jp_glance_new(slots, jp_timing_refs(t).driver, clock, jack_client_real_time_priority(head) > 1);
	*out = t;
	return JP_OK;
}

enum jp_status jp_timing_open_pipewire(const char *head, const char *tail, struct jp_times **out, struct jp_why *why)
{
	struct jp_times *t = calloc(1, sizeof *t);
	if (!t)
		return jp_why_set(why, JP_NO_MEM, "out of memory for per-client times");
	t->cables = jp_cables_new();
	enum jp_status status = t->cables ? jp_pipewire_open(head, tail, &t->pipewire, why)
					  : jp_why_set(why, JP_NO_MEM, "out of memory for per-client times");
	if (status != JP_OK)
		jp_timing_close(t);
	else
		*out = t;
	return status;
}

void jp_timing_refresh(struct jp_times *t, int64_t since_ns)
{
	if (t->jack2)
		jp_jack2_refresh(t->jack2, since_ns);
}

bool jp_timing_wants_cables(const struct jp_times *t)
{
	return t->cables;
}

void jp_timing_cabled(struct jp_times *t, const char *const *names, size_t n_names, const struct jp_blame_cable *cables,
	size_t n_cables)
{
	if (t->cables)
		jp_cables_set(t->cables, names, n_names, cables, n_cables);
}

struct jp_timing_refs jp_timing_refs(const struct jp_times *t)
{
	struct jp_timing_refs r = {.hardware = -1};
	if (t->jack2)
		jp_jack2_refs(t->jack2, &r.head, &r.tail, &r.driver, &r.hardware);
	else
		jp_pipewire_refs(t->pipewire, &r.head, &r.tail, &r.driver);
	return r;
}

size_t jp_timing_take(struct jp_times *t, struct jp_exec *out, size_t max)
{
	if (!t->jack2)
		return jp_pipewire_take(t->pipewire, out, max);
	size_t n = 0;
	for (int who = 0; who < JP_LOOKERS; who++)
		n += jp_ring_take(jp_slots_ring(t->slots, who), out + n, max - n);
	return n;
}

uint64_t jp_timing_dropped(const struct jp_times *t)
{
	if (!t->jack2)
		return jp_pipewire_dropped(t->pipewire);
	uint64_t n = 0;
	for (int who = 0; who < JP_LOOKERS; who++)
		n += jp_ring_dropped(jp_slots_ring(t->slots, who));
	return n;
}

bool jp_timing_name(struct jp_times *t, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX])
{
	return t->jack2 ? jp_jack2_name(t->jack2, ref, at_ns, out) : jp_pipewire_name(t->pipewire, ref, at_ns, out);
}

static int64_t cables_by_name(
	struct jp_times *t, const struct jp_exec *execs, size_t n, struct jp_blame_cable *out, size_t max)
{
	struct jp_cables_client *client = calloc(n + 1, sizeof *client);
	if (!client)
		return -1;
	for (size_t i = 0; i < n; i++) {
		client[i].ref = execs[i].ref;
		jp_timing_name(t, execs[i].ref, jp_exec_time_ns(&execs[i]), client[i].name);
	}
	int64_t found = jp_cables_between(t->cables, client, n, out, max);
	free(client);
	return found;
}

int64_t jp_timing_cables(
	struct jp_times *t, const struct jp_exec *execs, size_t n, struct jp_blame_cable *out, size_t max)
{
	return t->jack2 ? (int64_t)jp_jack2_cables(t->jack2, out, max) : cables_by_name(t, execs, n, out, max);
}

int64_t jp_timing_horizon(struct jp_times *t, int64_t now_ns)
{
	if (!t->jack2)
		return jp_pipewire_told(t->pipewire);
	return (t->glance ? jp_glance_horizon(t->glance, now_ns) : now_ns) - LAG_NS;
}

bool jp_timing_tells_wake(const struct jp_times *t)
{
	return !t->jack2;
}

void jp_timing_look_twice(struct jp_times *t, int64_t period_ns, int64_t dispatch_ns)
{
	if (t->glance)
		jp_glance_set(t->glance, period_ns, dispatch_ns);
}

void jp_timing_stop(struct jp_times *t)
{
	jp_timing_look_twice(t, 0, 0);
	if (t->jack2)
		jp_slots_hide(t->slots);
}

void jp_timing_text(const struct jp_times *t, char *out, size_t size)
{
	if (t->jack2)
		jp_jack2_text(t->jack2, out, size);
	else
		snprintf(out, size, "PipeWire's profiler");
}
