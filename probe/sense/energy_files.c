/* Zones whose counters are files in uJ: what powercap and hwmon have in common. */
#include "sense/energy_files.h"

#include <stdio.h>
#include <stdlib.h>

enum { LIMIT_NS = 2000000 };

struct jp_energy_files *jp_energy_files_new(struct jp_tree *tree, const char *what)
{
	struct jp_energy_files *f = calloc(1, sizeof *f);
	if (f)
		*f = (struct jp_energy_files){.tree = tree, .what = what, .pace.limit_ns = LIMIT_NS};
	return f;
}

enum jp_status jp_energy_files_add(
	struct jp_energy_files *f, struct jp_zones *zones, const struct jp_zone *zone, uint64_t range, const char *path)
{
	struct jp_file file;
	enum jp_status status = jp_file_open(&file, f->tree, "%s", path);
	if (status != JP_OK)
		return status == JP_NO_MEM || (zone->headline && status == JP_DENIED) ? status : JP_OK;
	size_t i = jp_zones_add(zones, zone);
	if (i == JP_ZONES_MAX) {
		jp_file_close(&file, f->tree);
		return JP_OK;
	}
	f->file[i] = file;
	f->counter[i] = (struct jp_counter){
		.unit_j = 1e-6, .range = range, .must_move = zone->always, .headline = zone->headline};
	f->n = zones->n;
	return JP_OK;
}

double jp_energy_files_watts(void *self, size_t zone, int64_t mono_ns)
{
	struct jp_energy_files *f = self;
	uint64_t uj;
	if (jp_file_u64(&f->file[zone], f->tree, &f->pace, &uj) == JP_OK)
		return jp_counter_watts(&f->counter[zone], uj, mono_ns);
	jp_counter_lost(&f->counter[zone]);
	return NAN;
}

void jp_energy_files_trouble(const void *self, char *out, size_t size)
{
	const struct jp_energy_files *f = self;
	struct jp_sensor_status slow = {0};
	if (f->pace.dropped) {
		jp_sensor_too_slow(&slow, f->what, &f->pace);
		snprintf(out, size, "%s", slow.reason);
		return;
	}
	jp_counters_trouble(f->counter, f->n, out, size);
}

void jp_energy_files_close(void *self)
{
	struct jp_energy_files *f = self;
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		jp_file_close(&f->file[i], f->tree);
	free(f);
}
