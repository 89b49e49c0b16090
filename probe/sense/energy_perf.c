/* RAPL by perf's "power" PMU: one CPU of each package (cpumask) counts for it, and the kernel unwraps. */
#include "sense/energy_perf.h"
#include "sense/energy.h"
#include "sense/pmu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOPOLOGY "/sys/devices/system/cpu/cpu%d/topology"

/* Events of the PMU and what they are to a package; "" is the package itself. */
static const struct {
	const char *event, *part;
	bool alone; /* of the whole machine, not of a package */
} events[] = {
	{"energy-pkg", "", false},
	{"energy-cores", "core", false},
	{"energy-gpu", "uncore", false},
	{"energy-ram", "dram", false},
	{"energy-psys", "psys", true},
};

struct packages {
	const struct jp_tree *tree;
	int cpu[JP_ZONES_MAX];
	char name[JP_ZONES_MAX][JP_ZONE_NAME];
	size_t n;
};

static void add_package(void *arg, int cpu)
{
	struct packages *p = arg;
	uint64_t package;
	if (p->n == JP_ZONES_MAX || jp_tree_u64(p->tree, &package, TOPOLOGY "/physical_package_id", cpu) != JP_OK)
		return;
	p->cpu[p->n] = cpu;
	snprintf(p->name[p->n++], JP_ZONE_NAME, "package_%u", (unsigned)package);
}

/* Several dies of a package count apart: then the die is part of the name, as in powercap. */
static void tell_dies_apart(struct packages *p)
{
	bool shared[JP_ZONES_MAX] = {false};
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->n; k++)
			shared[i] |= i != k && strcmp(p->name[i], p->name[k]) == 0;
	for (size_t i = 0; i < p->n; i++) {
		uint64_t die;
		size_t used = strlen(p->name[i]);
		if (shared[i] && jp_tree_u64(p->tree, &die, TOPOLOGY "/die_id", p->cpu[i]) == JP_OK)
			snprintf(p->name[i] + used, JP_ZONE_NAME - used, "_die_%u", (unsigned)die);
	}
}

static void add_event(const struct jp_tree *tree, const struct packages *p, size_t e, struct jp_energy_plan *plan,
	struct jp_zones *zones)
{
	struct perf_event_attr attr = {0};
	double unit_j;
	if (jp_pmu_event(tree, "power", events[e].event, &attr) != JP_OK ||
		jp_pmu_scale(tree, "power", events[e].event, "Joules", &unit_j) != JP_OK)
		return;
	for (size_t i = 0; i < (events[e].alone ? 1 : p->n); i++) {
		const char *part = events[e].part;
		struct jp_zone zone = {.headline = !*part, .always = strcmp(part, "uncore") != 0};
		snprintf(zone.name, sizeof zone.name, "%.30s%s%s", events[e].alone ? "" : p->name[i],
			events[e].alone || !*part ? "" : "_", part);
		size_t z = jp_zones_add(zones, &zone);
		if (z == JP_ZONES_MAX)
			continue;
		plan->row[z].attr = attr;
		plan->row[z].cpu = p->cpu[i];
		plan->row[z].unit_j = unit_j;
	}
}

enum jp_status jp_energy_plan(const struct jp_tree *tree, struct jp_energy_plan *plan, struct jp_zones *zones)
{
	char mask[256];
	struct packages p = {.tree = tree};
	enum jp_status status = jp_tree_line(tree, mask, sizeof mask, "/sys/bus/event_source/devices/power/cpumask");
	if (status != JP_OK)
		return status;
	if (jp_cpulist(mask, JP_CPU_NUMBERS, add_package, &p) != JP_OK || p.n == 0)
		return JP_BAD_DATA;
	tell_dies_apart(&p);
	for (size_t e = 0; e < sizeof events / sizeof *events; e++)
		add_event(tree, &p, e, plan, zones);
	return jp_zones_headline(zones) ? JP_OK : JP_MISSING;
}

struct perf {
	int fd[JP_ZONES_MAX];
	struct jp_counter counter[JP_ZONES_MAX];
	size_t n;
};

static void perf_close(void *self)
{
	struct perf *p = self;
	for (size_t i = 0; i < p->n; i++)
		if (p->fd[i] >= 0)
			close(p->fd[i]);
	free(p);
}

/* A part that cannot be opened is unknown; a package that cannot be opened ends it. @return errno */
static int open_rows(struct perf *p, const struct jp_energy_plan *plan, const struct jp_zones *zones)
{
	for (size_t i = 0; i < zones->n; i++) {
		p->fd[i] = jp_pmu_open(&plan->row[i].attr, plan->row[i].cpu, -1);
		p->n = i + 1;
		if (p->fd[i] < 0 && zones->zone[i].headline)
			return errno;
		p->counter[i] = (struct jp_counter){.unit_j = plan->row[i].unit_j,
			.must_move = zones->zone[i].always,
			.headline = zones->zone[i].headline};
	}
	return 0;
}

static enum jp_status perf_open(const struct jp_sense_env *env, struct jp_zones *zones, void **self, struct jp_why *why)
{
	struct jp_energy_plan plan = {0};
	if (!jp_tree_is_machine(env->tree))
		return jp_why_set(why, JP_UNSUPPORTED, "perf counts only on the machine itself");
	enum jp_status status = jp_energy_plan(env->tree, &plan, zones);
	if (status != JP_OK)
		return jp_why_set(why, status, "perf has no power PMU here");
	struct perf *p = calloc(1, sizeof *p);
	if (!p)
		return JP_NO_MEM;
	int err = open_rows(p, &plan, zones);
	if (err == 0) {
		*self = p;
		return JP_OK;
	}
	perf_close(p);
	return jp_pmu_why(env->tree, err, "energy counters", why);
}

static double perf_watts(void *self, size_t zone, int64_t mono_ns)
{
	struct perf *p = self;
	uint64_t raw;
	if (p->fd[zone] >= 0 && jp_pmu_read(p->fd[zone], &raw, 1))
		return jp_counter_watts(&p->counter[zone], raw, mono_ns);
	jp_counter_lost(&p->counter[zone]);
	return NAN;
}

static void perf_trouble(const void *self, char *out, size_t size)
{
	const struct perf *p = self;
	jp_counters_trouble(p->counter, p->n, out, size);
}

const struct jp_energy_source jp_energy_perf = {
	.name = "perf power",
	.open = perf_open,
	.watts = perf_watts,
	.trouble = perf_trouble,
	.close = perf_close,
};
