/* Power: the first source of the list that has the packages (or the whole machine). */
#include "sense/energy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct jp_energy_source *const sources[] = {
	&jp_energy_perf,
	&jp_energy_powercap,
	&jp_energy_hwmon,
	&jp_energy_battery,
};
enum { SOURCES = sizeof sources / sizeof sources[0] };

struct energy {
	const struct jp_energy_source *source;
	void *self;
	struct jp_why denied; /* a source before this one is there but closed to this user; "" = none */
	struct jp_zones zones;
};

static bool open_one(struct energy *e, const struct jp_sense_env *env, enum jp_status *status)
{
	struct jp_why own = {""};
	memset(&e->zones, 0, sizeof e->zones);
	enum jp_status s = e->source->open(env, &e->zones, &e->self, &own);
	if (s == JP_OK || s == JP_NO_MEM) {
		*status = s;
		return true;
	}
	if (s == JP_DENIED && *status != JP_DENIED) {
		*status = JP_DENIED; /* the reason that has a remedy */
		e->denied = own;
	}
	return false;
}

static enum jp_status energy_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	struct energy *e = calloc(1, sizeof *e);
	enum jp_status status = JP_MISSING;
	if (!e)
		return JP_NO_MEM;
	for (size_t i = 0; i < SOURCES; i++) {
		e->source = sources[i];
		if (open_one(e, env, &status))
			break;
	}
	if (status == JP_OK) {
		*self = e;
		return JP_OK;
	}
	struct jp_why denied = e->denied;
	free(e);
	if (status == JP_NO_MEM)
		return status;
	if (status == JP_DENIED)
		return jp_why_set(why, status, "%s", denied.text);
	return jp_why_set(why, status,
		"this machine shows no energy counter (neither RAPL by perf or powercap, nor hwmon, nor a battery)");
}

static size_t energy_columns(const void *self, struct jp_extra_column *out, size_t room)
{
	const struct energy *e = self;
	size_t n = e->zones.n < room ? e->zones.n : room;
	for (size_t i = 0; i < n; i++) {
		snprintf(out[i].csv, sizeof out[i].csv, "power_%s_w", e->zones.zone[i].name);
		snprintf(out[i].osc, sizeof out[i].osc, "/power/%s_w", e->zones.zone[i].name);
	}
	return n;
}

/* A part of the packages is not the sum: one unknown makes the headline unknown. */
static void energy_sample(void *self, const struct jp_moment *now, struct jp_host *out, double *extra)
{
	struct energy *e = self;
	double sum = 0;
	for (size_t i = 0; i < e->zones.n; i++) {
		extra[i] = e->source->watts(e->self, i, now->mono_ns);
		if (e->zones.zone[i].headline)
			sum += extra[i];
	}
	out->power_w = sum;
}

static void energy_status(const void *self, struct jp_sensor_status *out)
{
	const struct energy *e = self;
	char trouble[sizeof out->reason];
	bool last_resort = e->source == &jp_energy_battery && e->denied.text[0];
	e->source->trouble(e->self, trouble, sizeof trouble);
	if (trouble[0])
		jp_sensor_is_not(out, "%s", last_resort ? e->denied.text : trouble);
	else
		jp_sensor_is(out, "%s%s", e->source->name, last_resort ? "; RAPL closed to this user" : "");
}

static void energy_close(void *self)
{
	struct energy *e = self;
	e->source->close(e->self);
	free(e);
}

const struct jp_sensor jp_sensor_energy = {
	.name = "energy",
	.open = energy_open,
	.columns = energy_columns,
	.sample = energy_sample,
	.status = energy_status,
	.close = energy_close,
	.max_columns = JP_ZONES_MAX,
};
