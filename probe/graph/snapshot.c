/* Takes a picture of the graph through libjack. */
#include "snapshot.h"

#include <string.h>

static enum jp_port_type type_of(const jack_port_t *port)
{
	const char *type = jack_port_type(port);
	if (type && !strcmp(type, JACK_DEFAULT_AUDIO_TYPE))
		return JP_PORT_AUDIO;
	if (type && !strcmp(type, JACK_DEFAULT_MIDI_TYPE))
		return JP_PORT_MIDI;
	return JP_PORT_FOREIGN;
}

static void add_ports(const struct jp_snapshot *how, const char **names, struct jp_graph *out)
{
	for (size_t i = 0; names && names[i]; i++) {
		jack_port_t *port = jack_port_by_name(how->client, names[i]);
		if (!port)
			continue;
		int flags = jack_port_flags(port);
		jp_graph_add_port(out, names[i], type_of(port), flags & JackPortIsOutput, flags & JackPortIsPhysical);
	}
}

/* Cables are read at their inputs. */
static void add_cables(const struct jp_snapshot *how, struct jp_graph *out)
{
	for (size_t i = 0; i < out->n_ports; i++) {
		const struct jp_graph_port *p = &out->ports[i];
		enum jp_standing who = out->clients[p->client].standing;
		if (p->output || (who != JP_CLIENT_TAIL && !(how->every_cable && who == JP_CLIENT_OTHER)))
			continue;
		jack_port_t *port = jack_port_by_name(how->client, p->name);
		const char **from = port ? jack_port_get_all_connections(how->client, port) : NULL;
		for (size_t k = 0; from && from[k]; k++)
			jp_graph_add_cable(out, from[k], p->name);
		if (from)
			jack_free(from);
	}
}

enum jp_status jp_snapshot_take(const struct jp_snapshot *how, struct jp_graph *out)
{
	const char **names = jack_get_ports(how->client, NULL, NULL, 0);
	add_ports(how, names, out);
	if (names)
		jack_free(names);
	jp_graph_find_hardware(out, how->kind);
	jp_graph_mark(out, how->head, JP_CLIENT_HEAD);
	if (how->tail)
		jp_graph_mark(out, how->tail, JP_CLIENT_TAIL);
	add_cables(how, out);
	return out->no_mem ? JP_NO_MEM : JP_OK;
}
