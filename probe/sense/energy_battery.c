/* Last resort: what the battery gives while it is discharged, which is the draw of the whole machine at that instant. */
#include "sense/energy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "/sys/class/power_supply"
enum {
	BATTERIES_MAX = 4,
	LIMIT_NS = 100000000, /* an embedded controller answers in milliseconds */
};

struct battery {
	struct jp_tree *tree;
	struct jp_pace pace;
	char name[BATTERIES_MAX][JP_TREE_NAME_MAX];
	size_t n;
	bool discharging; /* at the latest sample */
};

/* Batteries of mice and the like say "Device". */
static bool feeds_the_machine(const struct jp_tree *tree, const char *name)
{
	char text[32];
	if (jp_tree_line(tree, text, sizeof text, ROOT "/%s/type", name) != JP_OK || strcmp(text, "Battery") != 0)
		return false;
	return jp_tree_line(tree, text, sizeof text, ROOT "/%s/scope", name) != JP_OK || strcmp(text, "Device") != 0;
}

static bool has_power(const struct jp_tree *tree, const char *name)
{
	return jp_tree_has(tree, ROOT "/%s/power_now", name) ||
	       (jp_tree_has(tree, ROOT "/%s/current_now", name) && jp_tree_has(tree, ROOT "/%s/voltage_now", name));
}

/* Some drivers give the current of a discharge a minus sign. */
static bool magnitude(struct battery *b, const char *name, const char *file, double *out)
{
	char path[JP_TREE_PATH_MAX], text[64];
	struct jp_file f;
	size_t len;
	uint64_t value;
	snprintf(path, sizeof path, ROOT "/%s/%s", name, file);
	if (jp_file_open(&f, b->tree, "%s", path) != JP_OK)
		return false;
	enum jp_status status = jp_file_text(&f, b->tree, &b->pace, text, sizeof text, &len);
	jp_file_close(&f, b->tree);
	if (status != JP_OK || jp_parse_u64(text[0] == '-' ? text + 1 : text, &value) != JP_OK || value == 0)
		return false;
	*out = (double)value;
	return true;
}

static double battery_power(struct battery *b, const char *name)
{
	double uw, ua, uv;
	if (magnitude(b, name, "power_now", &uw))
		return uw * 1e-6;
	if (magnitude(b, name, "current_now", &ua) && magnitude(b, name, "voltage_now", &uv))
		return ua * uv * 1e-12;
	return NAN;
}

static double battery_watts(void *self, size_t zone, int64_t mono_ns)
{
	struct battery *b = self;
	double sum = 0;
	(void)zone;
	(void)mono_ns;
	b->discharging = false;
	for (size_t i = 0; i < b->n; i++) {
		char status[32];
		if (jp_tree_line(b->tree, status, sizeof status, ROOT "/%s/status", b->name[i]) != JP_OK ||
			strcmp(status, "Discharging") != 0)
			continue;
		b->discharging = true;
		sum += battery_power(b, b->name[i]);
	}
	return b->discharging ? sum : NAN;
}

static enum jp_status battery_open(
	const struct jp_sense_env *env, struct jp_zones *zones, void **self, struct jp_why *why)
{
	const struct jp_zone zone = {.name = "battery", .headline = true, .always = true};
	struct battery *b = calloc(1, sizeof *b);
	if (!b)
		return JP_NO_MEM;
	*b = (struct battery){.tree = env->tree, .pace.limit_ns = LIMIT_NS};
	struct jp_names names = jp_tree_list(env->tree, ROOT, "");
	for (size_t i = 0; i < names.n && b->n < BATTERIES_MAX; i++)
		if (feeds_the_machine(env->tree, names.name[i]) && has_power(env->tree, names.name[i]))
			memcpy(b->name[b->n++], names.name[i], sizeof b->name[0]);
	jp_names_free(&names);
	if (b->n > 0 && jp_zones_add(zones, &zone) != JP_ZONES_MAX) {
		battery_watts(b, 0, 0); /* is it discharging? */
		*self = b;
		return JP_OK;
	}
	free(b);
	return jp_why_set(why, JP_MISSING, "there is no battery");
}

static void battery_trouble(const void *self, char *out, size_t size)
{
	const struct battery *b = self;
	struct jp_sensor_status slow = {0};
	out[0] = 0;
	if (b->pace.dropped) {
		jp_sensor_too_slow(&slow, "the battery", &b->pace);
		snprintf(out, size, "%s", slow.reason);
	} else if (!b->discharging) {
		snprintf(out, size, "no RAPL here, and on mains the battery does not show what the machine draws");
	}
}

static void battery_close(void *self)
{
	free(self);
}

const struct jp_energy_source jp_energy_battery = {
	.name = "battery (whole machine)",
	.open = battery_open,
	.watts = battery_watts,
	.trouble = battery_trouble,
	.close = battery_close,
};
