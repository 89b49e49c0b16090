/* Residency in idle states: the kernel's account of time per state and CPU, /sys/devices/system/cpu/cpu*\/cpuidle. It is
 * written when a CPU leaves the state, so a long sleep shows in the window it ends in; shares are cut at 100 %. */
#include "sense/sensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS_MAX = 16, LIMIT_NS = 2000000 };

#define CPU_DIR "/sys/devices/system/cpu"

/* One state of one CPU; the states of a CPU stand together. */
struct state {
	struct jp_file file; /* microseconds */
	int cpu;
	size_t kind;
	uint64_t last_us;
	bool primed;
};

struct idle {
	struct jp_tree *tree;
	struct jp_pace pace;
	char kind[KINDS_MAX][32]; /* names as they stand in columns */
	size_t n_kinds;
	struct state *state;
	size_t n, room;
	int64_t last_ns;
};

static size_t kind_of(struct idle *idle, const char *name)
{
	char slug[sizeof idle->kind[0]];
	jp_slug(slug, sizeof slug, name);
	for (size_t i = 0; i < idle->n_kinds; i++)
		if (strcmp(idle->kind[i], slug) == 0)
			return i;
	if (!slug[0] || idle->n_kinds == KINDS_MAX)
		return KINDS_MAX;
	memcpy(idle->kind[idle->n_kinds], slug, sizeof slug);
	return idle->n_kinds++;
}

static enum jp_status add_state(struct idle *idle, int cpu, const char *dir)
{
	char name[64];
	if (jp_tree_line(idle->tree, name, sizeof name, CPU_DIR "/cpu%d/cpuidle/%s/name", cpu, dir) != JP_OK)
		return JP_OK;
	size_t kind = kind_of(idle, name);
	if (kind == KINDS_MAX)
		return JP_OK;
	if (idle->n == idle->room) {
		size_t more = idle->room ? idle->room * 2 : 16;
		struct state *p = realloc(idle->state, more * sizeof *p);
		if (!p)
			return JP_NO_MEM;
		idle->state = p;
		idle->room = more;
	}
	struct state *s = &idle->state[idle->n];
	*s = (struct state){.cpu = cpu, .kind = kind};
	enum jp_status status = jp_file_open(&s->file, idle->tree, CPU_DIR "/cpu%d/cpuidle/%s/time", cpu, dir);
	idle->n += status == JP_OK;
	return status == JP_NO_MEM ? status : JP_OK;
}

static enum jp_status add_cpu(struct idle *idle, int cpu)
{
	char path[JP_TREE_PATH_MAX];
	enum jp_status status = JP_OK;
	snprintf(path, sizeof path, CPU_DIR "/cpu%d/cpuidle", cpu);
	struct jp_names states = jp_tree_list(idle->tree, path, "state");
	for (size_t i = 0; i < states.n && status == JP_OK; i++)
		status = add_state(idle, cpu, states.name[i]);
	jp_names_free(&states);
	return status;
}

static void idle_close(void *self)
{
	struct idle *idle = self;
	for (size_t i = 0; i < idle->n; i++)
		jp_file_close(&idle->state[i].file, idle->tree);
	free(idle->state);
	free(idle);
}

static enum jp_status idle_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	struct idle *idle = calloc(1, sizeof *idle);
	enum jp_status status = idle ? JP_OK : JP_NO_MEM;
	if (idle)
		*idle = (struct idle){.tree = env->tree, .pace.limit_ns = LIMIT_NS};
	for (size_t i = 0; i < env->cpus->n && status == JP_OK; i++)
		status = add_cpu(idle, env->cpus->number[i]);
	if (status == JP_OK && idle->n > 0) {
		*self = idle;
		return JP_OK;
	}
	if (idle)
		idle_close(idle);
	if (status != JP_OK)
		return status;
	return jp_why_set(why, JP_MISSING, "no CPU has idle states in " CPU_DIR "/cpu*/cpuidle");
}

static size_t idle_columns(const void *self, struct jp_extra_column *out, size_t room)
{
	const struct idle *idle = self;
	size_t n = idle->n_kinds < room ? idle->n_kinds : room;
	for (size_t i = 0; i < n; i++) {
		snprintf(out[i].csv, sizeof out[i].csv, "idle_%s_pct", idle->kind[i]);
		snprintf(out[i].osc, sizeof out[i].osc, "/idle/%s_pct", idle->kind[i]);
	}
	return n;
}

/* Microseconds in the state since the sample before; NaN when not known. */
static double state_delta(struct idle *idle, struct state *s)
{
	uint64_t us;
	bool good = jp_file_u64(&s->file, idle->tree, &idle->pace, &us) == JP_OK;
	double delta = good && s->primed && us >= s->last_us ? (double)(us - s->last_us) : NAN;
	s->primed = good;
	s->last_us = good ? us : 0;
	return delta;
}

/* Add up the states of the CPU at index i. @return index of the next CPU. A CPU with an unknown time (offline) counts for
 * nothing. */
static size_t add_cpu_times(struct idle *idle, size_t i, double sum_us[KINDS_MAX], size_t *n_cpus)
{
	int cpu = idle->state[i].cpu;
	double own_us[KINDS_MAX] = {0}, all_us = 0;
	for (; i < idle->n && idle->state[i].cpu == cpu; i++) {
		double us = state_delta(idle, &idle->state[i]);
		own_us[idle->state[i].kind] += us;
		all_us += us;
	}
	if (isnan(all_us))
		return i;
	for (size_t k = 0; k < idle->n_kinds; k++)
		sum_us[k] += own_us[k];
	++*n_cpus;
	return i;
}

static void idle_sample(void *self, const struct jp_moment *now, struct jp_host *out, double *extra)
{
	struct idle *idle = self;
	double sum_us[KINDS_MAX] = {0}, span_us = (double)(now->mono_ns - idle->last_ns) / 1e3;
	size_t n_cpus = 0;
	(void)out;
	for (size_t i = 0; i < idle->n;)
		i = add_cpu_times(idle, i, sum_us, &n_cpus);
	for (size_t k = 0; k < idle->n_kinds && n_cpus > 0 && span_us > 0; k++) {
		double share = 100.0 * sum_us[k] / (span_us * (double)n_cpus);
		extra[k] = share > 100.0 ? 100.0 : share;
	}
	idle->last_ns = now->mono_ns;
}

static void idle_status(const void *self, struct jp_sensor_status *out)
{
	const struct idle *idle = self;
	if (idle->pace.dropped)
		jp_sensor_too_slow(out, "cpuidle times", &idle->pace);
	else
		jp_sensor_is(out, "cpuidle");
}

const struct jp_sensor jp_sensor_idle = {
	.name = "idle",
	.open = idle_open,
	.columns = idle_columns,
	.sample = idle_sample,
	.status = idle_status,
	.close = idle_close,
	.max_columns = KINDS_MAX,
};
