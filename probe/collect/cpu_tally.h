/** @file cpu_tally.h
 * On which CPUs head and tail ran, in the current window and since start. Pure. */
#ifndef JP_CPU_TALLY_H
#define JP_CPU_TALLY_H

#include <jackprobe/record.h>
#include <jackprobe/report.h>
#include <jackprobe/sense.h>

enum { JP_CPUS_MAX = 1024 };

/** Calls by role, by CPU number. All zero = none yet. */
struct jp_cpu_tally {
	uint32_t both[JP_CPUS_MAX]; /**< of the window, of both roles */
	uint64_t window[2][JP_CPUS_MAX];
	uint64_t run[2][JP_CPUS_MAX];
};

/** Count a call. @param cpu -1 = unknown: not counted. */
void jp_cpu_tally_add(struct jp_cpu_tally *t, enum jp_role role, int cpu);
void jp_cpu_tally_next_window(struct jp_cpu_tally *t);
/** Of both roles in the window. Borrowed. */
struct jp_cpu_calls jp_cpu_tally_both(const struct jp_cpu_tally *t);

/** The CPU with the most of these calls and its share of them; the type is left out. */
struct jp_ran jp_cpu_tally_mostly(const uint64_t calls[JP_CPUS_MAX]);

#endif
