/* Energy counters: wrapping, standing still, implausible steps. */
#include "sense/energy.h"

#include <stdio.h>
#include <string.h>

static const double step_max_w = 2000;  /* no zone draws more */
static const double steady_max_w = 600; /* nor this for a whole range of its counter */

bool jp_counter_delta(uint64_t before, uint64_t after, uint64_t range, uint64_t *delta)
{
	if (after >= before)
		*delta = after - before;
	else if (range >= before)
		*delta = range - before + after;
	else
		return false;
	return true;
}

static enum jp_counter_state judge(const struct jp_counter *c, uint64_t raw, int64_t ns, double *watts)
{
	uint64_t delta;
	double seconds = (double)ns / 1e9;
	if (!c->primed || ns <= 0)
		return JP_COUNTER_PRIMED;
	if (c->range && seconds * steady_max_w > (double)c->range * c->unit_j)
		return JP_COUNTER_LONG;
	if (!jp_counter_delta(c->last, raw, c->range, &delta))
		return JP_COUNTER_GAP;
	*watts = (double)delta * c->unit_j / seconds;
	if (*watts > step_max_w)
		return JP_COUNTER_GAP;
	return delta == 0 && c->must_move ? JP_COUNTER_STILL : JP_COUNTER_GOOD;
}

double jp_counter_watts(struct jp_counter *c, uint64_t raw, int64_t mono_ns)
{
	double watts = NAN;
	c->state = judge(c, raw, mono_ns - c->last_ns, &watts);
	c->primed = c->state != JP_COUNTER_GAP || raw < c->last;
	c->last = raw;
	c->last_ns = mono_ns;
	return c->state == JP_COUNTER_GOOD ? watts : NAN;
}

void jp_counter_lost(struct jp_counter *c)
{
	c->primed = false;
	c->state = JP_COUNTER_LOST;
}

static void trouble(const struct jp_counter *c, char *out, size_t size)
{
	switch (c->state) {
	case JP_COUNTER_STILL:
		snprintf(out, size, "the package's energy counter does not move (a virtual machine?)");
		return;
	case JP_COUNTER_LONG:
		snprintf(out, size, "the energy counter may wrap within one window: use --interval %.0f or less",
			(double)c->range * c->unit_j / steady_max_w);
		return;
	case JP_COUNTER_LOST:
		snprintf(out, size, "the package's energy counter can no longer be read");
		return;
	case JP_COUNTER_PRIMED:
	case JP_COUNTER_GOOD:
	case JP_COUNTER_GAP:
		return;
	}
}

void jp_counters_trouble(const struct jp_counter *c, size_t n, char *out, size_t size)
{
	out[0] = 0;
	for (size_t i = 0; i < n && !out[0]; i++)
		if (c[i].headline)
			trouble(&c[i], out, size);
}

size_t jp_zones_add(struct jp_zones *zones, const struct jp_zone *zone)
{
	if (zones->n == JP_ZONES_MAX || !zone->name[0])
		return JP_ZONES_MAX;
	for (size_t i = 0; i < zones->n; i++)
		if (strcmp(zones->zone[i].name, zone->name) == 0)
			return JP_ZONES_MAX;
	zones->zone[zones->n] = *zone;
	return zones->n++;
}

bool jp_zones_headline(const struct jp_zones *zones)
{
	for (size_t i = 0; i < zones->n; i++)
		if (zones->zone[i].headline)
			return true;
	return false;
}
