/** @file ports.h
 * The graph's ports as evidence for the layout. Calls libjack: the session's thread. */
#ifndef JP_PORTS_H
#define JP_PORTS_H

#include "timing/layout.h"
#include "timing/shm.h"

#include <jack/jack.h>

struct jp_ports {
	struct jp_layout_port *port;
	jack_port_t **handle; /**< of each */
	size_t n;
	const char **names; /**< libjack's list, which the ports point into */
};

/** Ask libjack for all ports with their handles. @param shm to find where libjack keeps the names. @param head, tail clients' names;
 * tail may be "". Errors: JP_NO_MEM. */
enum jp_status jp_ports_list(
	jack_client_t *client, const struct jp_shm *shm, const char *head, const char *tail, struct jp_ports *out);
void jp_ports_clear(struct jp_ports *ports);

/** All cables between these ports, by their places in the list. */
void jp_ports_cables(
	jack_client_t *client, const struct jp_ports *ports, void (*put)(void *arg, size_t from, size_t to), void *arg);

/** The client's part of a port's name (up to the first ':'), cut to fit. */
void jp_ports_client(const char *port, char *out, size_t size);

#endif
