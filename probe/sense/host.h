/** @file host.h
 * /proc/stat as numbers. Pure. */
#ifndef JP_SENSE_HOST_H
#define JP_SENSE_HOST_H

#include <jackprobe/report.h>
#include <jackprobe/status.h>
#include <stdint.h>

/** Columns of the "cpu" line (proc_stat(5)); guest time is part of user and nice already. */
enum jp_cpu_time {
	JP_CPU_USER,
	JP_CPU_NICE,
	JP_CPU_SYSTEM,
	JP_CPU_IDLE,
	JP_CPU_IOWAIT,
	JP_CPU_IRQ,
	JP_CPU_SOFTIRQ,
	JP_CPU_STEAL,
	JP_CPU_TIMES
};

/** What is read of it. */
struct jp_proc_stat {
	uint64_t time[JP_CPU_TIMES]; /**< clock ticks of all CPUs together, since boot */
	uint64_t irqs, switches;     /**< since boot */
};

/** Errors: JP_BAD_DATA - the "cpu", "intr" or "ctxt" line is missing or not whole. */
enum jp_status jp_proc_stat_parse(const char *text, struct jp_proc_stat *out);

/** Shares and rates between two of them, ns apart. What went backwards leaves its numbers NaN; idle and iowait may do so
 * by themselves (proc_stat(5)) and then count as unchanged. */
void jp_proc_stat_rates(
	const struct jp_proc_stat *before, const struct jp_proc_stat *after, int64_t ns, struct jp_host *out);

#endif
