/** @file client.h
 * Opens, connects and closes one synthetic client. All calls for one client come from one thread, never from a callback, and the
 * supervisor gives no two orders at a time: a client that leaves while another opens can make the server forget to
 * call one of them. */
#ifndef JP_LOAD_CLIENT_SETUP_H
#define JP_LOAD_CLIENT_SETUP_H

#include "area.h"
#include "cli/load_options.h"
#include "shape.h"

#include <jackprobe/status.h>

/** What is to be built; read-only once the clients are made. */
struct jp_load_plan {
	const struct jp_load_options *options;
	struct jp_load_spike spike;
	uint32_t spike_client;
	double keep_s; /**< seconds of records to keep; NaN = none */
	const struct jp_load_edge *edges;
	size_t n_edges;
	struct jp_load_area area;
};

enum jp_load_order {
	JP_LOAD_OPEN,    /**< open, register ports, activate */
	JP_LOAD_CONNECT, /**< all cables into this client; all clients must be active */
	JP_LOAD_CLOSE,   /**< leave the server; nothing when it has gone already */
};

struct jp_load_client; /**< opaque */

/** Carry out one order for client i. @param client NULL before JP_LOAD_OPEN and after JP_LOAD_CLOSE.
 * Blocks while the server answers. Errors: JP_MISSING (no server), JP_FULL (no room for the client or its ports), JP_NO_MEM,
 * JP_GONE, JP_UNSUPPORTED (JACK counts no clock of the kernel's), JP_IO (the server refused), JP_TIMEOUT (a cable does not hold within 5 s). */
enum jp_status jp_load_client_do(const struct jp_load_plan *plan, uint32_t i, enum jp_load_order order,
	struct jp_load_client **client, struct jp_why *why);

#endif
