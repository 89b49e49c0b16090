/* The OSC vocabulary as data. */
#include <jackprobe/osc_schema.h>

#define AT(member) offsetof(struct jp_report, member)

const struct jp_osc_value jp_osc_values[] = {
	{"/state", JP_OSC_STATE, AT(state), "running, stale, freewheel or disconnected"},
	{"/period_us", JP_OSC_REAL, AT(period_us), "frames / rate"},
	{"/cycles", JP_OSC_COUNT, AT(window.counts.cycles), "complete cycles of this window"},
	{"/overruns", JP_OSC_COUNT, AT(window.counts.overruns), "of these, cycle end > period"},
	{"/lost", JP_OSC_COUNT, AT(window.counts.lost), "whole periods missing in the frame counter"},
	{"/incomplete", JP_OSC_COUNT, AT(window.counts.incomplete),
		"cycles seen by only one of head and tail, their end not known otherwise"},
	{"/xruns", JP_OSC_COUNT, AT(window.counts.xruns), "the server's notifications"},
	{"/dropped", JP_OSC_COUNT, AT(window.counts.dropped), "records lost between callback and collector"},
	{"/wake_source", JP_OSC_WAKE, AT(wake_source), "where wake comes from: driver, nominal or filtered"},
	{"/end_source", JP_OSC_END, AT(end_source), "where end comes from: server or tail"},
	{"/cycle_end/min_us", JP_OSC_REAL, AT(window.cycle_end.min_us), "end - wake: smallest"},
	{"/cycle_end/mean_us", JP_OSC_REAL, AT(window.cycle_end.mean_us), "end - wake: mean"},
	{"/cycle_end/p50_us", JP_OSC_REAL, AT(window.cycle_end.p50_us), "end - wake: median"},
	{"/cycle_end/p90_us", JP_OSC_REAL, AT(window.cycle_end.p90_us), "end - wake: 90th percentile"},
	{"/cycle_end/p99_us", JP_OSC_REAL, AT(window.cycle_end.p99_us), "end - wake: 99th percentile"},
	{"/cycle_end/p999_us", JP_OSC_REAL, AT(window.cycle_end.p999_us), "end - wake: 99.9th percentile"},
	{"/cycle_end/max_us", JP_OSC_REAL, AT(window.cycle_end.max_us), "end - wake: largest"},
	{"/headroom_min_us", JP_OSC_REAL, AT(window.headroom_min_us), "smallest period - cycle end; negative: overrun"},
	{"/load/p50_pct", JP_OSC_REAL, AT(window.load_p50_pct), "cycle end / period: median"},
	{"/load/max_pct", JP_OSC_REAL, AT(window.load_max_pct), "cycle end / period: largest"},
	{"/dispatch/p50_us", JP_OSC_REAL, AT(window.dispatch.p50_us), "head entry - wake: median"},
	{"/dispatch/p99_us", JP_OSC_REAL, AT(window.dispatch.p99_us), "head entry - wake: 99th percentile"},
	{"/dispatch/max_us", JP_OSC_REAL, AT(window.dispatch.max_us), "head entry - wake: largest"},
	{"/lateness/p50_us", JP_OSC_REAL, AT(window.lateness.p50_us), "wake - nominal wake: median"},
	{"/lateness/p99_us", JP_OSC_REAL, AT(window.lateness.p99_us), "wake - nominal wake: 99th percentile"},
	{"/lateness/max_us", JP_OSC_REAL, AT(window.lateness.max_us), "wake - nominal wake: largest"},
	{"/tail_hop/p50_us", JP_OSC_REAL, AT(window.tail_hop.p50_us), "tail entry - end: median"},
	{"/tail_hop/p99_us", JP_OSC_REAL, AT(window.tail_hop.p99_us), "tail entry - end: 99th percentile"},
	{"/total/cycles", JP_OSC_DECIMAL, AT(total.counts.cycles), "cycles since start"},
	{"/total/overruns", JP_OSC_DECIMAL, AT(total.counts.overruns), "overruns since start"},
	{"/total/lost", JP_OSC_DECIMAL, AT(total.counts.lost), "lost periods since start"},
	{"/total/xruns", JP_OSC_DECIMAL, AT(total.counts.xruns), "the server's notifications since start"},
	{"/power/total_w", JP_OSC_REAL, AT(host.power_w), "sum of the packages"},
	{"/freq/mean_mhz", JP_OSC_REAL, AT(host.freq_mean_mhz), "over the CPUs, of each one's mean: mean"},
	{"/freq/min_mhz", JP_OSC_REAL, AT(host.freq_min_mhz), "over the CPUs, of each one's mean: smallest"},
	{"/freq/max_mhz", JP_OSC_REAL, AT(host.freq_max_mhz), "over the CPUs, of each one's mean: largest"},
	{"/freq/rt_mhz", JP_OSC_REAL, AT(host.rt_freq_mhz), "of the CPUs that head and tail ran on"},
	{"/dma_latency_us", JP_OSC_INTEGER, AT(host.dma_latency_us), "effective /dev/cpu_dma_latency"},
	{"/cpu/user_pct", JP_OSC_REAL, AT(host.cpu_user_pct), "of all CPUs together"},
	{"/cpu/system_pct", JP_OSC_REAL, AT(host.cpu_system_pct), "of all CPUs together"},
	{"/cpu/nice_pct", JP_OSC_REAL, AT(host.cpu_nice_pct), "of all CPUs together"},
	{"/cpu/iowait_pct", JP_OSC_REAL, AT(host.cpu_iowait_pct), "of all CPUs together"},
	{"/cpu/irq_pct", JP_OSC_REAL, AT(host.cpu_irq_pct), "of all CPUs together"},
	{"/cpu/softirq_pct", JP_OSC_REAL, AT(host.cpu_softirq_pct), "of all CPUs together"},
	{"/cpu/irq_per_s", JP_OSC_REAL, AT(host.irq_per_s), "interrupts per second"},
	{"/cpu/ctxt_per_s", JP_OSC_REAL, AT(host.ctxt_per_s), "context switches per second"},
};
const size_t jp_osc_n_values = sizeof jp_osc_values / sizeof *jp_osc_values;

const struct jp_osc_message jp_osc_messages[] = {
	{"/hello", "ssiiis", "name version rate_hz frames schema server",
		"at start, on every change, every 10 s and to a target that has just become reachable"},
	{"/frame", "iiii", "seq unix_s unix_ns interval_ms",
		"first message of every bundle; seq counts from 1 and goes on at 0 after 2147483647"},
	{"/event", "sssff", "kind client detail value_us period_us",
		"at once; kind is the event (overrun); value_us and period_us are -1 where unknown, client and detail "
		"are empty where unknown"},
	{"/client", "sffffi", "name wait_p99 busy_p50 busy_p99 busy_max blamed",
		"server timing only, each window: one message per client, times in us, -1 where unknown; blamed counts "
		"overruns of this window"},
	{"/row/schema", "ss...", "the names of the columns of /row",
		"row profile, after /hello: seq, unix_s, unix_ns, interval_ms, then addresses without the first '/'; "
		"what does "
		"not fit goes into /row/2/schema, /row/3/schema ..."},
	{"/row", "iiif...", "the figures of one window, in the order of /row/schema",
		"row profile, each window: an unknown figure is an empty string (s) in its place; what does not fit "
		"goes into "
		"/row/2, /row/3 ..., which begin with the same four columns"},
	{"/status", "sis", "sensor available reason", "on every change and after /hello; available is 0 or 1"},
};
const size_t jp_osc_n_messages = sizeof jp_osc_messages / sizeof *jp_osc_messages;
