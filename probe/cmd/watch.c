/* jackprobe watch: builds the parts, waits for the end, takes them down again. */
#include "cmd/commands.h"

#include "cli/watch_options.h"
#include "collect/collector.h"
#include "graph/session.h"
#include "sink/sink.h"
#include "sys/descriptors.h"
#include "sys/dma_latency.h"
#include "sys/requests.h"
#include "sys/say.h"
#include "sys/signals.h"
#include "sys/trigger.h"

#include <jackprobe/osc.h>
#include <jackprobe/sense.h>

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_FINE = 0, EXIT_RUNTIME = 1, EXIT_THRESHOLD = 3 };
enum { DESCRIPTORS = 64, ATTACH_MS = 5000, SINKS_MS = 200, SESSION_MS = 400 };

/* All parts of a run; those not in use are NULL or -1. */
struct watch {
	const struct jp_watch_options *o;
	struct jp_trigger *trigger;
	struct jp_dma_latency *hold;
	struct jp_sense *sense;
	struct jp_sinks *sinks;
	struct jp_osc *osc;
	struct jp_session *session;
	struct jp_collector *collector;
	int signal_fd, wake_fd;
	bool interrupted;
	bool terminal; /* standard output was one at the start */
};

static int complain(const struct jp_why *why)
{
	jp_say("%s", why->text);
	return EXIT_RUNTIME;
}

/* The same file by another name: two logs would write over each other. */
static enum jp_status check_distinct(const char *const *file, size_t last, struct jp_why *why)
{
	struct stat mine, other;
	if (stat(file[last], &mine) || !S_ISREG(mine.st_mode))
		return JP_OK;
	for (size_t i = 0; i < last; i++)
		if (!stat(file[i], &other) && mine.st_dev == other.st_dev && mine.st_ino == other.st_ino)
			return jp_why_set(why, JP_BAD_ARG, "%.100s and %.100s are one file; each log needs its own",
				file[i], file[last]);
	return JP_OK;
}

static enum jp_status open_file(const struct watch *w, const char *path, const struct jp_sink_config *config,
	struct jp_sink_instance *sink, struct jp_why *why)
{
	if (path == w->o->cycles)
		return jp_sink_open_cycles(path, sink, why);
	if (path == w->o->executions)
		return jp_sink_open_executions(path, sink, why);
	return jp_sink_open_log(path, config, sink, why);
}

static enum jp_status open_files(struct watch *w, const struct jp_sink_config *config, struct jp_why *why)
{
	const char *file[JP_WATCH_FILES_MAX];
	size_t n = jp_watch_files(w->o, file);
	for (size_t i = 0; i < n; i++) {
		struct jp_sink_instance sink;
		enum jp_status st = open_file(w, file[i], config, &sink, why);
		if (!st && (st = check_distinct(file, i, why)))
			sink.ops->close(sink.self);
		if (st || (st = jp_sinks_add(w->sinks, &sink, why)))
			return st;
	}
	return JP_OK;
}

static enum jp_status open_sinks(struct watch *w, struct jp_why *why)
{
	struct jp_sink_config config = {0};
	struct jp_sink_instance sink;
	enum jp_status st = jp_sinks_new(&w->sinks);
	if (st)
		return jp_why_set(why, st, "out of memory for the sinks");
	config.columns = jp_sense_columns(w->sense, &config.n_columns);
	if ((st = open_files(w, &config, why)))
		return st;
	if (isatty(STDOUT_FILENO) && !w->o->batch && !w->o->quiet)
		st = jp_sink_open_terminal(STDOUT_FILENO, &config, &sink, why);
	else
		st = jp_sink_open_lines(STDOUT_FILENO, w->o->quiet, &config, &sink, why);
	return st ? st : jp_sinks_add(w->sinks, &sink, why);
}

static enum jp_status open_osc(struct watch *w, struct jp_why *why)
{
	if (!w->o->osc.n)
		return JP_OK;
	struct jp_osc_config config = {.targets = w->o->osc.item,
		.n_targets = w->o->osc.n,
		.profile = (enum jp_osc_profile)w->o->osc_profile,
		.prefix = w->o->osc_prefix,
		.name = w->o->name,
		.version = JP_VERSION};
	config.columns = jp_sense_columns(w->sense, &config.n_columns);
	return jp_osc_open(&config, &w->osc, why);
}

/* Several processes of one name: say which one it is. */
static void tell_watched(struct watch *w)
{
	struct jp_sensor_status st;
	for (size_t i = 0; w->o->watch && jp_sense_status(w->sense, i, &st); i++)
		if (!strcmp(st.sensor, "watch") && st.available && strstr(st.source, "first of"))
			jp_say("--watch %s: %s; give a PID to choose another", w->o->watch, st.source);
}

/* Everything but the graph. Whatever can be refused is refused here, before a client is opened. */
static enum jp_status open_parts(struct watch *w, struct jp_why *why)
{
	enum jp_status st = JP_OK;
	jp_signals_ignore_stops();
	/* The helper is forked first: no thread and no file of ours is to be in it. */
	if (w->o->on_overrun && (st = jp_trigger_open(w->o->on_overrun, &w->trigger, why)))
		return st;
	if ((st = jp_requests_open(&w->signal_fd, why)))
		return st;
	w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->wake_fd < 0)
		return jp_why_set(why, JP_IO, "cannot make an eventfd: %s", strerror(errno));
	if (w->o->hold_us >= 0 && (st = jp_dma_latency_hold(w->o->sysroot, (int32_t)w->o->hold_us, &w->hold, why)))
		return st;
	if ((st = jp_sense_open(
		     &(struct jp_sense_config){.sysroot = w->o->sysroot, .watch = w->o->watch}, &w->sense, why)))
		return st;
	tell_watched(w);
	if ((st = open_sinks(w, why)))
		return st;
	return open_osc(w, why);
}

static void put_fact(void *meta, const char *key, const char *value)
{
	jp_meta_put(meta, key, value);
}

static void put_sensor_facts(struct watch *w, struct jp_meta *meta)
{
	struct jp_sensor_status st;
	for (size_t i = 0; jp_sense_status(w->sense, i, &st); i++) {
		char key[48], value[208];
		snprintf(key, sizeof key, "sensor_%s", st.sensor);
		if (st.available)
			snprintf(value, sizeof value, "%s", st.source);
		else
			snprintf(value, sizeof value, "not available: %.190s", st.reason);
		jp_meta_put(meta, key, value);
	}
}

static void run_facts(struct watch *w, struct jp_meta *meta)
{
	static const char *const insert[] = {"head-tail", "strict", "head"}, *const wire[] = {"auto", "once", "none"},
				 *const timing[] = {"auto", "server", "api"};
	char text[32];
	memset(meta, 0, sizeof *meta);
	jp_meta_put(meta, "program", "jackprobe " JP_VERSION);
	jp_meta_put(meta, "name", w->o->name);
	snprintf(text, sizeof text, "%g", w->o->interval_s);
	jp_meta_put(meta, "interval_s", text);
	jp_meta_put(meta, "insert", insert[w->o->insert]);
	jp_meta_put(meta, "wire", wire[w->o->wire]);
	jp_meta_put(meta, "timing", timing[w->o->timing]);
	if (w->o->hold_us >= 0) {
		snprintf(text, sizeof text, "%lld", (long long)w->o->hold_us);
		jp_meta_put(meta, "hold_us", text);
	}
	jp_sense_facts(w->sense, put_fact, meta);
	put_sensor_facts(w, meta);
}

/* Wait for a signal, the duration's end or a threshold. @return false when there is no reason to go on. */
static bool wait_step(struct watch *w, int ms)
{
	struct pollfd fds[2] = {{.fd = w->signal_fd, .events = POLLIN}, {.fd = w->wake_fd, .events = POLLIN}};
	int n = poll(fds, 2, ms);
	if (n <= 0)
		return true;
	if (fds[1].revents)
		return false;
	switch (jp_requests_take(w->signal_fd)) {
	case JP_REQUEST_STOP:
		w->interrupted = true;
		return false;
	case JP_REQUEST_REOPEN:
		if (w->terminal && !isatty(STDOUT_FILENO)) /* it was closed: nobody is there any more */
			return false;
		jp_sinks_reopen(w->sinks);
		return true;
	case JP_REQUEST_NONE:
		return true;
	}
	return true;
}

static double now_s(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static void wait_for_end(struct watch *w)
{
	double end = isnan(w->o->duration_s) ? INFINITY : now_s() + w->o->duration_s;
	for (;;) {
		double left = end - now_s();
		if (left <= 0)
			return;
		int ms = left > 3600 ? 3600000 : (int)ceil(left * 1e3);
		if (!wait_step(w, ms))
			return;
	}
}

/* Without the server's own times some wishes cannot be met. */
static enum jp_status check_timing(struct watch *w, struct jp_why *why)
{
	struct jp_why reason;
	bool needed = w->o->timing == JP_TIMING_SERVER || w->o->insert == JP_INSERT_HEAD;
	if (!needed || jp_session_timing(w->session, &reason) != JP_UNSUPPORTED)
		return JP_OK;
	return jp_why_set(why, JP_UNSUPPORTED, "%s: %.200s",
		w->o->timing == JP_TIMING_SERVER ? "--timing server" : "--insert head", reason.text);
}

/* Wait until the probe stands in the graph. A server that is there but slow (a hung client costs seconds a call) is no reason to
 * give up: the page then says what hangs. A signal meanwhile ends it. */
static enum jp_status attach(struct watch *w, struct jp_why *why)
{
	enum jp_status st = jp_session_start(&(struct jp_session_config){.server = w->o->server,
						     .name = w->o->name,
						     .insert = w->o->insert,
						     .wire = w->o->wire,
						     .timing = w->o->timing},
		&w->session, why);
	if (st)
		return st;
	for (int waited = 0; waited < ATTACH_MS; waited += 100) {
		st = jp_session_wait(w->session, 100, why);
		if (st != JP_TIMEOUT)
			return st == JP_OK ? check_timing(w, why) : st;
		if (!wait_step(w, 0) && w->interrupted)
			return jp_why_set(why, JP_TIMEOUT, "stopped before the server let the probe in");
	}
	jp_say("not in the graph after %d s, going on: %s", ATTACH_MS / 1000, why->text);
	return JP_OK;
}

static enum jp_status start_collector(struct watch *w, struct jp_why *why)
{
	struct jp_collector_config config = {.options = w->o,
		.session = w->session,
		.sense = w->sense,
		.sinks = w->sinks,
		.osc = w->osc,
		.trigger = w->trigger,
		.wake_fd = w->wake_fd};
	run_facts(w, &config.meta);
	return jp_collector_start(&config, &w->collector, why);
}

/* What the sinks met with the summary, when the collector was gone. That nobody reads any more was the reader's wish. */
static void tell_last_news(struct jp_sinks *sinks)
{
	struct jp_why why;
	enum jp_status status;
	while (jp_sinks_news(sinks, &status, &why))
		if (status != JP_GONE)
			jp_say("%s", why.text);
}

/* Take everything down in the order in which the pieces lean on each other. @param status so far. @return exit status. */
static int close_parts(struct watch *w, int status)
{
	bool clean = true, measured = true;
	if (w->collector) {
		struct jp_outcome outcome = jp_collector_stop(w->collector);
		measured = outcome.measured;
		if (!measured)
			status = EXIT_RUNTIME;
		if (outcome.threshold)
			status = EXIT_THRESHOLD;
	}
	if (w->sinks)
		clean = jp_sinks_close(w->sinks, SINKS_MS);
	if (w->osc)
		jp_osc_close(w->osc);
	if (w->session && !jp_session_stop(w->session, SESSION_MS))
		clean = false;
	if (!measured)
		jp_say("not one cycle was measured");
	if (w->sinks) {
		tell_last_news(w->sinks);
		if (jp_sinks_errors(w->sinks) && status == EXIT_FINE)
			status = EXIT_RUNTIME;
	}
	if (w->trigger)
		jp_trigger_close(w->trigger, NULL);
	if (!clean) /* a thread hangs in a write or in libjack: the kernel and the server clean up after us */
		_exit(status);
	jp_sinks_free(w->sinks);
	jp_sense_close(w->sense);
	jp_dma_latency_release(w->hold);
	if (w->wake_fd >= 0)
		close(w->wake_fd);
	if (w->signal_fd >= 0)
		close(w->signal_fd);
	return status;
}

static int run_watch(const void *config)
{
	struct watch w = {.o = config, .signal_fd = -1, .wake_fd = -1, .terminal = isatty(STDOUT_FILENO)};
	struct jp_why why = {""};
	int status = EXIT_FINE;
	if (jp_descriptors_need(DESCRIPTORS + jp_watch_descriptors(w.o), &why) || open_parts(&w, &why) ||
		attach(&w, &why) || start_collector(&w, &why))
		status = complain(&why);
	else
		wait_for_end(&w);
	return close_parts(&w, status);
}

const struct jp_command jp_watch_command = {
	.name = "watch",
	.synopsis = "[watch] [options]",
	.about = "Measure every cycle of a running JACK server.",
	.options = jp_watch_option_rows,
	.n_options = JP_WATCH_N_OPTIONS,
	.config_size = sizeof(struct jp_watch_options),
	.check = jp_watch_check,
	.run = run_watch,
};
