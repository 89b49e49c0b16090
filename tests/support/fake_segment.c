#include "support/fake_segment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS = 12, NAME = 64, START_US = 100000000, ROUND_US = 21000 };

static void put64(unsigned char *p, int64_t v)
{
	memcpy(p, &v, sizeof v);
}

static void put32(unsigned char *p, uint32_t v)
{
	memcpy(p, &v, sizeof v);
}

static void put_slot(unsigned char *p, int64_t signalled, int64_t awake, int64_t finished, uint32_t state)
{
	put64(p, signalled);
	put64(p + 8, awake);
	put64(p + 16, finished);
	put32(p + 24, state);
}

/* Owner of port i: the driver, three clients, head and tail have two each. */
static uint32_t ref_of(const struct jp_fake_segment_config *c, unsigned i)
{
	switch (i / 2) {
	case 0:
		return 0;
	case 4:
		return c->head_ref;
	case 5:
		return c->tail_ref;
	default:
		return i / 2 + 1;
	}
}

static void put_port(struct jp_fake_segment *f, unsigned char *base, struct jp_layout_port *port, unsigned i)
{
	static const char *const clients[] = {"system", "synth", "mixer #2", "a2j", "probe-head", "probe-tail"};
	static const enum jp_layout_owner owners[] = {
		JP_LAYOUT_DRIVER, JP_LAYOUT_OTHER, JP_LAYOUT_OTHER, JP_LAYOUT_OTHER, JP_LAYOUT_HEAD, JP_LAYOUT_TAIL};
	const struct jp_fake_segment_config *c = &f->config;
	unsigned char *entry = base + f->names.name0 + (i + 1) * c->port_stride;
	char name[NAME];
	snprintf(name, sizeof name, "%s:port_%u", clients[i / 2], i);
	strcpy((char *)entry + (c->obstacles & JP_FAKE_MOVED_NAME && i == 3 ? 1 : 0), name);
	put32(entry + c->owner, ref_of(c, i));
	if (c->obstacles & JP_FAKE_FIELDS) {
		put32(entry + c->owner + 8, 7 * (i / 2));
		put32(entry + c->owner + 16, 40 - ref_of(c, i));
		put32(entry + c->owner - 40, i);
	}
	*port = (struct jp_layout_port){.name = strdup(name), .index = i + 1, .owner = owners[i / 2]};
	port->name_at = i < 8 || c->obstacles & JP_FAKE_NO_PLACES ? JP_LAYOUT_NOWHERE : (size_t)(entry - base);
}

static bool left_out(unsigned obstacles, unsigned client)
{
	return (client == 0 && obstacles & JP_FAKE_PORTLESS_DRIVER) ||
	       (client == 4 && obstacles & JP_FAKE_PORTLESS_HEAD) || (client == 5 && obstacles & JP_FAKE_NO_TAIL);
}

static void put_ports(struct jp_fake_segment *f, unsigned char *base)
{
	struct jp_layout_port *ports = calloc(PORTS, sizeof *ports);
	for (unsigned i = 0; i < PORTS; i++)
		if (!left_out(f->config.obstacles, i / 2))
			put_port(f, base, &ports[f->image.n_ports++], i);
	f->image.ports = ports;
}

static void put_slots(const struct jp_fake_segment_config *c, unsigned char *slot0, int64_t wake, int64_t early)
{
	put_slot(slot0, wake, 0, wake, 1);
	put_slot(slot0 + c->slot_stride, wake + 1200, 0, wake + 4, 1);
	for (uint32_t ref = 2; ref < 5; ref++)
		put_slot(slot0 + ref * c->slot_stride, wake + 4, wake + 20 + ref, wake + 300 * ref, 3);
	put_slot(slot0 + c->head_ref * c->slot_stride, wake + 4, wake + 30 - early, wake + 33, 3);
	if (!(c->obstacles & JP_FAKE_NO_TAIL))
		put_slot(slot0 + c->tail_ref * c->slot_stride, wake + 1200, wake + 1230 - early, wake + 1233, 3);
	if (c->obstacles & JP_FAKE_MAD_STATE)
		put32(slot0 + 3 * c->slot_stride + 24, 4711);
}

static void put_pairs(unsigned char *window, int64_t wake)
{
	for (size_t i = 0; i < 24; i++) {
		put64(window + 400 + i * 52, wake + 25);
		put64(window + 400 + i * 52 + 8, wake + 40);
		put64(window + 4400 + i * 68, wake + 1200);
		put64(window + 4400 + i * 68 + 8, wake + 1240);
	}
}

static void put_round(struct jp_fake_segment *f, unsigned char *base, unsigned k)
{
	const struct jp_fake_segment_config *c = &f->config;
	int64_t wake = START_US + k * (int64_t)ROUND_US, early = 0;
	if (c->obstacles & JP_FAKE_LATE_ROUND && (k == 2 || k == 5))
		early = 2000;
	size_t all = (size_t)c->slots * c->slot_stride;
	if (c->obstacles & JP_FAKE_OLD_COPY)
		memcpy(base + f->slot0 - 2 * all, base + f->slot0, all);
	if (c->obstacles & JP_FAKE_PAIRS)
		put_pairs(base + f->names.from, wake);
	put_slots(c, base + f->slot0, c->obstacles & JP_FAKE_STALE ? START_US - 5000000 : wake, early);
	if (c->obstacles & JP_FAKE_TWIN)
		memcpy(base + f->slot0 - all - 132, base + f->slot0, all);
	unsigned char *copy = malloc(f->names.window);
	memcpy(copy, base + f->names.from, f->names.window);
	f->rounds[k] = (struct jp_layout_round){
		.window = copy,
		.head_entry_us = wake + 31,
		.head_exit_us = wake + 32,
		.tail_entry_us = c->obstacles & JP_FAKE_NO_TAIL ? -1 : wake + 1231,
		.tail_exit_us = c->obstacles & JP_FAKE_NO_TAIL ? -1 : wake + 1232,
		.now_us = wake + 1900,
	};
}

static void put_noise(unsigned char *base, size_t n)
{
	uint32_t x = 12345;
	for (size_t i = 0; i < n; i++) {
		x = x * 1664525u + 1013904223u;
		base[i] = (unsigned char)(x >> 24);
	}
}

struct jp_fake_segment *jp_fake_segment_new(const struct jp_fake_segment_config *config)
{
	struct jp_fake_segment *f = calloc(1, sizeof *f);
	f->config = *config;
	size_t all = (size_t)config->slots * config->slot_stride;
	f->slot0 = config->before;
	f->names.name0 = f->slot0 + all + config->gap;
	f->names.stride = config->port_stride;
	f->names.window = (f->names.name0 < JP_LAYOUT_WINDOW ? f->names.name0 : JP_LAYOUT_WINDOW) & ~(size_t)3;
	f->names.from = f->names.name0 - f->names.window;
	size_t size = f->names.name0 + (PORTS + 2) * (size_t)config->port_stride;
	unsigned char *base = calloc(1, size);
	if (config->obstacles & JP_FAKE_NOISE) {
		put_noise(base, size);
		memset(base + f->slot0, 0, all);
	}
	f->image = (struct jp_layout_image){.base = base, .size = size - config->cut};
	put_ports(f, base);
	for (unsigned k = 0; k < JP_LAYOUT_ROUNDS; k++)
		put_round(f, base, k);
	return f;
}

void jp_fake_segment_free(struct jp_fake_segment *f)
{
	for (unsigned k = 0; k < JP_LAYOUT_ROUNDS; k++)
		free((void *)f->rounds[k].window);
	for (size_t i = 0; i < f->image.n_ports; i++)
		free((void *)f->image.ports[i].name);
	free((void *)f->image.ports);
	free((void *)f->image.base);
	free(f);
}
