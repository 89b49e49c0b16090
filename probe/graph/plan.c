/* Which cables the probe wants. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum jp_standing standing(const struct jp_graph *g, uint32_t port)
{
	return g->clients[g->ports[port].client].standing;
}

/* The n-th port of one of our clients with that direction and type, or the last one before it. */
static uint32_t own_port(const struct jp_graph *g, enum jp_standing who, bool output, enum jp_port_type type, int n)
{
	uint32_t found = JP_GRAPH_NONE;
	for (uint32_t i = 0; i < g->n_ports && n >= 0; i++)
		if (standing(g, i) == who && g->ports[i].output == output && g->ports[i].type == type) {
			found = i;
			n--;
		}
	return found;
}

static bool has_cable(const struct jp_graph *g, uint32_t port)
{
	for (size_t i = 0; i < g->n_cables; i++)
		if (g->cables[i].from == port || g->cables[i].to == port)
			return true;
	return false;
}

/* A cable from a client to whoever stands so. */
static bool leads_to(const struct jp_graph *g, uint32_t client, enum jp_standing who)
{
	for (size_t i = 0; i < g->n_cables; i++)
		if (g->ports[g->cables[i].from].client == client && standing(g, g->cables[i].to) == who)
			return true;
	return false;
}

/* How much a port is liked for a cable of ours: less is better, 99 not at all. A free input is liked more than one in use,
 * because a cable of ours would widen the latency range of the latter. */
static int liking(const struct jp_graph *g, uint32_t port, uint32_t client, bool output)
{
	const struct jp_graph_port *p = &g->ports[port];
	if (p->client != client || p->output != output || p->type == JP_PORT_FOREIGN || p->tainted)
		return 99;
	return (p->type == JP_PORT_MIDI) + (!output && has_cable(g, port) ? 2 : 0);
}

static uint32_t best_port(const struct jp_graph *g, uint32_t client, bool output)
{
	uint32_t best = JP_GRAPH_NONE;
	int least = 99;
	for (uint32_t i = 0; i < g->n_ports; i++) {
		int l = liking(g, i, client, output);
		if (l < least) {
			least = l;
			best = i;
		}
	}
	return best;
}

static void want(struct jp_plan *plan, uint32_t from, uint32_t to)
{
	if (from != JP_GRAPH_NONE && to != JP_GRAPH_NONE)
		plan->wanted[plan->n_wanted++] = (struct jp_cable){from, to};
}

static void list_uncovered(struct jp_plan *plan, const char *name)
{
	size_t used = strlen(plan->uncovered), room = sizeof plan->uncovered - used;
	const char *separator = used ? ", " : "";
	if (used >= 3 && !strcmp(plan->uncovered + used - 3, "..."))
		return;
	/* A further name must leave room for ", ...". */
	if (strlen(separator) + strlen(name) + 6 > room)
		snprintf(plan->uncovered + used, room, "%s...", separator);
	else
		snprintf(plan->uncovered + used, room, "%s%s", separator, name);
}

static void plan_tail(const struct jp_graph *g, struct jp_plan *plan)
{
	for (uint32_t c = 0; c < g->n_clients; c++) {
		if (g->clients[c].standing != JP_CLIENT_OTHER)
			continue;
		plan->clients++;
		if (leads_to(g, c, JP_CLIENT_TAIL)) {
			plan->covered++;
			continue;
		}
		list_uncovered(plan, g->clients[c].name);
		uint32_t from = best_port(g, c, true);
		if (from != JP_GRAPH_NONE)
			want(plan, from, own_port(g, JP_CLIENT_TAIL, false, g->ports[from].type, 0));
	}
}

/* Mark every client that runs after a marked one. */
static void spread(const struct jp_graph *g, bool *after)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < g->n_cables; i++) {
			uint32_t from = g->ports[g->cables[i].from].client, to = g->ports[g->cables[i].to].client;
			if (after[from] && !after[to] && g->clients[to].standing == JP_CLIENT_OTHER)
				changed = after[to] = true;
		}
	}
}

static bool is_root(const struct jp_graph *g, uint32_t client)
{
	for (size_t i = 0; i < g->n_cables; i++) {
		uint32_t from = g->ports[g->cables[i].from].client;
		if (g->ports[g->cables[i].to].client == client && from != client &&
			g->clients[from].standing != JP_CLIENT_HARDWARE)
			return false;
	}
	return true;
}

/* Roots first, then one of every loop that no root leads into. */
static void plan_head(const struct jp_graph *g, struct jp_plan *plan, bool *after)
{
	for (uint32_t c = 0; c < g->n_clients; c++)
		if (g->clients[c].standing == JP_CLIENT_HEAD)
			after[c] = true;
	spread(g, after);
	for (int roots = 1; roots >= 0; roots--) {
		for (uint32_t c = 0; c < g->n_clients; c++) {
			if (g->clients[c].standing != JP_CLIENT_OTHER || after[c] || (roots && !is_root(g, c)))
				continue;
			uint32_t to = best_port(g, c, false);
			if (to == JP_GRAPH_NONE)
				continue;
			want(plan, own_port(g, JP_CLIENT_HEAD, true, g->ports[to].type, has_cable(g, to)), to);
			after[c] = true;
			spread(g, after);
		}
	}
}

enum jp_status jp_plan_make(const struct jp_graph *graph, bool strict, struct jp_plan *out)
{
	*out = (struct jp_plan){.clients = 0};
	bool *after = calloc(graph->n_clients + 1, sizeof *after);
	out->wanted = calloc(2 * graph->n_clients + 1, sizeof *out->wanted);
	enum jp_status status = after && out->wanted && !graph->no_mem ? JP_OK : JP_NO_MEM;
	if (status == JP_OK) {
		plan_tail(graph, out);
		if (strict)
			plan_head(graph, out, after);
	}
	free(after);
	return status;
}

void jp_plan_clear(struct jp_plan *plan)
{
	free(plan->wanted);
	*plan = (struct jp_plan){.clients = 0};
}
