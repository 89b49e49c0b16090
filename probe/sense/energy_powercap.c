/* RAPL zones of /sys/class/powercap, told apart by the text in `name`: directory numbers do not say which package it is,
 * and the same package may be listed twice (intel-rapl-mmio). */
#include "sense/energy_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "/sys/class/powercap"
#define PREFIX "intel-rapl"
enum { DEPTH_MAX = 3, DIRS_MAX = 128 };

struct dir {
	char leaf[JP_TREE_NAME_MAX]; /* "intel-rapl:0", "intel-rapl:0:1" */
	char path[JP_TREE_PATH_MAX];
};

/* Zone directories, each once: they stand flat in the class directory and nested in their parents. */
struct dirs {
	struct dir dir[DIRS_MAX];
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

static enum jp_status add_zone(
	struct jp_energy_files *files, struct jp_zones *zones, const struct dirs *dirs, const struct dir *d)
{
	struct jp_zone zone = {0};
	char path[JP_TREE_PATH_MAX + 16];
	uint64_t range;
	if (!zone_name(files->tree, dirs, d, zone.name))
		return JP_OK;
	zone.headline = level(d) == 1 && strncmp(zone.name, "package", strlen("package")) == 0;
	zone.always = !strstr(zone.name, "uncore");
	if (jp_tree_u64(files->tree, &range, "%s/max_energy_range_uj", d->path) != JP_OK)
		range = 0;
	snprintf(path, sizeof path, "%s/energy_uj", d->path);
	return jp_energy_files_add(files, zones, &zone, range, path);
}

/* First the zones by MSR with the packages before their parts, then what only the memory-mapped ones have. */
static enum jp_status add_all(struct jp_energy_files *files, struct jp_zones *zones, const struct dirs *dirs)
{
	for (int pass = 0; pass < 4; pass++) {
		bool mmio = pass >= 2;
		int want = pass % 2 + 1;
		for (size_t i = 0; i < dirs->n; i++) {
			const struct dir *d = &dirs->dir[i];
			if (is_mmio(d) != mmio || level(d) != want)
				continue;
			enum jp_status status = add_zone(files, zones, dirs, d);
			if (status != JP_OK)
				return status;
		}
	}
	return JP_OK;
}

static enum jp_status powercap_open(
	const struct jp_sense_env *env, struct jp_zones *zones, void **self, struct jp_why *why)
{
	struct dirs *dirs = calloc(1, sizeof *dirs);
	struct jp_energy_files *files = jp_energy_files_new(env->tree, "energy_uj");
	enum jp_status status = JP_NO_MEM;
	if (dirs && files) {
		walk(env->tree, ROOT, 0, dirs);
		status = add_all(files, zones, dirs);
	}
	free(dirs);
	if (status == JP_OK && jp_zones_headline(zones)) {
		*self = files;
		return JP_OK;
	}
	jp_energy_files_close(files);
	if (status == JP_DENIED)
		return jp_why_set(why, status,
			"energy_uj is readable by root only: chgrp audio and chmod g+r " ROOT
			"/intel-rapl:*/energy_uj, or setcap cap_perfmon+ep on the program (not with pw-jack), or run "
			"as root");
	return status == JP_NO_MEM ? status : jp_why_set(why, JP_MISSING, ROOT " has no package");
}

const struct jp_energy_source jp_energy_powercap = {
	.name = "powercap",
	.open = powercap_open,
	.watts = jp_energy_files_watts,
	.trouble = jp_energy_files_trouble,
	.close = jp_energy_files_close,
};
