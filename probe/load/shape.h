/** @file shape.h
 * How the clients of a synthetic load hang together. Pure. */
#ifndef JP_LOAD_SHAPE_H
#define JP_LOAD_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** In the order of the option's choices. */
enum jp_load_shape {
	JP_SHAPE_CHAIN,    /**< 0 > 1 > 2 ... */
	JP_SHAPE_PARALLEL, /**< no cables */
	JP_SHAPE_LAYERS,   /**< layers of about sqrt(n) clients; each client feeds every client of the next layer */
	JP_SHAPE_SINK,     /**< parallel, but the last client has inputs only and is fed by client 0 */
	JP_SHAPE_MIDI,     /**< a chain with MIDI ports */
};

/** All outputs of client `from` feed the inputs of the same number of client `to`. */
struct jp_load_edge {
	uint32_t from, to;
};

/** List the edges of a shape, sorted by `to`; at most max are written. @return how many there are. */
size_t jp_load_edges(enum jp_load_shape shape, uint32_t n_clients, struct jp_load_edge *out, size_t max);

/** Has client i of n outputs? */
bool jp_load_has_outputs(enum jp_load_shape shape, uint32_t n_clients, uint32_t i);

#endif
