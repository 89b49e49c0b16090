/** @file plan.h
 * Which cables the probe wants. Pure: a picture of the graph and the rules go in, wanted cables and coverage come out.
 *
 * The tail wants one cable from every client that owns an output of a type it has an input for, and is neither ours nor the
 * server's hardware; a cable the user made counts. In strict mode the head wants to feed every client that would else
 * run beside or before it: an input that is free from its first output of that type, one that is in use from its second, so
 * that the latency of each can be told separately. Thread of all calls: one at a time per graph. */
#ifndef JP_PLAN_H
#define JP_PLAN_H

#include "server.h"

#include <jackprobe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jp_port_type { JP_PORT_AUDIO, JP_PORT_MIDI, JP_PORT_FOREIGN };

/** Who a client is. */
enum jp_standing {
	JP_CLIENT_OTHER,    /**< somebody's program: what is measured */
	JP_CLIENT_HARDWARE, /**< the server's own: sound card, driver, monitors */
	JP_CLIENT_HEAD,
	JP_CLIENT_TAIL,
};

struct jp_graph_client {
	char *name;
	enum jp_standing standing;
};

struct jp_graph_port {
	char *name; /**< "client:port" */
	uint32_t client;
	enum jp_port_type type;
	bool output, physical;
	bool tainted; /**< registered while the server freewheeled: connecting it would end jackd2 (freewheel.h) */
};

/** A cable between two ports, as indices. */
struct jp_cable {
	uint32_t from, to;
};

/** A picture of the graph. Zero-initialised is empty. Members to be read only. */
struct jp_graph {
	struct jp_graph_client *clients;
	struct jp_graph_port *ports;
	struct jp_cable *cables;
	size_t n_clients, n_ports, n_cables;
	size_t room_clients, room_ports, room_cables;
	bool no_mem; /**< something could not be added */
};

enum { JP_GRAPH_NONE = UINT32_MAX };

/** Add a port; its client (the name up to the first ':') comes with it. @param name copied.
 * @return index, or JP_GRAPH_NONE when out of memory. */
uint32_t jp_graph_add_port(
	struct jp_graph *graph, const char *name, enum jp_port_type type, bool output, bool physical);
/** Find the clients that are the server's own hardware. jackd's are named "system..." and own physical ports (programs like
 * a2j own such ports too, but run a callback); PipeWire's are all that own one, and their monitors. */
void jp_graph_find_hardware(struct jp_graph *graph, enum jp_server_kind kind);
/** Mark a client as ours; without effect when it has no port. */
void jp_graph_mark(struct jp_graph *graph, const char *client, enum jp_standing standing);
/** Add a cable by port names; unknown names are left out. */
void jp_graph_add_cable(struct jp_graph *graph, const char *from, const char *to);
/** Hand on which ports are tainted. @param before the picture taken last. @param born ports that were not there before were
 * registered while the server freewheeled. */
void jp_graph_carry(struct jp_graph *graph, const struct jp_graph *before, bool born);
/** Index of a port, JP_GRAPH_NONE when there is none of that name. */
uint32_t jp_graph_find(const struct jp_graph *graph, const char *port);
void jp_graph_clear(struct jp_graph *graph);

/** What is wanted and what is covered. */
struct jp_plan {
	struct jp_cable *wanted; /**< missing cables, tail's first; freed by jp_plan_clear */
	size_t n_wanted;
	int64_t clients;     /**< programs of others that own a port */
	int64_t covered;     /**< of these, with a cable to the tail now */
	char uncovered[256]; /**< the names of the rest, ", "-separated, cut with "..." */
};

/** @param strict also feed clients from the head. Errors: JP_NO_MEM. */
enum jp_status jp_plan_make(const struct jp_graph *graph, bool strict, struct jp_plan *out);
void jp_plan_clear(struct jp_plan *plan);

#endif
