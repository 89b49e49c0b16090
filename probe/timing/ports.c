/* The graph's ports as evidence for the layout. */
#include "timing/ports.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool belongs_to(const char *port, const char *client)
{
	size_t n = strlen(client);
	return n && !strncmp(port, client, n) && port[n] == ':';
}

/* The driver's ports are the server's own audio hardware. */
static bool is_driver(const jack_port_t *port, const char *name)
{
	const char *type = jack_port_type(port);
	return belongs_to(name, "system") && jack_port_flags(port) & JackPortIsPhysical && type &&
	       !strcmp(type, JACK_DEFAULT_AUDIO_TYPE);
}

static bool describe(const struct jp_shm *shm, const char *name, const jack_port_t *port, struct jp_layout_port *out)
{
	uintptr_t handle = (uintptr_t)port;
	if (!port || handle >= JP_LAYOUT_PORTS_MAX)
		return false;
	*out = (struct jp_layout_port){.name = name, .index = (uint32_t)handle, .owner = JP_LAYOUT_OTHER};
	out->name_at = jp_shm_offset(shm, jack_port_name(port));
	if (is_driver(port, name))
		out->owner = JP_LAYOUT_DRIVER;
	return true;
}

enum jp_status jp_ports_list(
	jack_client_t *client, const struct jp_shm *shm, const char *head, const char *tail, struct jp_ports *out)
{
	*out = (struct jp_ports){.names = jack_get_ports(client, NULL, NULL, 0)};
	size_t n = 0;
	while (out->names && out->names[n])
		n++;
	out->port = calloc(n + 1, sizeof *out->port);
	out->handle = calloc(n + 1, sizeof(jack_port_t *));
	if (!out->port || !out->handle) {
		jp_ports_clear(out);
		return JP_NO_MEM;
	}
	for (size_t i = 0; i < n; i++) {
		struct jp_layout_port *p = &out->port[out->n];
		out->handle[out->n] = jack_port_by_name(client, out->names[i]);
		if (!describe(shm, out->names[i], out->handle[out->n], p))
			continue;
		if (belongs_to(p->name, head))
			p->owner = JP_LAYOUT_HEAD;
		else if (belongs_to(p->name, tail))
			p->owner = JP_LAYOUT_TAIL;
		out->n++;
	}
	return JP_OK;
}

void jp_ports_clear(struct jp_ports *ports)
{
	free(ports->port);
	free(ports->handle);
	if (ports->names)
		jack_free(ports->names);
	*ports = (struct jp_ports){0};
}

static bool place_of(const struct jp_ports *ports, const char *name, size_t *out)
{
	for (size_t i = 0; i < ports->n; i++) {
		if (!strcmp(ports->port[i].name, name)) {
			*out = i;
			return true;
		}
	}
	return false;
}

void jp_ports_cables(
	jack_client_t *client, const struct jp_ports *ports, void (*put)(void *arg, size_t from, size_t to), void *arg)
{
	for (size_t i = 0; i < ports->n; i++) {
		bool output = jack_port_flags(ports->handle[i]) & JackPortIsOutput;
		const char **to = output ? jack_port_get_all_connections(client, ports->handle[i]) : NULL;
		size_t at;
		for (size_t k = 0; to && to[k]; k++)
			if (place_of(ports, to[k], &at))
				put(arg, i, at);
		if (to)
			jack_free(to);
	}
}

void jp_ports_client(const char *port, char *out, size_t size)
{
	size_t n = strcspn(port, ":");
	if (n >= size)
		n = size - 1;
	memcpy(out, port, n);
	out[n] = 0;
}
