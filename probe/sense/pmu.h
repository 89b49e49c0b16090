/** @file pmu.h
 * perf's event sources: their descriptions in /sys/bus/event_source/devices, and opening counters by them. */
#ifndef JP_SENSE_PMU_H
#define JP_SENSE_PMU_H

#include "sys/tree.h"

#include <jackprobe/status.h>
#include <linux/perf_event.h>
#include <stdint.h>

enum { JP_PMU_GROUP_MAX = 4 };

/** Type number of a PMU ("power", "msr", "cpu_core"). Errors: JP_MISSING, ... as jp_tree_u64. */
enum jp_status jp_pmu_type(const struct jp_tree *tree, const char *pmu, uint32_t *out);
/** Fill type and config in from an event's description below events/ and format/. Errors: JP_MISSING (no such event),
 * JP_BAD_DATA (terms that are not understood). */
enum jp_status jp_pmu_event(
	const struct jp_tree *tree, const char *pmu, const char *event, struct perf_event_attr *attr);
/** The factor in events/EVENT.scale; its unit must be the given word. */
enum jp_status jp_pmu_scale(
	const struct jp_tree *tree, const char *pmu, const char *event, const char *unit, double *out);

/** Put value into the bits of `format` ("config:0-7", "config:0-7,32-35") of *config. Pure. Errors: JP_BAD_DATA (another
 * word than config, a value that does not fit, anything else). */
enum jp_status jp_pmu_place(const char *format, uint64_t value, uint64_t *config);

/** Open a counter of all threads on one CPU. @param leader descriptor of its group's leader, -1: it is the leader.
 * @return descriptor, or -1 with errno. */
int jp_pmu_open(const struct perf_event_attr *attr, int cpu, int leader);
/** Values of a group, leader first. @return false: fewer than n, or it has not counted all the time. */
bool jp_pmu_read(int leader, uint64_t *values, size_t n);
/** The sentence for counters that cannot be opened (errno). @param what "RAPL counters of perf". */
enum jp_status jp_pmu_why(const struct jp_tree *tree, int err, const char *what, struct jp_why *why);

#endif
