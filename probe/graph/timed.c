/* Server timing of a stay. */
#include "timed.h"

#include "cli/watch_options.h"
#include "snapshot.h"
#include "sys/clock.h"

#include <jack/midiport.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	REFRESH_NS = 20000000, /* changes come in bursts: one look for all of them */
	LOOKS = 5              /* at the server's memory, 20 to 50 ms each */
};

void jp_timed_init(struct jp_timed *t, struct jp_stay *stay, struct jp_watch *watch, int timing)
{
	*t = (struct jp_timed){.stay = stay, .watch = watch, .since_ns = -1};
	t->decided = timing == JP_TIMING_API;
}

static bool callbacks_run(const struct jp_stay *stay)
{
	return jp_shared_get(&stay->head.calls) && (!stay->tail.client || jp_shared_get(&stay->tail.calls));
}

/* Why not to try at all; NULL = try. */
static const char *obstacle(const struct jp_stay *stay)
{
	if (stay->kind != JP_SERVER_JACK2 && stay->kind != JP_SERVER_PIPEWIRE)
		return "this JACK server tells no per-client times: cycle ends come from the tail";
	if (stay->kind == JP_SERVER_JACK2 && !stay->head.slots)
		return "out of memory for per-client times: cycle ends come from the tail";
	return NULL;
}

/* A lone head has no port to be found by in the server's memory (timing/layout.h): it gets two while that is looked for. */
static void mark_head(struct jp_stay *stay, jack_port_t *mark[2])
{
	static const char *const name[] = {"mark-1", "mark-2"};
	for (size_t i = 0; i < 2; i++)
		mark[i] = stay->tail.client ? NULL
					    : jack_port_register(stay->head.client, name[i], JACK_DEFAULT_MIDI_TYPE,
						      JackPortIsOutput | JackPortIsTerminal, 0);
}

static void unmark_head(struct jp_stay *stay, jack_port_t *mark[2])
{
	for (size_t i = 0; i < 2; i++)
		if (mark[i])
			jack_port_unregister(stay->head.client, mark[i]);
}

/* On a busy machine the evidence of one look may fit two layouts: look again before it is given up. */
static enum jp_status open_jack2(struct jp_stay *stay, struct jp_why *why)
{
	jack_port_t *mark[2];
	enum jp_status status = JP_UNSUPPORTED;
	mark_head(stay, mark);
	for (int look = 0; look < LOOKS && (status == JP_UNSUPPORTED || status == JP_TIMEOUT); look++)
		status = jp_timing_open_jack2(
			stay->head.client, stay->tail.client, stay->head.slots, stay->shown.clock, &stay->timing, why);
	unmark_head(stay, mark);
	return status;
}

static enum jp_status open_pipewire(struct jp_stay *stay, struct jp_why *why)
{
	const char *tail = stay->tail.client ? jack_get_client_name(stay->tail.client) : "";
	return jp_timing_open_pipewire(jack_get_client_name(stay->head.client), tail, &stay->timing, why);
}

static void decide(struct jp_timed *t)
{
	struct jp_stay *stay = t->stay;
	struct jp_why why = {""};
	const char *not = obstacle(stay);
	t->decided = true;
	t->seen = jp_shared_get(&stay->notes.graph);
	if (not ) {
		snprintf(t->why, sizeof t->why, "%s", not );
		return;
	}
	jp_watch_begin(t->watch, "looking for the server's per-client times");
	enum jp_status status = stay->kind == JP_SERVER_JACK2 ? open_jack2(stay, &why) : open_pipewire(stay, &why);
	if (status != JP_OK)
		snprintf(t->why, sizeof t->why, "%s", why.text);
	jp_watch_end(t->watch);
	if (stay->timing && jp_timing_wants_cables(stay->timing))
		t->since_ns = jp_clock_now(stay->shown.clock);
}

/* Cables between ports -> between clients. */
static void tell_cables(struct jp_times *timing, const struct jp_graph *graph)
{
	const char **name = calloc(graph->n_clients + 1, sizeof *name);
	struct jp_blame_cable *cable = calloc(graph->n_cables + 1, sizeof *cable);
	if (name && cable) {
		for (size_t i = 0; i < graph->n_clients; i++)
			name[i] = graph->clients[i].name;
		for (size_t i = 0; i < graph->n_cables; i++) {
			const struct jp_cable *c = &graph->cables[i];
			cable[i] = (struct jp_blame_cable){
				(int32_t)graph->ports[c->from].client, (int32_t)graph->ports[c->to].client};
		}
		jp_timing_cabled(timing, name, graph->n_clients, cable, graph->n_cables);
	}
	free(name);
	free(cable);
}

static void read_cables(const struct jp_stay *stay)
{
	struct jp_graph graph = {0};
	const struct jp_snapshot how = {.client = stay->head.client,
		.head = jack_get_client_name(stay->head.client),
		.tail = stay->tail.client ? jack_get_client_name(stay->tail.client) : NULL,
		.kind = stay->kind,
		.every_cable = true};
	if (jp_snapshot_take(&how, &graph) == JP_OK)
		tell_cables(stay->timing, &graph);
	jp_graph_clear(&graph);
}

static void refresh(struct jp_timed *t, int64_t now_ns)
{
	uint32_t graph = jp_shared_get(&t->stay->notes.graph);
	if (graph != t->seen && t->since_ns < 0)
		t->since_ns = jp_clock_now(t->stay->shown.clock);
	t->seen = graph;
	if (t->since_ns < 0 || now_ns < t->due_ns)
		return;
	jp_watch_begin(t->watch, "reading the ports");
	jp_timing_refresh(t->stay->timing, t->since_ns);
	if (jp_timing_wants_cables(t->stay->timing))
		read_cables(t->stay);
	jp_watch_end(t->watch);
	t->since_ns = -1;
	t->due_ns = now_ns + REFRESH_NS;
}

void jp_timed_step(struct jp_timed *t, bool wired)
{
	if (!t->decided && wired && callbacks_run(t->stay) && !jp_shared_get(&t->stay->notes.freewheel))
		decide(t);
	if (t->stay->timing)
		refresh(t, jp_clock_now(CLOCK_MONOTONIC));
}

int64_t jp_timed_due(const struct jp_timed *t)
{
	if (!t->stay->timing || t->since_ns < 0)
		return -1;
	int64_t left = t->due_ns - jp_clock_now(CLOCK_MONOTONIC);
	return left > 0 ? left : 0;
}
