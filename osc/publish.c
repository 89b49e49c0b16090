/* What is sent, to whom, and when. */
#include "figures.h"
#include "row.h"
#include "target.h"

#include <jackprobe/osc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TARGETS_MAX = 16,
	SENSORS_MAX = 32,
	NAME_BYTES = JP_NAME_MAX, /* of a name, version or server in /hello */
	SENSOR_BYTES = 64,
	REASON_BYTES = 256,
	CLOSE_MS = 50, /* to wait for look-ups that are just ending */
};
static const double GREET_S = 10; /* between repeated /hello */

struct sensor {
	char name[SENSOR_BYTES], reason[REASON_BYTES];
	bool available;
};

struct jp_osc {
	enum jp_osc_profile profile;
	char name[NAME_BYTES], version[NAME_BYTES];
	struct jp_osc_target target[TARGETS_MAX];
	size_t n_targets;
	struct jp_osc_figures figures;
	struct jp_osc_msg figure[JP_OSC_FIGURES_MAX]; /* scalar: one message for each figure */
	struct jp_osc_row row;                        /* row: all of them in one */
	struct jp_osc_msg frame, hello, client, event, status;
	struct jp_osc_bundle bundle;
	bool hello_known;
	double elapsed_s, greeted_s; /* of the last report; of the last greeting to all */
	struct sensor sensor[SENSORS_MAX];
	size_t n_sensors;
};

static const struct jp_osc_message *find_message(const char *address)
{
	size_t i = 0;
	while (strcmp(jp_osc_messages[i].address, address) != 0)
		i++;
	return &jp_osc_messages[i];
}

static enum jp_status build_message(struct jp_osc_msg *msg, const char *prefix, const char *address, size_t text_room)
{
	return jp_osc_msg_init(msg, prefix, address, find_message(address)->types, text_room);
}

static enum jp_status build_messages(struct jp_osc *osc, const char *prefix)
{
	enum jp_status status = build_message(&osc->frame, prefix, "/frame", 0);
	if (status == JP_OK)
		status = build_message(&osc->hello, prefix, "/hello", sizeof osc->name * 3);
	if (status == JP_OK)
		status = build_message(&osc->client, prefix, "/client", JP_NAME_MAX);
	if (status == JP_OK)
		status = build_message(&osc->event, prefix, "/event", sizeof(struct jp_event));
	if (status == JP_OK)
		status = build_message(&osc->status, prefix, "/status", sizeof(struct sensor));
	if (osc->profile == JP_OSC_ROW)
		return status == JP_OK ? jp_osc_row_init(&osc->row, &osc->figures, prefix) : status;
	for (size_t i = 0; i < osc->figures.n && status == JP_OK; i++) {
		const char types[] = {jp_osc_figure_type(&osc->figures.at[i]), 0};
		status = jp_osc_msg_init(
			&osc->figure[i], prefix, osc->figures.at[i].address, types, JP_OSC_SHORT_TEXT_MAX);
	}
	return status;
}

static enum jp_status open_targets(struct jp_osc *osc, const struct jp_osc_config *config, struct jp_why *why)
{
	if (config->n_targets > TARGETS_MAX)
		return jp_why_set(why, JP_BAD_ARG, "osc: %zu targets given, at most %d are possible", config->n_targets,
			TARGETS_MAX);
	for (size_t i = 0; i < config->n_targets; i++) {
		enum jp_status status = jp_osc_target_open(&osc->target[i], config->targets[i], why);
		if (status != JP_OK)
			return status;
		osc->n_targets++;
	}
	return JP_OK;
}

static enum jp_status set_up(struct jp_osc *osc, const struct jp_osc_config *config, struct jp_why *why)
{
	enum jp_status status = jp_osc_check_prefix(config->prefix, why);
	if (status == JP_OK)
		status = jp_osc_figures_init(&osc->figures, config->columns, config->n_columns, why);
	if (status == JP_OK) {
		status = build_messages(osc, config->prefix);
		if (status != JP_OK)
			jp_why_set(why, status, "osc: out of memory");
	}
	return status == JP_OK ? open_targets(osc, config, why) : status;
}

enum jp_status jp_osc_open(const struct jp_osc_config *config, struct jp_osc **out, struct jp_why *why)
{
	struct jp_osc *osc = calloc(1, sizeof *osc);
	if (!osc)
		return jp_why_set(why, JP_NO_MEM, "osc: out of memory");
	osc->profile = config->profile;
	osc->greeted_s = osc->elapsed_s = 0;
	snprintf(osc->name, sizeof osc->name, "%s", config->name);
	snprintf(osc->version, sizeof osc->version, "%s", config->version);
	enum jp_status status = set_up(osc, config, why);
	if (status != JP_OK) {
		jp_osc_close(osc);
		return status;
	}
	*out = osc;
	return JP_OK;
}

static void close_targets(struct jp_osc *osc)
{
	struct timespec deadline;
	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_nsec += CLOSE_MS * 1000000L;
	deadline.tv_sec += deadline.tv_nsec / 1000000000;
	deadline.tv_nsec %= 1000000000;
	for (size_t i = 0; i < osc->n_targets; i++)
		jp_osc_target_stop(&osc->target[i]);
	for (size_t i = 0; i < osc->n_targets; i++)
		jp_osc_target_free(&osc->target[i], &deadline);
}

void jp_osc_close(struct jp_osc *osc)
{
	if (!osc)
		return;
	close_targets(osc);
	for (size_t i = 0; i < JP_OSC_FIGURES_MAX; i++)
		jp_osc_msg_free(&osc->figure[i]);
	jp_osc_row_free(&osc->row);
	jp_osc_msg_free(&osc->frame);
	jp_osc_msg_free(&osc->hello);
	jp_osc_msg_free(&osc->client);
	jp_osc_msg_free(&osc->event);
	jp_osc_msg_free(&osc->status);
	free(osc);
}

static void poll_targets(struct jp_osc *osc)
{
	for (size_t i = 0; i < osc->n_targets; i++)
		jp_osc_target_poll(&osc->target[i]);
}

static void send_to_all(struct jp_osc *osc, const void *bytes, size_t size)
{
	for (size_t i = 0; i < osc->n_targets; i++)
		jp_osc_target_send(&osc->target[i], bytes, size);
}

static void send_msg(struct jp_osc_target *target, const struct jp_osc_msg *msg)
{
	jp_osc_target_send(target, msg->bytes, msg->size);
}

static void send_status(struct jp_osc *osc, struct jp_osc_target *target, const struct sensor *sensor)
{
	jp_osc_msg_rewind(&osc->status);
	jp_osc_msg_text(&osc->status, sensor->name, sizeof sensor->name - 1);
	jp_osc_msg_int(&osc->status, sensor->available);
	jp_osc_msg_text(&osc->status, sensor->reason, sizeof sensor->reason - 1);
	send_msg(target, &osc->status);
}

/* All that a receiver has to know before it understands a window. */
static void greet(struct jp_osc *osc, struct jp_osc_target *target)
{
	target->fresh = false;
	if (osc->hello_known)
		send_msg(target, &osc->hello);
	for (size_t i = 0; i < osc->row.n_parts; i++)
		send_msg(target, &osc->row.part[i].schema);
	for (size_t i = 0; i < osc->n_sensors; i++)
		send_status(osc, target, &osc->sensor[i]);
}

static void greet_who_is_due(struct jp_osc *osc, const struct jp_report *report)
{
	double slack_s = (double)report->interval_ns / 2e9;
	bool all = fabs(report->elapsed_s - osc->greeted_s) >= GREET_S - slack_s;
	if (all)
		osc->greeted_s = report->elapsed_s;
	for (size_t i = 0; i < osc->n_targets; i++)
		if (all || osc->target[i].fresh)
			greet(osc, &osc->target[i]);
}

void jp_osc_hello(struct jp_osc *osc, int64_t rate_hz, int64_t frames, const char *server)
{
	osc->hello_known = rate_hz >= 0 && frames >= 0;
	jp_osc_msg_rewind(&osc->hello);
	jp_osc_msg_text(&osc->hello, osc->name, NAME_BYTES - 1);
	jp_osc_msg_text(&osc->hello, osc->version, NAME_BYTES - 1);
	jp_osc_msg_int(&osc->hello, jp_osc_clamp(rate_hz));
	jp_osc_msg_int(&osc->hello, jp_osc_clamp(frames));
	jp_osc_msg_int(&osc->hello, JP_OSC_SCHEMA);
	jp_osc_msg_text(&osc->hello, server, NAME_BYTES - 1);
	osc->greeted_s = osc->elapsed_s;
	poll_targets(osc);
	for (size_t i = 0; i < osc->n_targets; i++)
		greet(osc, &osc->target[i]);
}

static void begin_bundle(struct jp_osc *osc)
{
	jp_osc_bundle_begin(&osc->bundle);
	(void)jp_osc_bundle_add(&osc->bundle, &osc->frame);
}

static void send_bundles(struct jp_osc *osc, const struct jp_report *report)
{
	jp_osc_msg_rewind(&osc->frame);
	jp_osc_msg_int(&osc->frame, jp_osc_seq(report));
	jp_osc_put_time(&osc->frame, report);
	jp_osc_msg_int(&osc->frame, jp_osc_clamp((report->interval_ns + 500000) / 1000000));
	begin_bundle(osc);
	for (size_t i = 0; i < osc->figures.n; i++) {
		struct jp_osc_msg *msg = &osc->figure[i];
		jp_osc_msg_rewind(msg);
		if (!jp_osc_figure_put(msg, &osc->figures.at[i], report))
			continue;
		if (jp_osc_bundle_add(&osc->bundle, msg) == JP_OK)
			continue;
		send_to_all(osc, osc->bundle.bytes, osc->bundle.size);
		begin_bundle(osc);
		(void)jp_osc_bundle_add(&osc->bundle, msg);
	}
	send_to_all(osc, osc->bundle.bytes, osc->bundle.size);
}

static void send_rows(struct jp_osc *osc, const struct jp_report *report)
{
	for (size_t i = 0; i < osc->row.n_parts; i++) {
		struct jp_osc_msg *row = jp_osc_row_fill(&osc->row, i, report);
		send_to_all(osc, row->bytes, row->size);
	}
}

void jp_osc_window(struct jp_osc *osc, const struct jp_report *report)
{
	osc->elapsed_s = report->elapsed_s;
	poll_targets(osc);
	greet_who_is_due(osc, report);
	if (osc->profile == JP_OSC_ROW)
		send_rows(osc, report);
	else
		send_bundles(osc, report);
	for (size_t i = 0; i < osc->n_targets; i++)
		jp_osc_target_window_end(&osc->target[i], report->elapsed_s);
}

static float or_minus_one(double value)
{
	float single = (float)value;
	return isfinite(single) ? single : -1;
}

static void fill_client(struct jp_osc_msg *msg, const struct jp_client_figures *f)
{
	jp_osc_msg_rewind(msg);
	jp_osc_msg_text(msg, f->name, sizeof f->name - 1);
	jp_osc_msg_float(msg, or_minus_one(f->wait_p99_us));
	jp_osc_msg_float(msg, or_minus_one(f->busy_p50_us));
	jp_osc_msg_float(msg, or_minus_one(f->busy_p99_us));
	jp_osc_msg_float(msg, or_minus_one(f->busy_max_us));
	jp_osc_msg_int(msg, f->blamed > INT32_MAX ? INT32_MAX : (int32_t)f->blamed);
}

void jp_osc_clients(struct jp_osc *osc, const struct jp_client_row *rows, size_t n)
{
	struct jp_osc_bundle bundle;
	poll_targets(osc);
	jp_osc_bundle_begin(&bundle);
	size_t empty = bundle.size;
	for (size_t i = 0; i < n; i++) {
		fill_client(&osc->client, &rows[i].figures);
		if (jp_osc_bundle_add(&bundle, &osc->client) != JP_FULL)
			continue;
		send_to_all(osc, bundle.bytes, bundle.size);
		jp_osc_bundle_begin(&bundle);
		jp_osc_bundle_add(&bundle, &osc->client);
	}
	if (bundle.size > empty)
		send_to_all(osc, bundle.bytes, bundle.size);
}

void jp_osc_event(struct jp_osc *osc, const struct jp_event *event)
{
	jp_osc_msg_rewind(&osc->event);
	jp_osc_msg_text(&osc->event, jp_event_type_text(event->event), JP_OSC_SHORT_TEXT_MAX);
	jp_osc_msg_text(&osc->event, event->client, sizeof event->client - 1);
	jp_osc_msg_text(&osc->event, event->detail, sizeof event->detail - 1);
	jp_osc_msg_float(&osc->event, or_minus_one(event->value_us));
	jp_osc_msg_float(&osc->event, or_minus_one(event->period_us));
	poll_targets(osc);
	send_to_all(osc, osc->event.bytes, osc->event.size);
}

static struct sensor *remember(struct jp_osc *osc, const char *name)
{
	size_t i = 0;
	while (i < osc->n_sensors && strncmp(osc->sensor[i].name, name, sizeof osc->sensor[i].name - 1) != 0)
		i++;
	if (i == SENSORS_MAX)
		return NULL;
	if (i == osc->n_sensors)
		osc->n_sensors++;
	return &osc->sensor[i];
}

void jp_osc_status(struct jp_osc *osc, const char *sensor, bool available, const char *reason)
{
	struct sensor unremembered;
	struct sensor *s = remember(osc, sensor);
	if (!s)
		s = &unremembered;
	snprintf(s->name, sizeof s->name, "%s", sensor);
	snprintf(s->reason, sizeof s->reason, "%s", reason);
	s->available = available;
	poll_targets(osc);
	for (size_t i = 0; i < osc->n_targets; i++)
		send_status(osc, &osc->target[i], s);
}

void jp_osc_counts(const struct jp_osc *osc, uint64_t *sent, uint64_t *dropped)
{
	*sent = *dropped = 0;
	for (size_t i = 0; i < osc->n_targets; i++) {
		*sent += osc->target[i].sent;
		*dropped += osc->target[i].dropped;
	}
}

bool jp_osc_news(struct jp_osc *osc, struct jp_why *out)
{
	poll_targets(osc);
	for (size_t i = 0; i < osc->n_targets; i++)
		if (jp_osc_target_news(&osc->target[i], out))
			return true;
	return false;
}
