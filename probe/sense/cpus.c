/* The CPUs of the machine, their kinds on a hybrid one, and on which kind head and tail ran. */
#include "sense/sensor.h"

#include <stdlib.h>
#include <string.h>

struct kinds {
	struct jp_cpus *cpus;
	char kind;
	size_t marked;
};

static void mark(void *arg, int cpu)
{
	struct kinds *k = arg;
	k->cpus->kind[cpu] = k->kind;
	k->marked++;
}

/* Both core PMUs have to be there: one of them alone says nothing about the other CPUs. */
static void find_kinds(const struct jp_tree *tree, struct jp_cpus *cpus)
{
	char text[512];
	struct kinds p = {cpus, 'P', 0}, e = {cpus, 'E', 0};
	if (jp_tree_line(tree, text, sizeof text, "/sys/devices/cpu_core/cpus") == JP_OK)
		jp_cpulist(text, JP_CPU_NUMBERS, mark, &p);
	if (jp_tree_line(tree, text, sizeof text, "/sys/devices/cpu_atom/cpus") == JP_OK)
		jp_cpulist(text, JP_CPU_NUMBERS, mark, &e);
	cpus->hybrid = p.marked > 0 && e.marked > 0;
	if (!cpus->hybrid)
		memset(cpus->kind, 0, JP_CPU_NUMBERS);
}

enum jp_status jp_cpus_find(const struct jp_tree *tree, struct jp_cpus *out)
{
	struct jp_names names = jp_tree_list(tree, "/sys/devices/system/cpu", "cpu");
	*out = (struct jp_cpus){.number = calloc(names.n + 1, sizeof *out->number)};
	for (size_t i = 0; out->number && i < names.n; i++) {
		uint64_t cpu;
		if (jp_parse_u64(names.name[i] + strlen("cpu"), &cpu) == JP_OK && cpu < JP_CPU_NUMBERS) {
			out->number[out->n++] = (int)cpu;
			out->limit = cpu + 1;
		}
	}
	jp_names_free(&names);
	out->kind = calloc(JP_CPU_NUMBERS, 1);
	if (!out->number || !out->kind) {
		jp_cpus_free(out);
		return JP_NO_MEM;
	}
	find_kinds(tree, out);
	return JP_OK;
}

void jp_cpus_free(struct jp_cpus *cpus)
{
	free(cpus->number);
	free(cpus->kind);
	*cpus = (struct jp_cpus){0};
}

static enum jp_status cpu_type_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	if (env->cpus->n == 0 && !env->cpus->hybrid)
		return jp_why_set(why, JP_MISSING, "no CPU is listed in /sys/devices/system/cpu");
	*self = (void *)env->cpus;
	return JP_OK;
}

/* Share of the calls whose CPU's kind is known. */
static void cpu_type_sample(void *self, const struct jp_moment *now, struct jp_host *out, double *extra)
{
	const struct jp_cpus *cpus = self;
	uint64_t p = 0, known = 0;
	(void)extra;
	if (!cpus->hybrid || !now->calls)
		return;
	for (size_t cpu = 0; cpu < now->calls->n && cpu < JP_CPU_NUMBERS; cpu++) {
		known += cpus->kind[cpu] ? now->calls->calls[cpu] : 0;
		p += cpus->kind[cpu] == 'P' ? now->calls->calls[cpu] : 0;
	}
	if (known > 0)
		out->rt_pcore_pct = 100.0 * (double)p / (double)known;
}

static void cpu_type_status(const void *self, struct jp_sensor_status *out)
{
	const struct jp_cpus *cpus = self;
	jp_sensor_is(out, "%s", cpus->hybrid ? "cpu_core and cpu_atom" : "one kind of CPU");
}

static void cpu_type_close(void *self)
{
	(void)self;
}

const struct jp_sensor jp_sensor_cpu_type = {
	.name = "cpu_type",
	.open = cpu_type_open,
	.sample = cpu_type_sample,
	.status = cpu_type_status,
	.close = cpu_type_close,
};
