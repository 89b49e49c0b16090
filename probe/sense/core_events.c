/* Naming cycles and reference cycles of each core PMU. */
#include "sense/core_events.h"

#include "sense/pmu.h"

#include <dlfcn.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
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

/* What is used of libpfm. */
struct jp_core_events {
	void *handle;
	pfm_err_t (*initialize)(void);
	void (*terminate)(void);
	pfm_err_t (*encode)(const char *name, int levels, pfm_os_t os, void *args);
	pfm_err_t (*pmu_info)(pfm_pmu_t pmu, pfm_pmu_info_t *out);
};

static bool find(void *handle, const char *name, void *out)
{
	void *symbol = dlsym(handle, name);
	memcpy(out, &symbol, sizeof symbol);
	return symbol;
}

static bool load(struct jp_core_events *p)
{
	p->handle = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);
	return p->handle && find(p->handle, "pfm_initialize", &p->initialize) &&
	       find(p->handle, "pfm_terminate", &p->terminate) &&
	       find(p->handle, "pfm_get_os_event_encoding", &p->encode) &&
	       find(p->handle, "pfm_get_pmu_info", &p->pmu_info) && p->initialize() == PFM_SUCCESS;
}

struct jp_core_events *jp_core_events_begin(void)
{
	struct jp_core_events *p = calloc(1, sizeof *p);
	if (!p || load(p))
		return p;
	if (p->handle)
		dlclose(p->handle);
	free(p);
	return NULL;
}

void jp_core_events_end(struct jp_core_events *p)
{
	if (!p)
		return;
	p->terminate();
	dlclose(p->handle);
	free(p);
}

/* libpfm's PMU is ours when the event it encodes has our type. */
static bool pfm_encode(const struct jp_core_events *p, const char *name, uint32_t type, struct perf_event_attr *attr)
{
	struct perf_event_attr found = {.size = sizeof found};
	pfm_perf_encode_arg_t arg = {.attr = &found, .size = sizeof arg};
	if (p->encode(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg) != PFM_SUCCESS || found.type != type)
		return false;
	attr->type = found.type;
	attr->config = found.config;
	return true;
}

static bool by_pfm(
	const struct jp_core_events *p, enum jp_core_event event, uint32_t type, struct perf_event_attr *attr)
{
	for (int i = 0; p && i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = {.size = sizeof info};
		if (p->pmu_info((pfm_pmu_t)i, &info) != PFM_SUCCESS || !info.is_present ||
			info.type != PFM_PMU_TYPE_CORE)
			continue;
		for (int k = 0; k < NAMES && events[event].pfm[k]; k++) {
			char name[96];
			snprintf(name, sizeof name, "%s::%s", info.name, events[event].pfm[k]);
			if (pfm_encode(p, name, type, attr))
				return true;
		}
	}
	return false;
}

bool jp_core_event(const struct jp_core_events *pfm, const struct jp_tree *tree, const char *pmu,
	enum jp_core_event event, struct perf_event_attr *attr)
{
	uint32_t type;
	if (jp_pmu_type(tree, pmu, &type) != JP_OK)
		return false;
	if (by_pfm(pfm, event, type, attr) || jp_pmu_event(tree, pmu, events[event].sysfs, attr) == JP_OK)
		return true;
	attr->type = PERF_TYPE_HARDWARE;
	attr->config = events[event].generic;
	if (type != PERF_TYPE_RAW)
		attr->config |= (uint64_t)type << PERF_PMU_TYPE_SHIFT;
	return true;
}
