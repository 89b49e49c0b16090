/* RAPL zones of /sys/class/powercap, told apart by the text in `name`: directory numbers do not say which package it is,
 * and the same package may be listed twice (intel-rapl-mmio). */
#include "sense/energy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "/sys/class/powercap"
#define PREFIX "intel-rapl"
enum { LIMIT_NS = 2000000, DEPTH_MAX = 3, DIRS_MAX = 128 };

struct dir {
	char leaf[JP_TREE_NAME_MAX]; /* "intel-rapl:0", "intel-rapl:0:1" */
	char path[JP_TREE_PATH_MAX];
};

/* Zone directories, each once: they stand flat in the class directory and nested in their parents. */
struct dirs {
	struct dir dir[DIRS_MAX];
	size_t n;
};

struct powercap {
	struct jp_tree *tree;
	struct jp_pace pace;
	struct jp_file file[JP_ZONES_MAX];
	struct jp_counter counter[JP_ZONES_MAX];
	size_t n;
};

static bool known(const struct dirs *dirs, const char *leaf)
{
	for (size_t i = 0; i < dirs->n; i++)
		if (strcmp(dirs->dir[i].leaf, leaf) == 0)
			return true;
	return false;
}

static void walk(const struct jp_tree *tree, const char *path, int depth, struct dirs *dirs)
{
	struct jp_names names = jp_tree_list(tree, path, PREFIX);
	for (size_t i = 0; i < names.n && dirs->n < DIRS_MAX && depth < DEPTH_MAX; i++) {
		if (known(dirs, names.name[i]))
			continue;
		struct dir *d = &dirs->dir[dirs->n++];
		snprintf(d->leaf, sizeof d->leaf, "%s", names.name[i]);
		snprintf(d->path, sizeof d->path, "%.180s/%s", path, names.name[i]);
		walk(tree, d->path, depth + 1, dirs);
	}
	jp_names_free(&names);
}

static bool is_mmio(const struct dir *d)
{
	return strncmp(d->leaf, PREFIX "-mmio", strlen(PREFIX "-mmio")) == 0;
}

static int level(const struct dir *d)
{
	int colons = 0;
	for (const char *p = d->leaf; *p; p++)
		colons += *p == ':';
	return colons;
}

static const struct dir *parent_of(const struct dirs *dirs, const struct dir *d)
{
	size_t n = (size_t)(strrchr(d->leaf, ':') - d->leaf);
	for (size_t i = 0; i < dirs->n; i++)
		if (strncmp(dirs->dir[i].leaf, d->leaf, n) == 0 && dirs->dir[i].leaf[n] == 0)
			return &dirs->dir[i];
	return NULL;
}

/* "package_0", "package_0_dram", "psys"; false where the name cannot be read. */
static bool zone_name(const struct jp_tree *tree, const struct dirs *dirs, const struct dir *d, char out[JP_ZONE_NAME])
{
	char own[JP_ZONE_NAME], both[2 * JP_ZONE_NAME], above[JP_ZONE_NAME];
	if (jp_tree_line(tree, own, sizeof own, "%s/name", d->path) != JP_OK)
		return false;
	if (level(d) == 1) {
		jp_slug(out, JP_ZONE_NAME, own);
		return out[0] != 0;
	}
	const struct dir *parent = parent_of(dirs, d);
	if (!parent || !zone_name(tree, dirs, parent, above))
		return false;
	snprintf(both, sizeof both, "%s_%s", above, own);
	jp_slug(out, JP_ZONE_NAME, both);
	return true;
}

static enum jp_status add_zone(struct powercap *p, struct jp_zones *zones, const struct dirs *dirs, const struct dir *d)
{
	char name[JP_ZONE_NAME];
	struct jp_file file;
	uint64_t range = 0;
	if (!zone_name(p->tree, dirs, d, name))
		return JP_OK;
	bool package = level(d) == 1 && strncmp(name, "package", strlen("package")) == 0;
	enum jp_status status = jp_file_open(&file, p->tree, "%s/energy_uj", d->path);
	if (status != JP_OK)
		return status == JP_NO_MEM || (package && status == JP_DENIED) ? status : JP_OK;
	size_t i = jp_zones_add(zones, name, package);
	if (i == JP_ZONES_MAX) {
		jp_file_close(&file, p->tree);
		return JP_OK;
	}
	if (jp_tree_u64(p->tree, &range, "%s/max_energy_range_uj", d->path) != JP_OK)
		range = 0;
	p->file[i] = file;
	p->counter[i] = (struct jp_counter){.unit_j = 1e-6, .range = range, .must_move = package};
	p->n = zones->n;
	return JP_OK;
}

/* First the zones by MSR with the packages before their parts, then what only the memory-mapped ones have. */
static enum jp_status add_all(struct powercap *p, struct jp_zones *zones, const struct dirs *dirs)
{
	for (int pass = 0; pass < 4; pass++) {
		bool mmio = pass >= 2;
		int want = pass % 2 + 1;
		for (size_t i = 0; i < dirs->n; i++) {
			const struct dir *d = &dirs->dir[i];
			if (is_mmio(d) != mmio || level(d) != want)
				continue;
			enum jp_status status = add_zone(p, zones, dirs, d);
			if (status != JP_OK)
				return status;
		}
	}
	return JP_OK;
}

static void powercap_close(void *self)
{
	struct powercap *p = self;
	for (size_t i = 0; i < p->n; i++)
		jp_file_close(&p->file[i], p->tree);
	free(p);
}

static enum jp_status powercap_open(
	const struct jp_sense_env *env, struct jp_zones *zones, void **self, struct jp_why *why)
{
	struct dirs *dirs = calloc(1, sizeof *dirs);
	struct powercap *p = calloc(1, sizeof *p);
	enum jp_status status = JP_NO_MEM;
	if (dirs && p) {
		*p = (struct powercap){.tree = env->tree, .pace.limit_ns = LIMIT_NS};
		walk(env->tree, ROOT, 0, dirs);
		status = add_all(p, zones, dirs);
	}
	free(dirs);
	if (status == JP_OK && jp_zones_headline(zones)) {
		*self = p;
		return JP_OK;
	}
	if (p)
		powercap_close(p);
	if (status == JP_DENIED)
		return jp_why_set(why, status,
			"energy_uj is readable by root only: chgrp audio and chmod g+r " ROOT
			"/intel-rapl:*/energy_uj, or setcap cap_perfmon+ep on the program, or run as root");
	return status == JP_NO_MEM ? status : jp_why_set(why, JP_MISSING, ROOT " has no package");
}

static double powercap_watts(void *self, size_t zone, int64_t mono_ns)
{
	struct powercap *p = self;
	uint64_t uj;
	if (jp_file_u64(&p->file[zone], p->tree, &p->pace, &uj) == JP_OK)
		return jp_counter_watts(&p->counter[zone], uj, mono_ns);
	jp_counter_lost(&p->counter[zone]);
	return NAN;
}

static void powercap_trouble(const void *self, char *out, size_t size)
{
	const struct powercap *p = self;
	struct jp_sensor_status status;
	out[0] = 0;
	if (p->pace.dropped) {
		jp_sensor_too_slow(&status, "energy_uj", &p->pace);
		snprintf(out, size, "%s", status.reason);
	}
	for (size_t i = 0; i < p->n && !out[0]; i++)
		if (p->counter[i].must_move)
			jp_counter_trouble(&p->counter[i], out, size);
}

const struct jp_energy_source jp_energy_powercap = {
	.name = "powercap",
	.open = powercap_open,
	.watts = powercap_watts,
	.trouble = powercap_trouble,
	.close = powercap_close,
};
