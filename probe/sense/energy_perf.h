/** @file energy_perf.h
 * Which counters of perf's power PMU make which zone. */
#ifndef JP_SENSE_ENERGY_PERF_H
#define JP_SENSE_ENERGY_PERF_H

#include "sense/energy.h"
#include "sense/pmu.h"

/** Parallel to the zones. */
struct jp_energy_plan {
	struct {
		struct perf_event_attr attr; /**< type and config */
		int cpu;
		double unit_j;
	} row[JP_ZONES_MAX];
};

/** Read the descriptions below the tree; opens no counter. Errors: JP_MISSING (no such PMU, no package), JP_DENIED, JP_BAD_DATA. */
enum jp_status jp_energy_plan(const struct jp_tree *tree, struct jp_energy_plan *plan, struct jp_zones *zones);

#endif
