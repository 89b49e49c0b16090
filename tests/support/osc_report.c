/* A report in which every figure has a value of its own. */
#include "osc_report.h"

#include <math.h>
#include <string.h>

#define REAL(address, member)                                                                                          \
	{                                                                                                              \
		address, 'f', offsetof(struct jp_report, member), false                                                \
	}
#define COUNT(address, member)                                                                                         \
	{                                                                                                              \
		address, 'i', offsetof(struct jp_report, window.counts.member), true                                   \
	}
#define TOTAL(address, member)                                                                                         \
	{                                                                                                              \
		address, 's', offsetof(struct jp_report, total.counts.member), true                                    \
	}

const struct osc_expected osc_expected[] = {
	REAL("/period_us", period_us),
	COUNT("/cycles", cycles),
	COUNT("/overruns", overruns),
	COUNT("/lost", lost),
	COUNT("/incomplete", incomplete),
	COUNT("/xruns", xruns),
	COUNT("/dropped", dropped),
	REAL("/cycle_end/min_us", window.cycle_end.min_us),
	REAL("/cycle_end/mean_us", window.cycle_end.mean_us),
	REAL("/cycle_end/p50_us", window.cycle_end.p50_us),
	REAL("/cycle_end/p90_us", window.cycle_end.p90_us),
	REAL("/cycle_end/p99_us", window.cycle_end.p99_us),
	REAL("/cycle_end/p999_us", window.cycle_end.p999_us),
	REAL("/cycle_end/max_us", window.cycle_end.max_us),
	REAL("/headroom_min_us", window.headroom_min_us),
	REAL("/load/p50_pct", window.load_p50_pct),
	REAL("/load/max_pct", window.load_max_pct),
	REAL("/dispatch/p50_us", window.dispatch.p50_us),
	REAL("/dispatch/p99_us", window.dispatch.p99_us),
	REAL("/dispatch/max_us", window.dispatch.max_us),
	REAL("/lateness/p50_us", window.lateness.p50_us),
	REAL("/lateness/p99_us", window.lateness.p99_us),
	REAL("/lateness/max_us", window.lateness.max_us),
	REAL("/tail_hop/p50_us", window.tail_hop.p50_us),
	REAL("/tail_hop/p99_us", window.tail_hop.p99_us),
	TOTAL("/total/cycles", cycles),
	TOTAL("/total/overruns", overruns),
	TOTAL("/total/lost", lost),
	TOTAL("/total/xruns", xruns),
	REAL("/power/total_w", host.power_w),
	REAL("/freq/mean_mhz", host.freq_mean_mhz),
	REAL("/freq/min_mhz", host.freq_min_mhz),
	REAL("/freq/max_mhz", host.freq_max_mhz),
	REAL("/freq/rt_mhz", host.rt_freq_mhz),
	{"/dma_latency_us", 'i', offsetof(struct jp_report, host.dma_latency_us), false},
	REAL("/cpu/user_pct", host.cpu_user_pct),
	REAL("/cpu/system_pct", host.cpu_system_pct),
	REAL("/cpu/nice_pct", host.cpu_nice_pct),
	REAL("/cpu/iowait_pct", host.cpu_iowait_pct),
	REAL("/cpu/irq_pct", host.cpu_irq_pct),
	REAL("/cpu/softirq_pct", host.cpu_softirq_pct),
	REAL("/cpu/irq_per_s", host.irq_per_s),
	REAL("/cpu/ctxt_per_s", host.ctxt_per_s),
};
const size_t osc_n_expected = sizeof osc_expected / sizeof *osc_expected;

void osc_set(struct jp_report *report, const struct osc_expected *figure, double value)
{
	int64_t count = (int64_t)value;
	memcpy((char *)report + figure->offset, figure->is_count ? (void *)&count : (void *)&value, 8);
}

void osc_forget(struct jp_report *report, const struct osc_expected *figure)
{
	osc_set(report, figure, figure->is_count ? -1 : (double)NAN);
}

struct jp_report osc_empty_report(void)
{
	struct jp_report report;
	memset(&report, 0, sizeof report);
	report.seq = 7;
	report.unix_ns = 1700000001 * INT64_C(1000000000) + 23;
	report.interval_ns = 1000400000;
	report.elapsed_s = 3;
	for (size_t i = 0; i < JP_EXTRA_MAX; i++)
		report.host.extra[i] = NAN;
	for (size_t i = 0; i < osc_n_expected; i++)
		osc_forget(&report, &osc_expected[i]);
	return report;
}

struct jp_report osc_full_report(void)
{
	struct jp_report report = osc_empty_report();
	report.wake_source = JP_WAKE_DRIVER;
	report.end_source = JP_END_TAIL;
	for (size_t i = 0; i < osc_n_expected; i++)
		osc_set(&report, &osc_expected[i], 1000.25 + (double)i);
	for (size_t i = 0; i < JP_EXTRA_MAX; i++)
		report.host.extra[i] = 5000.25 + (double)i;
	return report;
}
