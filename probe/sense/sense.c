/* The table of sensors. */
#include "sense/sensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of their extra columns in the files. */
static const struct jp_sensor *const sensors[] = {
	&jp_sensor_energy,
	&jp_sensor_idle,
	&jp_sensor_temperature,
	&jp_sensor_watch,
	&jp_sensor_frequency,
	&jp_sensor_cpu_type,
	&jp_sensor_dma_latency,
	&jp_sensor_host,
};
enum { SENSORS = sizeof sensors / sizeof sensors[0] };

/* One sensor of this run. */
struct slot {
	void *self; /* NULL: not there */
	struct jp_why why;
	size_t first; /* of its extra columns */
	size_t n_columns;
};

struct jp_sense {
	struct jp_tree *tree;
	struct jp_cpus cpus;
	char *watch;
	struct jp_sense_env env;
	struct slot slot[SENSORS];
	struct jp_extra_column columns[JP_EXTRA_MAX];
	size_t n_columns;
};

static void add_columns(struct jp_sense *s, size_t i)
{
	struct slot *slot = &s->slot[i];
	size_t room = JP_EXTRA_MAX - s->n_columns;
	slot->first = s->n_columns;
	if (!slot->self || !sensors[i]->columns)
		return;
	if (room > sensors[i]->max_columns)
		room = sensors[i]->max_columns;
	slot->n_columns = sensors[i]->columns(slot->self, s->columns + slot->first, room);
	s->n_columns += slot->n_columns;
}

/* --watch names no process: the one sensor whose absence is the user's error. */
static enum jp_status open_sensors(struct jp_sense *s, struct jp_why *why)
{
	for (size_t i = 0; i < SENSORS; i++) {
		enum jp_status status = sensors[i]->open(&s->env, &s->slot[i].self, &s->slot[i].why);
		if (status == JP_NO_MEM)
			return jp_why_set(why, status, "out of memory while opening the sensors");
		if (status == JP_BAD_ARG && sensors[i] == &jp_sensor_watch)
			return jp_why_set(why, status, "%s", s->slot[i].why.text);
		add_columns(s, i);
	}
	return JP_OK;
}

static enum jp_status prepare(struct jp_sense *s, const struct jp_sense_config *config, struct jp_why *why)
{
	enum jp_status status = jp_tree_open(config->sysroot, &s->tree, why);
	if (status != JP_OK)
		return status;
	s->watch = config->watch ? strdup(config->watch) : NULL;
	if ((config->watch && !s->watch) || jp_cpus_find(s->tree, &s->cpus) != JP_OK)
		return jp_why_set(why, JP_NO_MEM, "out of memory while opening the sensors");
	s->env = (struct jp_sense_env){.tree = s->tree, .cpus = &s->cpus, .watch = s->watch};
	return open_sensors(s, why);
}

enum jp_status jp_sense_open(const struct jp_sense_config *config, struct jp_sense **out, struct jp_why *why)
{
	struct jp_sense *s = calloc(1, sizeof *s);
	if (!s)
		return jp_why_set(why, JP_NO_MEM, "out of memory while opening the sensors");
	enum jp_status status = prepare(s, config, why);
	if (status != JP_OK) {
		jp_sense_close(s);
		return status;
	}
	*out = s;
	return JP_OK;
}

void jp_sense_close(struct jp_sense *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < SENSORS; i++)
		if (s->slot[i].self)
			sensors[i]->close(s->slot[i].self);
	jp_cpus_free(&s->cpus);
	free(s->watch);
	jp_tree_close(s->tree);
	free(s);
}

const struct jp_extra_column *jp_sense_columns(const struct jp_sense *s, size_t *n)
{
	*n = s->n_columns;
	return s->columns;
}

static void host_unknown(struct jp_host *out)
{
	*out = (struct jp_host){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, {0}};
	for (size_t i = 0; i < JP_EXTRA_MAX; i++)
		out->extra[i] = NAN;
}

void jp_sense_sample(struct jp_sense *s, int64_t mono_ns, const struct jp_cpu_calls *calls, struct jp_host *out)
{
	struct jp_moment now = {.mono_ns = mono_ns, .calls = calls};
	host_unknown(out);
	for (size_t i = 0; i < SENSORS; i++)
		if (s->slot[i].self)
			sensors[i]->sample(s->slot[i].self, &now, out, out->extra + s->slot[i].first);
}

/* The watch has a standing only when it was asked for. */
static bool shown(const struct jp_sense *s, size_t i)
{
	return sensors[i] != &jp_sensor_watch || s->watch;
}

bool jp_sense_status(const struct jp_sense *s, size_t i, struct jp_sensor_status *out)
{
	size_t k = 0;
	while (k < SENSORS && (!shown(s, k) || i-- > 0))
		k++;
	if (k == SENSORS)
		return false;
	*out = (struct jp_sensor_status){0};
	snprintf(out->sensor, sizeof out->sensor, "%s", sensors[k]->name);
	if (s->slot[k].self)
		sensors[k]->status(s->slot[k].self, out);
	else
		jp_sensor_is_not(out, "%s", s->slot[k].why.text);
	return true;
}

const char *jp_sense_core_type(const struct jp_sense *s, int cpu)
{
	if (!s->cpus.hybrid || cpu < 0 || cpu >= JP_CPU_NUMBERS)
		return "";
	return s->cpus.kind[cpu] == 'P' ? "P" : s->cpus.kind[cpu] == 'E' ? "E" : "";
}

void jp_sense_facts(const struct jp_sense *s, void (*put)(void *arg, const char *key, const char *value), void *arg)
{
	jp_facts_put(s->tree, &s->cpus, put, arg);
}
