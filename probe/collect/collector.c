/* The collector's thread: polls, closes windows, tells sinks and OSC. */
#include "collector.h"

#include "collect/batches.h"
#include "collect/client_rows.h"
#include "collect/edge.h"
#include "collect/figures.h"
#include "collect/follow.h"
#include "collect/host_samples.h"
#include "collect/intake.h"
#include "collect/overrun.h"
#include "collect/state.h"
#include "collect/suspend.h"
#include "collect/teller.h"
#include "collect/threshold.h"
#include "sys/clock.h"
#include "sys/episode.h"
#include "sys/thread.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Overruns closer together than this are one episode: one run of the --on-overrun command. */
#define EPISODE_QUIET_NS 1000000000LL
#define POLL_NS 50000000LL
#define DUE_POLL_NS 10000000LL /* while a window waits for what is to be told of its cycles */
/* At the end, for what the server has not told yet. */
#define END_WAIT_NS 200000000LL
#define END_NAP_NS 10000000LL
/* For what the sinks have not written yet. With the waits of whoever stops us the end comes within a second. */
#define FLUSH_MS 100

struct jp_collector {
	struct jp_collector_config config;
	struct jp_intake *intake;
	struct jp_culprit *culprit;
	struct jp_client_rows rows;
	struct jp_state_track state;
	struct jp_teller teller;
	struct jp_follow follow;
	struct jp_episode episode;
	struct jp_session_info info;
	struct jp_host_samples host;
	struct jp_edge edge;
	struct jp_host due_host; /* of the window that is due, at its edge */
	struct jp_suspend suspend;
	int64_t start_ns, window_start_ns;
	uint32_t seq;
	struct jp_threshold threshold;
	char sink_error[192]; /* the last one told; "" = none */
	bool overran;         /* since the last look at the threshold */
	struct jp_batches batches;
	const struct jp_extra_column *columns;
	size_t n_columns;

	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop; /* under lock */
};

static int64_t mono(void)
{
	return jp_clock_now(CLOCK_MONOTONIC);
}

static void fire_trigger(struct jp_collector *c, const struct jp_event *overrun)
{
	struct jp_span window, total;
	if (!c->config.trigger || !jp_episode_overrun(&c->episode, overrun->mono_ns))
		return;
	jp_intake_spans(c->intake, &window, &total);
	jp_trigger_fire(c->config.trigger, overrun, total.counts.overruns);
}

/* --- windows ------------------------------------------------------------------------------------------------------ */

static void fill_report(struct jp_collector *c, int64_t at_ns, struct jp_report *r)
{
	memset(r, 0, sizeof *r);
	jp_figures_report(c->intake, &c->info, c->config.sense, c->state.state, r);
	r->unix_ns = jp_clock_now(CLOCK_REALTIME) - (mono() - at_ns);
	if (isfinite(r->total.worst.end_us))
		snprintf(r->culprit, sizeof r->culprit, "%s", jp_culprit_of(c->culprit, r->total.worst.frame));
	r->interval_ns = at_ns - c->window_start_ns;
	r->elapsed_s = (double)(at_ns - c->start_ns) * 1e-9;
	r->seq = ++c->seq;
	r->columns = c->columns;
	r->n_columns = c->n_columns;
}

static void sample_host(struct jp_collector *c, int64_t at_ns, struct jp_host *out)
{
	struct jp_cpu_calls calls = jp_cpu_tally_both(jp_intake_cpus(c->intake));
	jp_host_samples_take(&c->host, at_ns, &calls, out);
}

static void close_window(struct jp_collector *c, int64_t at_ns, const struct jp_host *host, struct jp_report *r)
{
	fill_report(c, at_ns, r);
	r->host = *host;
	jp_batches_flush(&c->batches);
	jp_client_rows_close(&c->rows, c->culprit, r);
	jp_sinks_window(c->config.sinks, r);
	if (c->config.osc)
		jp_osc_window(c->config.osc, r);
	jp_client_rows_tell(&c->rows, c->config.sinks, c->config.osc);
	jp_intake_next_window(c->intake);
	c->window_start_ns = at_ns;
	jp_threshold_check(&c->threshold, &r->total, false);
	jp_edge_closed(&c->edge);
}

/* Not at an edge. */
static void close_now(struct jp_collector *c, struct jp_report *r)
{
	struct jp_host host;
	int64_t now = mono();
	sample_host(c, now, &host);
	close_window(c, now, &host, r);
}

static void close_due(struct jp_collector *c)
{
	struct jp_report r;
	close_window(c, c->edge.due_ns, &c->due_host, &r);
}

/* --- what the intake tells ---------------------------------------------------------------------------------------- */

static void on_epoch(void *arg, const struct jp_cycle *first, const struct jp_cycle *last)
{
	struct jp_collector *c = arg;
	bool to = first->flags & JP_CYCLE_FREEWHEEL, from = last->flags & JP_CYCLE_FREEWHEEL;
	struct jp_report r;
	close_now(c, &r);
	jp_culprit_new_epoch(c->culprit);
	struct jp_event e = jp_event_at(JP_EVENT_EPOCH, first, NAN, -1);
	jp_event_detail(&e, "number %u: %u frames at %u Hz (before: %u at %u)", first->epoch, first->nframes,
		first->rate_hz, last->nframes, last->rate_hz);
	if (to != from) {
		struct jp_event f = jp_event_at(JP_EVENT_FREEWHEEL, first, NAN, -1);
		snprintf(f.kind, sizeof f.kind, "%s", to ? "start" : "end");
		jp_event_detail(&f, "the server %s freewheeling", to ? "started" : "stopped");
		jp_tell(&c->teller, &f);
		jp_event_detail(&e, "number %u: freewheel %s", first->epoch, f.kind);
	}
	jp_tell(&c->teller, &e);
	if (c->config.osc)
		jp_osc_hello(c->config.osc, first->rate_hz, first->nframes, c->info.server);
}

static void on_timing_off(void *arg, const char *why)
{
	struct jp_collector *c = arg;
	jp_follow_timing_off(&c->follow, why);
}

static void tell_stuck(struct jp_collector *c, const struct jp_cycle *cycle, int64_t unix_ns)
{
	struct jp_stuck_news news;
	while (jp_culprit_stuck(c->culprit, cycle, &news)) {
		struct jp_event e = jp_stuck_event(cycle, &news, unix_ns);
		jp_tell(&c->teller, &e);
	}
}

static void on_cycle(void *arg, const struct jp_cycle *cycle, const struct jp_exec_cycle *execs, int64_t unix_ns)
{
	struct jp_collector *c = arg;
	struct jp_verdict verdict;
	bool judged = execs && jp_culprit_cycle(c->culprit, jp_intake_timing(c->intake), cycle, execs, &verdict);
	jp_batches_cycle(&c->batches, cycle);
	if (execs)
		jp_batches_executions(&c->batches, jp_intake_timing(c->intake), cycle, execs);
	if (execs)
		tell_stuck(c, cycle, unix_ns);
	double period_us = (double)jp_cycle_period_ns(cycle) / 1e3;
	if (cycle->lost) {
		struct jp_event e = jp_event_at(JP_EVENT_LOST, cycle, cycle->lost * period_us, unix_ns);
		jp_event_detail(
			&e, "%u whole period%s missing before this cycle", cycle->lost, cycle->lost == 1 ? "" : "s");
		jp_tell(&c->teller, &e);
	}
	if (jp_cycle_overran(cycle)) {
		bool timing = jp_intake_timing(c->intake);
		if (timing && !judged)
			jp_culprit_unseen(c->culprit, &verdict);
		struct jp_event e = jp_overrun_event(cycle, timing ? &verdict : NULL, unix_ns);
		jp_tell(&c->teller, &e);
		fire_trigger(c, &e);
		c->overran = true;
	}
}

static void on_xrun(void *arg, double delay_us, int64_t unix_ns)
{
	struct jp_collector *c = arg;
	struct jp_event e = jp_event_now(JP_EVENT_XRUN);
	e.value_us = delay_us;
	if (unix_ns >= 0)
		e.unix_ns = unix_ns;
	jp_tell(&c->teller, &e);
}

/* --- one poll ----------------------------------------------------------------------------------------------------- */

static void follow_suspend(struct jp_collector *c)
{
	int64_t slept = jp_suspend_slept(&c->suspend, jp_clock_now(CLOCK_BOOTTIME), mono());
	if (slept) {
		struct jp_event e = jp_event_now(JP_EVENT_SUSPEND);
		e.value_us = (double)slept / 1e3;
		jp_event_detail(
			&e, "the machine slept for %.1f s; the cycle around it is left out", (double)slept * 1e-9);
		jp_intake_suspend(c->intake);
		jp_tell(&c->teller, &e);
	}
}

static void follow_sinks(struct jp_collector *c)
{
	struct jp_why why;
	enum jp_status status = JP_IO;
	while (jp_sinks_news(c->config.sinks, &status, &why) || (c->config.osc && jp_osc_news(c->config.osc, &why))) {
		struct jp_event e = jp_event_now(JP_EVENT_SINK_ERROR);
		jp_event_detail(&e, "%.190s", why.text);
		if (status != JP_OK)
			snprintf(c->sink_error, sizeof c->sink_error, "%.190s", why.text);
		jp_tell(&c->teller, &e);
	}
}

static void check_overruns(struct jp_collector *c)
{
	struct jp_span window, total;
	if (!c->overran || c->threshold.max_overruns < 0)
		return;
	c->overran = false;
	jp_intake_spans(c->intake, &window, &total);
	jp_threshold_check(&c->threshold, &total, false);
}

static void poll_once(struct jp_collector *c)
{
	jp_session_poll(c->config.session, &c->info);
	follow_suspend(c);
	jp_follow_timing(&c->follow, &c->info);
	jp_intake_limit(c->intake, jp_edge_limit(&c->edge));
	size_t taken = jp_intake_poll(c->intake, c->info.attachment, c->info.settled, c->info.timing);
	int64_t now = mono();
	if (jp_state_update(&c->state, now, c->info.attached, taken > 0, jp_intake_freewheeling(c->intake)) &&
		c->state.state == JP_STATE_STALE) {
		struct jp_event e = jp_event_now(JP_EVENT_STALE);
		e.value_us = (double)jp_state_silence_ns(&c->state, now) / 1e3;
		jp_event_detail(&e, "no cycle for %.1f s", (double)jp_state_silence_ns(&c->state, now) * 1e-9);
		jp_tell(&c->teller, &e);
	}
	jp_follow_session(&c->follow, &c->info);
	check_overruns(c);
	jp_batches_flush(&c->batches);
	follow_sinks(c);
}

/* --- thread ------------------------------------------------------------------------------------------------------- */

/* Sleep until at_ns or until told to stop. */
static bool wait_until(struct jp_collector *c, int64_t at_ns)
{
	struct timespec ts = {.tv_sec = at_ns / 1000000000, .tv_nsec = at_ns % 1000000000};
	pthread_mutex_lock(&c->lock);
	int rc = 0;
	while (!c->stop && rc == 0)
		rc = pthread_cond_timedwait(&c->wake, &c->lock, &ts);
	bool stop = c->stop;
	pthread_mutex_unlock(&c->lock);
	return !stop;
}

static void tell_status(struct jp_collector *c)
{
	struct jp_sensor_status st;
	for (size_t i = 0; c->config.osc && jp_sense_status(c->config.sense, i, &st); i++)
		jp_osc_status(c->config.osc, st.sensor, st.available, st.reason);
}

static void begin(struct jp_collector *c)
{
	int64_t now = mono();
	c->start_ns = c->window_start_ns = now;
	jp_edge_init(&c->edge, now, (int64_t)(c->config.options->interval_s * 1e9));
	jp_suspend_init(&c->suspend, jp_clock_now(CLOCK_BOOTTIME), now);
	jp_state_init(&c->state, now);
	jp_host_samples_begin(&c->host, c->config.sense, now);
	jp_sinks_begin(c->config.sinks, &c->config.meta);
	tell_status(c);
}

static void note_command(const struct jp_collector *c, struct jp_summary *summary)
{
	struct jp_trigger_counts counts;
	char text[sizeof summary->note[0]];
	jp_trigger_counts(c->config.trigger, &counts);
	jp_trigger_failure_text(&counts, text, sizeof text);
	if (*text)
		jp_figures_note(summary, "%s", text);
}

static void finish(struct jp_collector *c)
{
	struct jp_summary s;
	memset(&s, 0, sizeof s);
	poll_once(c);
	if (c->edge.due_ns != JP_NS_UNKNOWN)
		close_due(c);
	jp_intake_limit(c->intake, JP_NS_UNKNOWN);
	int64_t now = mono(), latest = now + END_WAIT_NS;
	while (jp_intake_waits(c->intake) && mono() < latest)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = END_NAP_NS}, NULL);
	jp_intake_flush(c->intake);
	now = mono();
	close_now(c, &s.last);
	jp_threshold_check(&c->threshold, &s.last.total, true);
	memcpy(c->info.timing_why, c->follow.timing_why, sizeof c->info.timing_why); /* also when it went off later */
	jp_figures_summary(c->intake, &c->info, c->config.sense, (double)(now - c->start_ns) * 1e-9, &s);
	jp_client_rows_sum(c->culprit, &s);
	s.power_mean_w = jp_host_samples_power(&c->host);
	if (c->config.options->executions && c->config.options->timing == JP_TIMING_API)
		jp_figures_note(&s, "executions: --timing api leaves the server's record alone; %.100s has no rows",
			c->config.options->executions);
	memcpy(s.threshold, c->threshold.text, sizeof s.threshold);
	jp_sinks_flush(c->config.sinks, FLUSH_MS);
	s.sink_errors = jp_sinks_errors(c->config.sinks);
	follow_sinks(c);
	jp_tell_held(&c->teller);
	if (c->config.osc)
		jp_osc_counts(c->config.osc, &s.osc_sent, &s.osc_dropped);
	memcpy(s.sink_error, c->sink_error, sizeof s.sink_error);
	note_command(c, &s);
	jp_sinks_summary(c->config.sinks, &s);
}

/* The last window ends with the run: no sliver of a window behind it. */
static bool is_last_sliver(const struct jp_collector *c, int64_t now)
{
	double duration_s = c->config.options->duration_s;
	return !isnan(duration_s) && c->start_ns + (int64_t)(duration_s * 1e9) - now < c->edge.interval_ns / 10;
}

/* Nothing is waited for where no cycles come. */
static void follow_edge(struct jp_collector *c)
{
	int64_t now = mono();
	if (jp_edge_reach(&c->edge, now)) {
		if (is_last_sliver(c, now))
			jp_edge_closed(&c->edge);
		else
			sample_host(c, c->edge.due_ns, &c->due_host);
	}
	if (jp_edge_ripe(&c->edge, now, !c->info.attached || jp_intake_reached(c->intake)))
		close_due(c);
}

static void *run(void *arg)
{
	struct jp_collector *c = arg;
	begin(c);
	int64_t next_poll = c->start_ns;
	bool told = false;
	while (wait_until(c, next_poll < c->edge.next_ns ? next_poll : c->edge.next_ns)) {
		poll_once(c);
		follow_edge(c);
		next_poll = mono() + (c->edge.due_ns != JP_NS_UNKNOWN ? DUE_POLL_NS : POLL_NS);
		bool unheard = !c->config.osc && jp_sinks_gone(c->config.sinks);
		if ((c->threshold.passed || unheard) && !told) {
			uint64_t one = 1;
			told = write(c->config.wake_fd, &one, sizeof one) == sizeof one;
		}
	}
	finish(c);
	return NULL;
}

static void free_collector(struct jp_collector *c)
{
	jp_intake_free(c->intake);
	jp_culprit_free(c->culprit);
	pthread_cond_destroy(&c->wake);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

enum jp_status jp_collector_start(
	const struct jp_collector_config *config, struct jp_collector **out, struct jp_why *why)
{
	struct jp_collector *c = calloc(1, sizeof *c);
	if (!c)
		return jp_why_set(why, JP_NO_MEM, "out of memory for the collector");
	c->config = *config;
	c->batches.sinks = config->sinks;
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&c->wake, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&c->lock, NULL);
	jp_teller_init(&c->teller, config->sinks, config->osc);
	jp_follow_init(&c->follow, &c->teller, &c->config.meta);
	jp_threshold_init(&c->threshold, config->options->max_overruns, config->options->max_p99_us);
	jp_episode_init(&c->episode, EPISODE_QUIET_NS);
	c->columns = jp_sense_columns(config->sense, &c->n_columns);
	c->intake = jp_intake_new(&(struct jp_intake_listener){
		.arg = c, .epoch = on_epoch, .cycle = on_cycle, .timing_off = on_timing_off, .xrun = on_xrun});
	c->culprit = jp_culprit_new();
	if (!c->intake || !c->culprit) {
		free_collector(c);
		return jp_why_set(why, JP_NO_MEM, "out of memory for the statistics");
	}
	if (jp_thread_start(&c->thread, "jp-collector", run, c)) {
		free_collector(c);
		return jp_why_set(why, JP_NO_MEM, "cannot start the collector thread");
	}
	*out = c;
	return JP_OK;
}

struct jp_outcome jp_collector_stop(struct jp_collector *c)
{
	pthread_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_signal(&c->wake);
	pthread_mutex_unlock(&c->lock);
	pthread_join(c->thread, NULL);
	struct jp_outcome outcome = {.threshold = c->threshold.passed, .measured = jp_intake_measured(c->intake)};
	free_collector(c);
	return outcome;
}
