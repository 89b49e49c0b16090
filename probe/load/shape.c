/* Shapes: pure. */
#include "shape.h"

/* Widest layer such that there are at least two layers: floor(sqrt(n)). */
static uint32_t layer_width(uint32_t n)
{
	uint32_t width = 1;
	while ((width + 1) * (width + 1) <= n)
		width++;
	return width;
}

struct edges {
	struct jp_load_edge *out;
	size_t max, n;
};

static void add(struct edges *e, uint32_t from, uint32_t to)
{
	if (e->n < e->max)
		e->out[e->n] = (struct jp_load_edge){from, to};
	e->n++;
}

static void add_layers(struct edges *e, uint32_t n, uint32_t width)
{
	for (uint32_t to = width; to < n; to++) {
		uint32_t first = (to / width - 1) * width;
		for (uint32_t from = first; from < first + width; from++)
			add(e, from, to);
	}
}

size_t jp_load_edges(enum jp_load_shape shape, uint32_t n_clients, struct jp_load_edge *out, size_t max)
{
	struct edges e = {out, max, 0};
	switch (shape) {
	case JP_SHAPE_CHAIN:
	case JP_SHAPE_MIDI: /* a chain is layers of one */
		add_layers(&e, n_clients, 1);
		break;
	case JP_SHAPE_LAYERS:
		add_layers(&e, n_clients, layer_width(n_clients));
		break;
	case JP_SHAPE_SINK:
		if (n_clients > 1)
			add(&e, 0, n_clients - 1);
		break;
	case JP_SHAPE_PARALLEL:
		break;
	}
	return e.n;
}

bool jp_load_has_outputs(enum jp_load_shape shape, uint32_t n_clients, uint32_t i)
{
	return shape != JP_SHAPE_SINK || i + 1 != n_clients;
}
