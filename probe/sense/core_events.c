/* Naming cycles and reference cycles of each core PMU. */
#include "sense/core_events.h"

#include "sense/pmu.h"

#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <string.h>

const char *const jp_core_pmus[JP_CORE_PMUS] = {"cpu", "cpu_core", "cpu_atom"};

enum { NAMES = 3 };
static const struct {
	const char *pfm[NAMES]; /* names in libpfm's tables */
	const char *sysfs;
	uint64_t generic;
} events[] = {
	[JP_CORE_CYCLES] = {{"UNHALTED_CORE_CYCLES", "CYCLES_NOT_IN_HALT", "CPU_CYCLES"}, "cpu-cycles",
		PERF_COUNT_HW_CPU_CYCLES},
	[JP_CORE_REF_CYCLES] = {{"UNHALTED_REFERENCE_CYCLES", NULL, NULL}, "ref-cycles", PERF_COUNT_HW_REF_CPU_CYCLES},
};

void jp_core_events_begin(void)
{
	pfm_initialize(); /* when it fails it knows no PMU */
}

void jp_core_events_end(void)
{
	pfm_terminate();
}

/* libpfm's PMU is ours when the event it encodes has our type. */
static bool pfm_encode(const char *name, uint32_t type, struct perf_event_attr *attr)
{
	struct perf_event_attr found = {.size = sizeof found};
	pfm_perf_encode_arg_t arg = {.attr = &found, .size = sizeof arg};
	if (pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg) != PFM_SUCCESS ||
		found.type != type)
		return false;
	attr->type = found.type;
	attr->config = found.config;
	return true;
}

static bool by_pfm(enum jp_core_event event, uint32_t type, struct perf_event_attr *attr)
{
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = {.size = sizeof info};
		if (pfm_get_pmu_info((pfm_pmu_t)i, &info) != PFM_SUCCESS || !info.is_present ||
			info.type != PFM_PMU_TYPE_CORE)
			continue;
		for (int k = 0; k < NAMES && events[event].pfm[k]; k++) {
			char name[96];
			snprintf(name, sizeof name, "%s::%s", info.name, events[event].pfm[k]);
			if (pfm_encode(name, type, attr))
				return true;
		}
	}
	return false;
}

bool jp_core_event(const struct jp_tree *tree, const char *pmu, enum jp_core_event event, struct perf_event_attr *attr)
{
	uint32_t type;
	if (jp_pmu_type(tree, pmu, &type) != JP_OK)
		return false;
	if (by_pfm(event, type, attr) || jp_pmu_event(tree, pmu, events[event].sysfs, attr) == JP_OK)
		return true;
	attr->type = PERF_TYPE_HARDWARE;
	attr->config = events[event].generic;
	if (type != PERF_TYPE_RAW)
		attr->config |= (uint64_t)type << PERF_PMU_TYPE_SHIFT;
	return true;
}
