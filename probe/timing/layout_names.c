/* Port array of a jackd2 segment: found from the places of our own names, proven by all others. */
#include "timing/layout.h"

#include <stdbool.h>
#include <string.h>

static bool name_stands(const struct jp_layout_image *image, size_t at, const char *name)
{
	size_t n = strlen(name) + 1;
	return at <= image->size && n <= image->size - at && !memcmp(image->base + at, name, n);
}

/* The two ports of known place that are farthest apart. */
static bool anchors(
	const struct jp_layout_image *image, const struct jp_layout_port **low, const struct jp_layout_port **high)
{
	*low = *high = NULL;
	for (size_t i = 0; i < image->n_ports; i++) {
		const struct jp_layout_port *p = &image->ports[i];
		if (p->name_at == JP_LAYOUT_NOWHERE)
			continue;
		if (!*low || p->index < (*low)->index)
			*low = p;
		if (!*high || p->index > (*high)->index)
			*high = p;
	}
	return *low && (*low)->index != (*high)->index;
}

/* Entries hold a name of up to 320 bytes and an owner: less than that between two names is something else. */
static bool place(const struct jp_layout_port *low, const struct jp_layout_port *high, struct jp_layout_names *out)
{
	size_t apart = high->index - low->index;
	if (high->name_at <= low->name_at || (high->name_at - low->name_at) % apart)
		return false;
	out->stride = (high->name_at - low->name_at) / apart;
	if (out->stride < 128 || out->stride > low->name_at / (low->index ? low->index : 1))
		return false;
	out->name0 = low->name_at - low->index * out->stride;
	out->window = out->name0 < JP_LAYOUT_WINDOW ? out->name0 : JP_LAYOUT_WINDOW;
	out->window &= ~(size_t)3;
	out->from = out->name0 - out->window;
	return true;
}

enum jp_status jp_layout_find_names(
	const struct jp_layout_image *image, struct jp_layout_names *out, struct jp_why *why)
{
	const struct jp_layout_port *low, *high;
	if (!anchors(image, &low, &high))
		return jp_why_set(why, JP_UNSUPPORTED,
			"the server's port names do not stand in its shared memory: per-client times are not "
			"available");
	if (!place(low, high, out))
		return jp_why_set(why, JP_UNSUPPORTED,
			"the places of %s and %s in the server's memory fit no array of ports: per-client times are "
			"not available",
			low->name, high->name);
	for (size_t i = 0; i < image->n_ports; i++) {
		const struct jp_layout_port *p = &image->ports[i];
		if (!name_stands(image, out->name0 + p->index * out->stride, p->name))
			return jp_why_set(why, JP_UNSUPPORTED,
				"port %u (%s) does not stand where it must in the server's memory: per-client times "
				"are not available",
				p->index, p->name);
	}
	return JP_OK;
}

int32_t jp_layout_owner_of(
	const struct jp_layout_image *image, const struct jp_layout *layout, uint32_t index, const char *name)
{
	size_t at = layout->names.name0 + index * layout->names.stride;
	int32_t ref;
	if (!name_stands(image, at, name) || layout->owner + sizeof ref > image->size - at)
		return -1;
	memcpy(&ref, image->base + at + layout->owner, sizeof ref);
	return ref >= 0 && (uint32_t)ref < layout->slots ? ref : -1;
}
