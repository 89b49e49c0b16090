/* Package temperature: hwmon (coretemp, k10temp), else the kernel's thermal zones; and how often packages were throttled. */
#include "sense/sensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HWMON "/sys/class/hwmon"
#define THERMAL "/sys/class/thermal"
#define CPU_DIR "/sys/devices/system/cpu"
enum { ZONES_MAX = 11, THROTTLES_MAX = 16, LIMIT_NS = 2000000 };

struct zone {
	struct jp_file file; /* thousandths of a degree Celsius */
	char name[40];
};

/* Throttling of one package, counted since boot. */
struct throttle {
	struct jp_file file;
	uint64_t package, last;
	bool primed;
};

struct temperature {
	struct jp_tree *tree;
	struct jp_pace pace;
	const char *source;
	struct zone zone[ZONES_MAX];
	size_t n;
	struct throttle throttle[THROTTLES_MAX];
	size_t n_throttles;
};

static bool name_taken(const struct temperature *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->zone[i].name, name) == 0)
			return true;
	return false;
}

/* A second zone of the same name gets a number. */
static void add_zone(struct temperature *t, const char *name, const char *path)
{
	struct zone *z = &t->zone[t->n];
	char slug[32];
	if (t->n == ZONES_MAX || jp_file_open(&z->file, t->tree, "%s", path) != JP_OK)
		return;
	jp_slug(slug, sizeof slug, name);
	snprintf(z->name, sizeof z->name, "%s", slug);
	for (unsigned i = 1; name_taken(t, z->name); i++)
		snprintf(z->name, sizeof z->name, "%s_%u", slug, i % 1000);
	t->n++;
}

/* What a label of a chip is as a zone; false: not a package. */
static bool package_label(const char *chip, const char *label, char *name, size_t size)
{
	uint64_t id;
	if (strcmp(chip, "coretemp") == 0 && strncmp(label, "Package id ", 11) == 0 &&
		jp_parse_u64(label + 11, &id) == JP_OK) {
		snprintf(name, size, "package_%u", (unsigned)id);
		return true;
	}
	snprintf(name, size, "tctl");
	return strcmp(chip, "k10temp") == 0 && strcmp(label, "Tctl") == 0;
}

static void add_chip(struct temperature *t, const char *dir)
{
	char chip[64], path[JP_TREE_PATH_MAX];
	if (jp_tree_line(t->tree, chip, sizeof chip, HWMON "/%s/name", dir) != JP_OK)
		return;
	snprintf(path, sizeof path, HWMON "/%s", dir);
	struct jp_names files = jp_tree_list(t->tree, path, "temp");
	for (size_t i = 0; i < files.n; i++) {
		char label[64], name[40];
		size_t stem = strcspn(files.name[i], "_");
		if (strcmp(files.name[i] + stem, "_label") != 0 ||
			jp_tree_line(t->tree, label, sizeof label, HWMON "/%s/%s", dir, files.name[i]) != JP_OK ||
			!package_label(chip, label, name, sizeof name))
			continue;
		snprintf(path, sizeof path, HWMON "/%s/%.*s_input", dir, (int)stem, files.name[i]);
		add_zone(t, name, path);
	}
	jp_names_free(&files);
}

static void find_hwmon(struct temperature *t)
{
	struct jp_names chips = jp_tree_list(t->tree, HWMON, "hwmon");
	t->source = "hwmon";
	for (size_t i = 0; i < chips.n; i++)
		add_chip(t, chips.name[i]);
	jp_names_free(&chips);
}

static void find_thermal(struct temperature *t)
{
	struct jp_names zones = jp_tree_list(t->tree, THERMAL, "thermal_zone");
	t->source = "thermal zones";
	for (size_t i = 0; i < zones.n; i++) {
		char type[64], path[JP_TREE_PATH_MAX];
		if (jp_tree_line(t->tree, type, sizeof type, THERMAL "/%s/type", zones.name[i]) != JP_OK ||
			(strcmp(type, "x86_pkg_temp") != 0 && strncmp(type, "cpu", 3) != 0))
			continue;
		snprintf(path, sizeof path, THERMAL "/%s/temp", zones.name[i]);
		add_zone(t, type, path);
	}
	jp_names_free(&zones);
}

static bool package_seen(const struct temperature *t, uint64_t package)
{
	for (size_t i = 0; i < t->n_throttles; i++)
		if (t->throttle[i].package == package)
			return true;
	return false;
}

/* Every CPU shows its package's count: one CPU of each package is read. */
static void find_throttles(struct temperature *t, const struct jp_cpus *cpus)
{
	for (size_t i = 0; i < cpus->n && t->n_throttles < THROTTLES_MAX; i++) {
		struct throttle *th = &t->throttle[t->n_throttles];
		int cpu = cpus->number[i];
		uint64_t package;
		if (jp_tree_u64(t->tree, &package, CPU_DIR "/cpu%d/topology/physical_package_id", cpu) != JP_OK ||
			package_seen(t, package) ||
			jp_file_open(&th->file, t->tree, CPU_DIR "/cpu%d/thermal_throttle/package_throttle_count",
				cpu) != JP_OK)
			continue;
		th->package = package;
		t->n_throttles++;
	}
}

static void temperature_close(void *self)
{
	struct temperature *t = self;
	for (size_t i = 0; i < t->n; i++)
		jp_file_close(&t->zone[i].file, t->tree);
	for (size_t i = 0; i < t->n_throttles; i++)
		jp_file_close(&t->throttle[i].file, t->tree);
	free(t);
}

static enum jp_status temperature_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	struct temperature *t = calloc(1, sizeof *t);
	if (!t)
		return JP_NO_MEM;
	*t = (struct temperature){.tree = env->tree, .pace.limit_ns = LIMIT_NS};
	find_hwmon(t);
	if (t->n == 0)
		find_thermal(t);
	find_throttles(t, env->cpus);
	if (t->n + t->n_throttles > 0) {
		*self = t;
		return JP_OK;
	}
	temperature_close(t);
	return jp_why_set(why, JP_MISSING,
		"this machine shows no package temperature (neither coretemp, nor k10temp, nor a thermal zone of the "
		"CPU)");
}

static size_t temperature_columns(const void *self, struct jp_extra_column *out, size_t room)
{
	const struct temperature *t = self;
	size_t n = 0;
	for (; n < t->n && n < room; n++) {
		snprintf(out[n].csv, sizeof out[n].csv, "temp_%s_c", t->zone[n].name);
		snprintf(out[n].osc, sizeof out[n].osc, "/temp/%s_c", t->zone[n].name);
	}
	if (t->n_throttles && n < room)
		snprintf(out[n++].csv, sizeof out->csv, "throttle_count");
	return n;
}

static double read_celsius(struct temperature *t, struct zone *z)
{
	char text[32];
	size_t len;
	uint64_t value;
	if (jp_file_text(&z->file, t->tree, &t->pace, text, sizeof text, &len) != JP_OK)
		return NAN;
	bool minus = text[0] == '-';
	if (jp_parse_u64(text + minus, &value) != JP_OK || value > 250000)
		return NAN;
	return (minus ? -1 : 1) * (double)value / 1e3;
}

/* Throttlings since the sample before; NaN when not known. */
static double throttle_delta(struct temperature *t, struct throttle *th)
{
	uint64_t count;
	bool good = jp_file_u64(&th->file, t->tree, &t->pace, &count) == JP_OK;
	double delta = good && th->primed && count >= th->last ? (double)(count - th->last) : NAN;
	th->primed = good;
	th->last = good ? count : 0;
	return delta;
}

static void temperature_sample(void *self, const struct jp_moment *now, struct jp_host *out, double *extra)
{
	struct temperature *t = self;
	double throttled = 0;
	(void)now;
	(void)out;
	for (size_t i = 0; i < t->n; i++)
		extra[i] = read_celsius(t, &t->zone[i]);
	for (size_t i = 0; i < t->n_throttles; i++)
		throttled += throttle_delta(t, &t->throttle[i]);
	if (t->n_throttles > 0)
		extra[t->n] = throttled;
}

static void temperature_status(const void *self, struct jp_sensor_status *out)
{
	const struct temperature *t = self;
	if (t->pace.dropped)
		jp_sensor_too_slow(out, "temperatures", &t->pace);
	else if (t->n == 0)
		jp_sensor_is_not(out, "this machine shows no package temperature, only how often it was throttled");
	else
		jp_sensor_is(out, "%s", t->source);
}

const struct jp_sensor jp_sensor_temperature = {
	.name = "temperature",
	.open = temperature_open,
	.columns = temperature_columns,
	.sample = temperature_sample,
	.status = temperature_status,
	.close = temperature_close,
	.max_columns = ZONES_MAX + 1,
};
