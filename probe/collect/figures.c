/* Fills reports and the summary from what the parts know. */
#include "figures.h"

#include "timing/timing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Whatever the last cycle tells about the graph: its own nframes and rate are the truth. */
static void fill_last_cycle(const struct jp_cycle *last, struct jp_report *r)
{
	int64_t period = jp_cycle_period_ns(last);
	r->epoch = last->epoch;
	r->rate_hz = last->rate_hz ? (int64_t)last->rate_hz : -1;
	r->frames = last->nframes;
	r->period_us = period == JP_NS_UNKNOWN ? NAN : (double)period / 1e3;
	r->wake_source = (enum jp_wake_source)last->wake_source;
	r->end_source = (enum jp_end_source)last->end_source;
}

/* Nothing came: the window says nothing of the graph. What was told or lost meanwhile is a fact, if there was any. */
static void leave_empty(struct jp_span *window)
{
	struct jp_counts seen = window->counts;
	if (seen.cycles + seen.incomplete + seen.freewheel > 0)
		return;
	jp_span_unknown(window);
	window->counts.xruns = seen.xruns ? seen.xruns : -1;
	window->counts.dropped = seen.dropped ? seen.dropped : -1;
}

static void fill_ran(const uint64_t calls[2][JP_CPUS_MAX], const struct jp_sense *sense, struct jp_ran ran[2])
{
	for (int role = 0; role < 2; role++) {
		ran[role] = jp_cpu_tally_mostly(calls[role]);
		snprintf(ran[role].type, sizeof ran[role].type, "%s", jp_sense_core_type(sense, ran[role].cpu));
	}
}

void jp_figures_report(const struct jp_intake *in, const struct jp_session_info *info, const struct jp_sense *sense,
	enum jp_state state, struct jp_report *report)
{
	const struct jp_cycle *last = jp_intake_last(in);
	jp_intake_spans(in, &report->window, &report->total);
	fill_ran(jp_intake_cpus(in)->window, sense, report->ran);
	report->state = state;
	report->rate_hz = report->frames = -1;
	report->period_us = NAN;
	report->clients = info->attached ? info->clients : -1;
	report->covered = info->attached ? info->covered : -1;
	snprintf(report->uncovered, sizeof report->uncovered, "%s", info->attached ? info->uncovered : "");
	if (last)
		fill_last_cycle(last, report);
	if (last && jp_intake_timing(in)) /* the very last cycles of a run may not have been waited for */
		report->end_source = JP_END_SERVER;
	if (last && jp_intake_timing(in) && jp_timing_tells_wake(jp_intake_timing(in)))
		report->wake_source = JP_WAKE_DRIVER;
	if (!jp_intake_measured(in))
		jp_span_unknown(&report->total);
	leave_empty(&report->window);
}

void jp_figures_note(struct jp_summary *summary, const char *fmt, ...)
{
	if (summary->n_notes >= JP_NOTES_MAX)
		return;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(summary->note[summary->n_notes++], sizeof summary->note[0], fmt, ap);
	va_end(ap);
}

static void note_sensors(const struct jp_sense *sense, struct jp_summary *summary)
{
	struct jp_sensor_status st;
	for (size_t i = 0; jp_sense_status(sense, i, &st); i++)
		if (!st.available)
			jp_figures_note(summary, "%s: %s", st.sensor, st.reason);
}

static void note_timing(const struct jp_report *r, const struct jp_session_info *info, struct jp_summary *summary)
{
	if (r->wake_source == JP_WAKE_NOMINAL)
		jp_figures_note(summary,
			"wake: PipeWire tells the timer's date, not when the driver really woke; cycle ends "
			"include the wake-up latency of the driver");
	if (info->timing_why[0])
		jp_figures_note(summary, "per-client times: %s", info->timing_why);
	if (info->trouble[0])
		jp_figures_note(summary, "session: %s", info->trouble);
	if (r->clients > r->covered && r->covered >= 0 && r->end_source != JP_END_SERVER)
		jp_figures_note(summary,
			"coverage: the cycle end does not include %s: no output that a cable could follow",
			r->uncovered);
	if (r->total.counts.xruns > 0 && isnan(r->total.xrun_delay_max_us))
		jp_figures_note(summary, "xrun delay: the server told none that can be believed (it repeats old ones "
					 "when a client is late)");
}

void jp_figures_note_missing(struct jp_summary *summary, const struct jp_ends_missing *missing)
{
	if (missing->looks)
		jp_figures_note(summary,
			"per-client times: %llu looks at the server's record were left out because the probe came too "
			"late to take them; of %llu executions the beginning or the end is not known",
			(unsigned long long)missing->looks, (unsigned long long)missing->executions);
}

void jp_figures_note_endless(struct jp_summary *summary, uint64_t n, const char *server, bool tail)
{
	const char *why = tail ? "a client that the tail does not wait for ran again, or left, before anybody looked"
			       : "a client ran again, or left, before anybody looked";
	if (!strncmp(server, "PipeWire", 8))
		why = "PipeWire ran a client or the tail once for two cycles, or did not report one";
	if (n == 1)
		jp_figures_note(summary,
			"cycle end: of 1 cycle the end is not known (%s): it is in no distribution, nor is it counted "
			"if it was an overrun",
			why);
	else if (n)
		jp_figures_note(summary,
			"cycle end: of %" PRIu64 " cycles the end is not known (%s): they are in no distribution, nor "
			"are overruns among them counted",
			n, why);
}

/* The start costs more than the run at first: a share of so short a time says nothing. */
#define SHORT_S 0.5

static double process_cpu_pct(double elapsed_s)
{
	struct timespec ts;
	if (elapsed_s < SHORT_S || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts))
		return NAN;
	return 100 * ((double)ts.tv_sec + (double)ts.tv_nsec * 1e-9) / elapsed_s;
}

void jp_figures_summary(const struct jp_intake *in, const struct jp_session_info *info, const struct jp_sense *sense,
	double elapsed_s, struct jp_summary *summary)
{
	jp_dist_of(jp_intake_cost(in, JP_HEAD), &summary->head_cost);
	jp_dist_of(jp_intake_cost(in, JP_TAIL), &summary->tail_cost);
	fill_ran(jp_intake_cpus(in)->run, sense, summary->ran);
	summary->cpu_pct = process_cpu_pct(elapsed_s);
	note_timing(&summary->last, info, summary);
	struct jp_ends_missing missing = jp_intake_missing(in);
	jp_figures_note_missing(summary, &missing);
	note_sensors(sense, summary);
	unsigned long long resyncs = jp_intake_resyncs(in);
	if (resyncs)
		jp_figures_note(summary,
			"pairing: %llu time%s calls of head and tail did not add up (wake-ups of a stalled client "
			"melt into one): cycles there may be incomplete",
			resyncs, resyncs == 1 ? "" : "s");
	jp_figures_note_endless(summary, jp_intake_endless(in), info->server, summary->last.covered >= 0);
}
