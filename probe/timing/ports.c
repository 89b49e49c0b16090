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

static bool describe(jack_client_t *client, const struct jp_shm *shm, const char *name, struct jp_layout_port *out)
{
	jack_port_t *port = jack_port_by_name(client, name);
	uintptr_t handle = (uintptr_t)port;
	if (!port || handle >= JP_LAYOUT_PORTS_MAX)
		return false;
	*out = (struct jp_layout_port){.name = name, .index = (uint32_t)handle, .owner = JP_LAYOUT_OTHER};
	out->name_at = jp_shm_offset(shm, jack_port_name(port));
	if (is_driver(port, name))
		out->owner = JP_LAYOUT_DRIVER;
	return true;
}

static int by_index(const void *a, const void *b)
{
	const struct jp_layout_port *x = a, *y = b;
	return x->index < y->index ? -1 : x->index > y->index;
}

enum jp_status jp_ports_list(
	jack_client_t *client, const struct jp_shm *shm, const char *head, const char *tail, struct jp_ports *out)
{
	*out = (struct jp_ports){.names = jack_get_ports(client, NULL, NULL, 0)};
	size_t n = 0;
	while (out->names && out->names[n])
		n++;
	out->port = calloc(n + 1, sizeof *out->port);
	if (!out->port) {
		jp_ports_clear(out);
		return JP_NO_MEM;
	}
	for (size_t i = 0; i < n; i++) {
		struct jp_layout_port *p = &out->port[out->n];
		if (!describe(client, shm, out->names[i], p))
			continue;
		if (belongs_to(p->name, head))
			p->owner = JP_LAYOUT_HEAD;
		else if (belongs_to(p->name, tail))
			p->owner = JP_LAYOUT_TAIL;
		out->n++;
	}
	qsort(out->port, out->n, sizeof *out->port, by_index);
	return JP_OK;
}

void jp_ports_clear(struct jp_ports *ports)
{
	free(ports->port);
	if (ports->names)
		jack_free(ports->names);
	*ports = (struct jp_ports){0};
}

void jp_ports_client(const char *port, char *out, size_t size)
{
	size_t n = strcspn(port, ":");
	if (n >= size)
		n = size - 1;
	memcpy(out, port, n);
	out[n] = 0;
}
