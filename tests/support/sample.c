#include "sample.h"

#include <math.h>
#include <string.h>

const struct jp_extra_column jp_sample_columns[JP_SAMPLE_COLUMNS] = {
	{"power_package_0_w", "/power/package_0_w"},
	{"idle_C6_pct", "/idle/C6_pct"},
	{"temp_package_0_c", "/temp/package_0_c"},
};

static struct jp_dist dist(double first)
{
	return (struct jp_dist){
		375, first, first + 0.101, first + 0.202, first + 0.303, first + 0.404, first + 0.505, first + 0.606};
}

static const struct jp_dist unknown_dist = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static struct jp_span span(double first, int64_t cycles)
{
	return (struct jp_span){
		.counts = {cycles, 2, 1, 3, 4, 5, 6},
		.xrun_delay_max_us = 1234.5,
		.cycle_end = dist(first),
		.dispatch = dist(20),
		.lateness = dist(-31.5),
		.tail_hop = dist(7.062),
		.headroom_min_us = -12.25,
		.load_p50_pct = 43.214,
		.load_max_pct = 130.5,
		.worst = {first + 0.606, 2666.667, 1767225599123456789, 4294967424},
	};
}

void jp_sample_report(struct jp_report *report)
{
	*report = (struct jp_report){
		.unix_ns = 1767225600123456789, /* 2026-01-01T00:00:00.123Z */
		.interval_ns = 1000000123,
		.elapsed_s = 12.0004,
		.seq = 12,
		.epoch = 2,
		.state = JP_STATE_RUNNING,
		.rate_hz = 48000,
		.frames = 128,
		.period_us = 8000.0 / 3,
		.wake_source = JP_WAKE_DRIVER,
		.end_source = JP_END_SERVER,
		.window = span(1152, 375),
		.total = span(1100, 4500),
		.clients = 8,
		.covered = 7,
		.uncovered = "meter",
		.worst_client = JP_SAMPLE_NAME,
		.culprit = JP_SAMPLE_NAME,
		.host = {.dma_latency_us = 20,
			.cpu_user_pct = 31.25,
			.cpu_system_pct = 4.5,
			.cpu_nice_pct = 0,
			.cpu_iowait_pct = 0.126,
			.cpu_irq_pct = 1,
			.cpu_softirq_pct = 2,
			.irq_per_s = 1500.26,
			.ctxt_per_s = 9000,
			.freq_mean_mhz = 2400.04,
			.freq_min_mhz = 800,
			.freq_max_mhz = 4700.96,
			.rt_freq_mhz = 4500,
			.rt_pcore_pct = 99.5,
			.power_w = 28.1234,
			.extra = {28.1234, 55.554, 61.26}},
		.ran = {{3, "P", 98.4}, {11, "E", 71.5}},
		.columns = jp_sample_columns,
		.n_columns = JP_SAMPLE_COLUMNS,
	};
}

static void forget(struct jp_span *s)
{
	*s = (struct jp_span){
		.counts = {-1, -1, -1, -1, -1, -1, -1},
		.xrun_delay_max_us = NAN,
		.cycle_end = unknown_dist,
		.dispatch = unknown_dist,
		.lateness = unknown_dist,
		.tail_hop = unknown_dist,
		.headroom_min_us = NAN,
		.load_p50_pct = NAN,
		.load_max_pct = NAN,
		.worst = {NAN, NAN, -1, 0},
	};
}

void jp_sample_stale(struct jp_report *report)
{
	jp_sample_report(report);
	report->seq = 13;
	report->epoch = 0;
	report->state = JP_STATE_STALE;
	report->rate_hz = report->frames = report->clients = report->covered = -1;
	report->period_us = NAN;
	report->wake_source = JP_WAKE_UNKNOWN;
	report->end_source = JP_END_UNKNOWN;
	forget(&report->window);
	forget(&report->total);
	report->ran[0] = report->ran[1] = (struct jp_ran){-1, "", NAN};
	report->worst_client[0] = report->uncovered[0] = 0;
	double *host = (double *)&report->host;
	for (size_t i = 0; i < sizeof report->host / sizeof *host; i++)
		host[i] = NAN;
}

void jp_sample_event(struct jp_event *event)
{
	*event = (struct jp_event){
		.event = JP_EVENT_OVERRUN,
		.client = JP_SAMPLE_NAME "\n\t\x01 \xc3\xa9 \xff\xc3",
		.kind = "busy",
		.value_us = 2700.0404,
		.period_us = 8000.0 / 3,
		.frame = 4294967424,
		.unix_ns = 1767225599999999999,
		.mono_ns = 86400000000001,
		.suppressed = 17,
		.detail = "it ran 33 us past the deadline \\ twice",
	};
}

void jp_sample_bare_event(struct jp_event *event)
{
	*event = (struct jp_event){.event = JP_EVENT_SINK_ERROR,
		.value_us = NAN,
		.period_us = NAN,
		.frame = -1,
		.unix_ns = 999999,
		.mono_ns = 1};
}

void jp_sample_summary(struct jp_summary *summary)
{
	*summary = (struct jp_summary){
		.head_cost = dist(0.2),
		.tail_cost = unknown_dist,
		.ran = {{7, "P", 99.6}, {-1, "", NAN}},
		.cpu_pct = 0.347,
		.power_mean_w = NAN,
		.osc_sent = 120,
		.osc_dropped = 3,
		.sink_errors = 1,
		.threshold = "overruns 2 > --max-overruns 0",
		.note = {"power is unknown: energy_uj is readable by root only", "no \"idle\" states"},
		.n_notes = 2,
	};
	jp_sample_report(&summary->last);
}

void jp_sample_clients(struct jp_client_row rows[JP_SAMPLE_CLIENTS])
{
	static const struct jp_client_figures figures[JP_SAMPLE_CLIENTS] = {
		{"synth", 375, 12.5, 48.0, 400.0, 3100.25, 3101.0, 9, 9, {JP_BLAME_BUSY, 5, 3101000, 400000, 2701000}},
		{JP_SAMPLE_NAME, 375, 13.5, 1250.0, 81.0, 95.0, 102.0, 2, 2,
			{JP_BLAME_WOKE_LATE, 6, 1250000, 13500, 1236500}},
		{"d\u00e9j\u00e0-vu-with-a-name-that-goes-on-and-on-and-on-until-no-table-has-room-for-it", 375, 1.0,
			2.0, 3.0, 4.0, 5.0, 1, 0, {JP_BLAME_UNKNOWN, 0, 0, 0, 0}},
		{"#7", 1, NAN, NAN, NAN, NAN, NAN, 0, 0, {JP_BLAME_UNKNOWN, 0, 0, 0, 0}},
	};
	struct jp_report report;
	jp_sample_report(&report);
	for (size_t i = 0; i < JP_SAMPLE_CLIENTS; i++)
		rows[i] = (struct jp_client_row){.unix_ns = report.unix_ns,
			.seq = report.seq,
			.period_us = report.period_us,
			.figures = figures[i]};
}

void jp_sample_meta(struct jp_meta *meta)
{
	memset(meta, 0, sizeof *meta);
	jp_meta_put(meta, "server", "jackd2 1.9.21");
	jp_meta_put(meta, "version", "0.1.0");
	jp_meta_put(meta, "cpu", "Some \"CPU\" @ 2.0 GHz");
}
