/* Keeps the probe's cables as planned. */
#include "wiring.h"

#include "cli/watch_options.h"
#include "guard.h"
#include "plan.h"
#include "snapshot.h"
#include "sys/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MS INT64_C(1000000)

enum {
	SETTLE_MS = 100,             /* quiet time before a change is dealt with */
	LATEST_MS = 500,             /* ... at most */
	AGAIN_MS = 50,               /* between rounds: a cable takes effect a cycle later */
	AT_A_TIME = JP_TRIAL_CABLES, /* cables in a round: each makes every client reorder */
	SHUN_MS = 60000,             /* a client that does not run gets no cable for so long */
	SPAN_MS = 10000,             /* within it ... */
	SPAN_ROUNDS = 64,            /* ... at most */
	DEAD_LOOKS = 4               /* a client that just left is not forgotten at once */
};

void jp_wiring_init(
	struct jp_wiring *wiring, struct jp_stay *stay, struct jp_watch *watch, const struct jp_session_config *config)
{
	*wiring = (struct jp_wiring){.stay = stay,
		.watch = watch,
		.strict = config->insert == JP_INSERT_STRICT,
		.wire = config->wire,
		.seen = jp_shared_get(&stay->notes.graph),
		.pending = true,
		.due_ns = jp_clock_now(CLOCK_MONOTONIC),
		.latest_ns = jp_clock_now(CLOCK_MONOTONIC) + LATEST_MS * MS,
		.rounds_left = -1,
		.clients = -1,
		.covered = -1};
}

void jp_wiring_clear(struct jp_wiring *wiring)
{
	jp_graph_clear(&wiring->last);
}

static bool is_head_cable(const struct jp_graph *graph, struct jp_cable cable)
{
	return graph->clients[graph->ports[cable.from].client].standing == JP_CLIENT_HEAD;
}

/* Through the handle of our other client: as a stranger, so that no self-connect mode of jackd gets in the way. */
static void connect(struct jp_wiring *w, const struct jp_graph *graph, struct jp_cable cable)
{
	const char *from = graph->ports[cable.from].name, *to = graph->ports[cable.to].name;
	bool ours_is_head = is_head_cable(graph, cable);
	jack_client_t *stranger = ours_is_head ? w->stay->tail.client : w->stay->head.client;
	jp_watch_begin(w->watch, "jack_connect to %s", ours_is_head ? to : from);
	jack_connect(stranger, from, to);
	jp_watch_end(w->watch);
}

/* What an input in use had as capture latency before our cable is what the head's second output says of itself. It
 * says one thing to all: where inputs differ, the widest range. */
static void keep_latency(struct jp_wiring *w, const struct jp_graph *graph, struct jp_cable cable)
{
	struct jp_head *head = &w->stay->head;
	jack_port_t *to = jack_port_by_name(head->client, graph->ports[cable.to].name);
	jack_latency_range_t range = {0, 0};
	if (!to || strcmp(graph->ports[cable.from].name, jack_port_name(head->late_out)) != 0)
		return;
	jack_port_get_latency_range(to, JackCaptureLatency, &range);
	bool first = !jp_shared_get(&head->late_max);
	if (first || range.min < jp_shared_get(&head->late_min))
		jp_shared_set(&head->late_min, range.min);
	if (first || range.max > jp_shared_get(&head->late_max))
		jp_shared_set(&head->late_max, range.max);
}

/* A cable of the head's can make a dead entry of libjack's hurt somebody: none is made while there is one. */
static bool may_feed(struct jp_wiring *w)
{
	w->dead_looks = jp_guard_scan() > 0 ? w->dead_looks + 1 : 0;
	return !w->dead_looks;
}

static bool is_own(const struct jp_wiring *w, const char *port)
{
	const char *head = jack_get_client_name(w->stay->head.client);
	size_t length = strlen(head);
	return !strncmp(port, head, length) && port[length] == ':';
}

/* One cable; @return whether it was tried. */
static bool make_cable(struct jp_wiring *w, const struct jp_graph *graph, struct jp_cable cable)
{
	const char *from = graph->ports[cable.from].name, *to = graph->ports[cable.to].name;
	if (jp_trial_shuns(&w->trial, from, to, jp_clock_now(CLOCK_MONOTONIC)))
		return false;
	if (is_head_cable(graph, cable)) {
		if (!may_feed(w))
			return true;
		keep_latency(w, graph, cable);
	}
	connect(w, graph, cable);
	jp_trial_add(&w->trial, from, to);
	return true;
}

/* Cables in a round. */
static int at_a_time(const struct jp_wiring *w)
{
	return w->strict || w->trial.singly ? 1 : AT_A_TIME;
}

/* One round; @return cables tried. */
static int make_cables(struct jp_wiring *w, const struct jp_graph *graph, const struct jp_plan *plan)
{
	int tried = 0, most = at_a_time(w);
	jp_trial_begin(&w->trial, jp_shared_get(&w->stay->head.calls), jp_shared_get(&w->stay->tail.calls));
	for (size_t i = 0; i < plan->n_wanted && tried < most; i++)
		tried += make_cable(w, graph, plan->wanted[i]);
	return tried;
}

/* Take the cables of a failed trial out again. */
static void take_back(struct jp_wiring *w)
{
	for (int i = 0; i < w->trial.n; i++) {
		jp_watch_begin(w->watch, "jack_disconnect from %s", w->trial.cables[i].from);
		jack_disconnect(w->stay->tail.client, w->trial.cables[i].from, w->trial.cables[i].to);
		jp_watch_end(w->watch);
	}
	if (w->trial.n == 1)
		snprintf(w->shunned, sizeof w->shunned, "%.60s does not run: no cable to it for now",
			is_own(w, w->trial.cables[0].from) ? w->trial.cables[0].to : w->trial.cables[0].from);
	jp_trial_failed(&w->trial, jp_clock_now(CLOCK_MONOTONIC) + SHUN_MS * MS);
}

/* Do the cables of the last round let the tail run? @return false: it is too early to tell. */
static bool judge(struct jp_wiring *w)
{
	switch (jp_trial_verdict(&w->trial, jp_shared_get(&w->stay->head.calls), jp_shared_get(&w->stay->tail.calls))) {
	case JP_TRIAL_PENDING:
		w->due_ns = jp_clock_now(CLOCK_MONOTONIC) + AGAIN_MS * MS;
		return false;
	case JP_TRIAL_STARVED:
		take_back(w);
		w->rounds_left += AT_A_TIME;
		break;
	case JP_TRIAL_FINE:
		w->trial.n = 0;
		break;
	case JP_TRIAL_NONE:
		break;
	}
	return true;
}

static enum jp_status look(struct jp_wiring *w, struct jp_graph *graph, struct jp_plan *plan)
{
	struct jp_stay *stay = w->stay;
	const struct jp_snapshot how = {.client = stay->head.client,
		.head = jack_get_client_name(stay->head.client),
		.tail = stay->tail.client ? jack_get_client_name(stay->tail.client) : NULL,
		.kind = stay->kind,
		.every_cable = w->strict};
	jp_watch_begin(w->watch, "reading the graph");
	enum jp_status status = jp_snapshot_take(&how, graph);
	jp_watch_end(w->watch);
	if (status != JP_OK)
		return status;
	uint32_t turns = jp_shared_get(&stay->notes.turns);
	jp_graph_carry(graph, &w->last, turns != w->turns || jp_shared_get(&stay->notes.freewheel));
	w->turns = turns;
	return jp_plan_make(graph, w->strict, plan);
}

static bool take_result(struct jp_wiring *w, const struct jp_plan *plan)
{
	int64_t covered = w->stay->tail.client ? plan->covered : -1;
	const char *uncovered = w->stay->tail.client ? plan->uncovered : "";
	bool changed = w->clients != plan->clients || w->covered != covered || strcmp(w->uncovered, uncovered) != 0;
	w->clients = plan->clients;
	w->covered = covered;
	snprintf(w->uncovered, sizeof w->uncovered, "%s", uncovered);
	return changed;
}

static bool may_wire(const struct jp_wiring *w)
{
	return w->wire == JP_WIRE_AUTO || (w->wire == JP_WIRE_ONCE && !w->wired);
}

/* Counts a round; @return false when there were too many. */
static bool spend_round(struct jp_wiring *w)
{
	int64_t now = jp_clock_now(CLOCK_MONOTONIC);
	if (!w->span_ns || now - w->span_ns > SPAN_MS * MS) {
		w->span_ns = now;
		w->span_rounds = 0;
	}
	if (w->span_rounds++ < SPAN_ROUNDS)
		return true;
	snprintf(w->trouble, sizeof w->trouble, "another program keeps taking the probe's cables out");
	w->due_ns = w->span_ns + SPAN_MS * MS;
	return false;
}

/* What remains after this look: another round, or nothing until the next change. */
static void act(struct jp_wiring *w, const struct jp_graph *graph, const struct jp_plan *plan)
{
	if (w->rounds_left < 0)
		w->rounds_left = (int)plan->n_wanted / at_a_time(w) + 2;
	bool wants = may_wire(w) && w->rounds_left > 0 && plan->n_wanted;
	if (wants && !spend_round(w))
		return;
	if (wants && make_cables(w, graph, plan)) {
		w->rounds_left--;
		w->due_ns = jp_clock_now(CLOCK_MONOTONIC) + AGAIN_MS * MS;
		return;
	}
	w->wired = true;
	/* Who was left alone gets another try. */
	w->pending = w->trial.shunned_until_ns > jp_clock_now(CLOCK_MONOTONIC);
	w->due_ns = w->trial.shunned_until_ns;
	w->rounds_left = -1;
}

static bool look_and_act(struct jp_wiring *w)
{
	struct jp_graph graph = {0};
	struct jp_plan plan = {0};
	char before[sizeof w->trouble];
	snprintf(before, sizeof before, "%s", w->trouble);
	bool changed = false;
	if (!judge(w))
		return false;
	bool shuns = jp_clock_now(CLOCK_MONOTONIC) < w->trial.shunned_until_ns;
	snprintf(w->trouble, sizeof w->trouble, "%s", shuns ? w->shunned : "");
	if (look(w, &graph, &plan) == JP_OK) {
		changed = take_result(w, &plan);
		/* While the server freewheels nothing is wired; the end of it is a change. */
		if (jp_shared_get(&w->stay->notes.freewheel))
			w->due_ns = jp_clock_now(CLOCK_MONOTONIC) + LATEST_MS * MS;
		else
			act(w, &graph, &plan);
	} else {
		w->pending = false;
	}
	jp_plan_clear(&plan);
	jp_graph_clear(&w->last);
	w->last = graph;
	return changed || strcmp(before, w->trouble) != 0;
}

bool jp_wiring_step(struct jp_wiring *w)
{
	int64_t now = jp_clock_now(CLOCK_MONOTONIC);
	uint32_t graph = jp_shared_get(&w->stay->notes.graph);
	if (graph != w->seen && w->pending && w->rounds_left >= 0) {
		/* Between rounds: mostly the echo of our own cables, and the next look sees it anyway. */
		w->seen = graph;
	} else if (graph != w->seen) {
		if (!w->pending)
			w->latest_ns = now + LATEST_MS * MS;
		w->seen = graph;
		w->pending = true;
		w->rounds_left = -1;
		w->due_ns = now + SETTLE_MS * MS < w->latest_ns ? now + SETTLE_MS * MS : w->latest_ns;
	}
	/* At once: what came while the server freewheels must be told from what came before and after. */
	if (jp_shared_get(&w->stay->notes.turns) != w->turns) {
		w->pending = true;
		w->rounds_left = -1;
		w->due_ns = now;
	}
	return w->pending && now >= w->due_ns && look_and_act(w);
}

bool jp_wiring_wants_reopening(const struct jp_wiring *w)
{
	return w->dead_looks >= DEAD_LOOKS;
}

int64_t jp_wiring_due(const struct jp_wiring *w)
{
	if (!w->pending)
		return -1;
	int64_t left = w->due_ns - jp_clock_now(CLOCK_MONOTONIC);
	return left > 0 ? left : 0;
}
