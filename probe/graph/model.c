/* The picture of a graph that plans are made from. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* Make room for one more element; @return false when out of memory. */
static bool grow(struct jp_graph *graph, void **array, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return true;
	size_t more = *room ? *room * 2 : 32;
	void *p = realloc(*array, more * size);
	if (!p) {
		graph->no_mem = true;
		return false;
	}
	*array = p;
	*room = more;
	return true;
}

static uint32_t client_of(struct jp_graph *graph, const char *port)
{
	size_t length = strcspn(port, ":");
	for (size_t i = 0; i < graph->n_clients; i++)
		if (!strncmp(graph->clients[i].name, port, length) && !graph->clients[i].name[length])
			return (uint32_t)i;
	void *array = graph->clients;
	bool fits = grow(graph, &array, graph->n_clients, &graph->room_clients, sizeof *graph->clients);
	graph->clients = array;
	char *name = fits ? strndup(port, length) : NULL;
	if (!name) {
		graph->no_mem = true;
		return JP_GRAPH_NONE;
	}
	graph->clients[graph->n_clients] = (struct jp_graph_client){.name = name, .standing = JP_CLIENT_OTHER};
	return (uint32_t)graph->n_clients++;
}

uint32_t jp_graph_add_port(struct jp_graph *graph, const char *name, enum jp_port_type type, bool output, bool physical)
{
	uint32_t client = client_of(graph, name);
	if (client == JP_GRAPH_NONE)
		return JP_GRAPH_NONE;
	void *array = graph->ports;
	bool fits = grow(graph, &array, graph->n_ports, &graph->room_ports, sizeof *graph->ports);
	graph->ports = array;
	char *own = fits ? strdup(name) : NULL;
	if (!own) {
		graph->no_mem = true;
		return JP_GRAPH_NONE;
	}
	graph->ports[graph->n_ports] = (struct jp_graph_port){
		.name = own, .client = client, .type = type, .output = output, .physical = physical};
	return (uint32_t)graph->n_ports++;
}

static bool is_monitor_of(const char *name, const char *of)
{
	size_t length = strlen(of);
	return !strncmp(name, of, length) && !strcmp(name + length, " Monitor");
}

void jp_graph_find_hardware(struct jp_graph *graph, enum jp_server_kind kind)
{
	bool jackd = kind == JP_SERVER_JACK1 || kind == JP_SERVER_JACK2;
	for (size_t i = 0; i < graph->n_ports; i++) {
		struct jp_graph_client *client = &graph->clients[graph->ports[i].client];
		if (graph->ports[i].physical && (!jackd || !strncmp(client->name, "system", 6)))
			client->standing = JP_CLIENT_HARDWARE;
	}
	for (size_t i = 0; i < graph->n_clients && !jackd; i++)
		for (size_t k = 0; k < graph->n_clients; k++)
			if (graph->clients[k].standing == JP_CLIENT_HARDWARE &&
				is_monitor_of(graph->clients[i].name, graph->clients[k].name))
				graph->clients[i].standing = JP_CLIENT_HARDWARE;
}

void jp_graph_mark(struct jp_graph *graph, const char *client, enum jp_standing standing)
{
	for (size_t i = 0; i < graph->n_clients; i++)
		if (!strcmp(graph->clients[i].name, client))
			graph->clients[i].standing = standing;
}

uint32_t jp_graph_find(const struct jp_graph *graph, const char *port)
{
	for (size_t i = 0; i < graph->n_ports; i++)
		if (!strcmp(graph->ports[i].name, port))
			return (uint32_t)i;
	return JP_GRAPH_NONE;
}

static bool any_tainted(const struct jp_graph *graph)
{
	for (size_t i = 0; i < graph->n_ports; i++)
		if (graph->ports[i].tainted)
			return true;
	return false;
}

void jp_graph_carry(struct jp_graph *graph, const struct jp_graph *before, bool born)
{
	if (!born && !any_tainted(before))
		return;
	for (size_t i = 0; i < graph->n_ports; i++) {
		uint32_t was = jp_graph_find(before, graph->ports[i].name);
		graph->ports[i].tainted = was == JP_GRAPH_NONE ? born : before->ports[was].tainted;
	}
}

void jp_graph_add_cable(struct jp_graph *graph, const char *from, const char *to)
{
	struct jp_cable cable = {jp_graph_find(graph, from), jp_graph_find(graph, to)};
	if (cable.from == JP_GRAPH_NONE || cable.to == JP_GRAPH_NONE)
		return;
	void *array = graph->cables;
	bool fits = grow(graph, &array, graph->n_cables, &graph->room_cables, sizeof *graph->cables);
	graph->cables = array;
	if (fits)
		graph->cables[graph->n_cables++] = cable;
}

void jp_graph_clear(struct jp_graph *graph)
{
	for (size_t i = 0; i < graph->n_clients; i++)
		free(graph->clients[i].name);
	for (size_t i = 0; i < graph->n_ports; i++)
		free(graph->ports[i].name);
	free(graph->clients);
	free(graph->ports);
	free(graph->cables);
	*graph = (struct jp_graph){0};
}
