/** @file core_events.h
 * Cycles and reference cycles as events of a core PMU. A hybrid machine has one PMU for each kind of CPU, and an event of
 * one counts nothing on the other's CPUs. */
#ifndef JP_SENSE_CORE_EVENTS_H
#define JP_SENSE_CORE_EVENTS_H

#include "sys/tree.h"

#include <linux/perf_event.h>
#include <stdbool.h>

enum jp_core_event { JP_CORE_CYCLES, JP_CORE_REF_CYCLES };

enum { JP_CORE_PMUS = 3 };
/** "cpu", "cpu_core", "cpu_atom": those of a machine that are there. */
extern const char *const jp_core_pmus[JP_CORE_PMUS];

struct jp_core_events; /**< opaque: libpfm, loaded */

/** Around a series of jp_core_event: loads libpfm, whose tables take a megabyte, and lets go of it.
 * @return NULL when it cannot be loaded or knows no PMU: the sysfs serves. */
struct jp_core_events *jp_core_events_begin(void);
void jp_core_events_end(struct jp_core_events *pfm);

/** Fill type and config in: as libpfm names the event, else as sysfs describes it, else by the kernel's generic number
 * for this PMU. @return false: there is no such PMU. */
bool jp_core_event(const struct jp_core_events *pfm, const struct jp_tree *tree, const char *pmu,
	enum jp_core_event event, struct perf_event_attr *attr);

#endif
