/* --log x.jsonl: one JSON object per line, `type` = meta | window | client | event | summary. Unknown members are left out. */
#include "columns.h"
#include "logfile.h"
#include "logs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct jsonl_sink {
	struct jp_logfile file;
	struct jp_extra_names extra;
	struct jp_meta meta;
	bool meta_due; /* the facts have to stand before the next line */
	struct jp_text text;
};

static void put_key(struct jp_text *t, const char *key)
{
	jp_text_put(t, ",\"");
	jp_text_put(t, key);
	jp_text_put(t, "\":");
}

static void put_int(struct jp_text *t, const char *key, int64_t value)
{
	put_key(t, key);
	jp_text_int(t, value);
}

static void put_count(struct jp_text *t, const char *key, int64_t value)
{
	if (value >= 0)
		put_int(t, key, value);
}

static void put_real(struct jp_text *t, const char *key, double value, int decimals)
{
	size_t before = t->len;
	put_key(t, key);
	if (!jp_text_real(t, value, decimals))
		t->len = before;
}

static void put_string(struct jp_text *t, const char *key, const char *value)
{
	if (!value[0])
		return;
	put_key(t, key);
	jp_text_json(t, value);
}

static void put_time(struct jp_text *t, const char *key, int64_t unix_ns)
{
	put_key(t, key);
	jp_text_char(t, '"');
	jp_text_time(t, unix_ns);
	jp_text_char(t, '"');
}

static void put_column(struct jp_text *t, const struct jp_column *column, const struct jp_report *report)
{
	size_t before = t->len;
	put_key(t, column->name);
	if (!jp_column_put(t, column, report, JP_QUOTE_JSON))
		t->len = before;
}

static struct jp_text *start_line(struct jsonl_sink *s, const char *type)
{
	jp_text_clear(&s->text);
	jp_text_put(&s->text, "{\"type\":\"");
	jp_text_put(&s->text, type);
	jp_text_char(&s->text, '"');
	return &s->text;
}

static enum jp_status write_line(struct jsonl_sink *s, struct jp_why *why)
{
	jp_text_put(&s->text, "}\n");
	if (s->text.failed)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	return jp_logfile_write(&s->file, s->text.at, s->text.len, why);
}

/* The facts, if they have changed or the file is new; before the line that is to be written. */
static enum jp_status write_meta(struct jsonl_sink *s, struct jp_why *why)
{
	enum jp_status status = jp_logfile_ready(&s->file, why);
	if (status != JP_OK)
		return status;
	if (s->file.fresh) {
		s->file.fresh = false;
		s->meta_due = s->meta.n > 0;
	}
	if (!s->meta_due)
		return JP_OK;
	struct jp_text *t = start_line(s, "meta");
	jp_text_put(t, ",\"format\":\"jackprobe-jsonl\",\"version\":1");
	jp_logs_put_meta(t, &s->meta);
	put_key(t, "columns");
	jp_columns_json_names(t, &s->extra);
	status = write_line(s, why);
	s->meta_due = status != JP_OK;
	return status;
}

static enum jp_status take_meta(void *self, const struct jp_meta *meta, struct jp_why *why)
{
	struct jsonl_sink *s = self;
	s->meta = *meta;
	s->meta_due = true;
	return write_meta(s, why);
}

static enum jp_status write_window(void *self, const struct jp_report *report, struct jp_why *why)
{
	struct jsonl_sink *s = self;
	enum jp_status status = write_meta(s, why);
	if (status != JP_OK)
		return status;
	struct jp_text *t = start_line(s, "window");
	for (size_t i = 0; i < jp_n_columns; i++)
		put_column(t, &jp_columns[i], report);
	for (size_t i = 0; i < s->extra.n; i++)
		put_real(t, s->extra.name[i], report->host.extra[i], s->extra.decimals[i]);
	return write_line(s, why);
}

static enum jp_status write_event(void *self, const struct jp_event *event, struct jp_why *why)
{
	struct jsonl_sink *s = self;
	enum jp_status status = write_meta(s, why);
	if (status != JP_OK)
		return status;
	struct jp_text *t = start_line(s, "event");
	put_time(t, "time_utc", event->unix_ns);
	put_int(t, "unix_ns", event->unix_ns);
	put_int(t, "mono_ns", event->mono_ns);
	put_string(t, "event", jp_event_type_text(event->event));
	put_string(t, "client", event->client);
	put_string(t, "kind", event->kind);
	put_real(t, "value_us", event->value_us, 3);
	put_real(t, "period_us", event->period_us, 3);
	put_count(t, "frame", event->frame);
	put_int(t, "suppressed", (int64_t)event->suppressed);
	put_string(t, "detail", event->detail);
	return write_line(s, why);
}

static void put_client(struct jp_text *t, const struct jp_client_figures *f)
{
	put_string(t, "client", f->name);
	put_int(t, "cycles", f->cycles);
	put_real(t, "wait_p50_us", f->wait_p50_us, 3);
	put_real(t, "wait_p99_us", f->wait_p99_us, 3);
	put_real(t, "busy_p50_us", f->busy_p50_us, 3);
	put_real(t, "busy_p99_us", f->busy_p99_us, 3);
	put_real(t, "busy_max_us", f->busy_max_us, 3);
	put_int(t, "late", f->late);
	put_int(t, "blamed", f->blamed);
}

static enum jp_status write_clients(void *self, const struct jp_client_row *rows, size_t n, struct jp_why *why)
{
	struct jsonl_sink *s = self;
	enum jp_status status = write_meta(s, why);
	for (size_t i = 0; i < n && status == JP_OK; i++) {
		struct jp_text *t = start_line(s, "client");
		put_time(t, "time_utc", rows[i].unix_ns);
		put_int(t, "unix_ns", rows[i].unix_ns);
		put_int(t, "seq", rows[i].seq);
		put_client(t, &rows[i].figures);
		status = write_line(s, why);
	}
	return status;
}

/* One distribution: NAME_n, NAME_min_us ... NAME_max_us. */
static void put_dist(struct jp_text *t, const char *name, const struct jp_dist *d)
{
	const struct {
		const char *figure;
		double value;
	} figures[] = {
		{"min_us", d->min_us},
		{"mean_us", d->mean_us},
		{"p50_us", d->p50_us},
		{"p90_us", d->p90_us},
		{"p99_us", d->p99_us},
		{"p999_us", d->p999_us},
		{"max_us", d->max_us},
	};
	char key[48];
	snprintf(key, sizeof key, "%s_n", name);
	put_count(t, key, d->n);
	for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
		snprintf(key, sizeof key, "%s_%s", name, figures[i].figure);
		put_real(t, key, figures[i].value, 3);
	}
}

static void put_dists(struct jp_text *t, const struct jp_summary *summary)
{
	const struct jp_span *total = &summary->last.total;
	put_dist(t, "cycle_end", &total->cycle_end);
	put_dist(t, "dispatch", &total->dispatch);
	put_dist(t, "lateness", &total->lateness);
	put_dist(t, "tail_hop", &total->tail_hop);
	put_dist(t, "head_cost", &summary->head_cost);
	put_dist(t, "tail_cost", &summary->tail_cost);
}

static void put_worst(struct jp_text *t, const struct jp_worst *worst)
{
	if (!(worst->end_us == worst->end_us))
		return;
	put_real(t, "worst_end_us", worst->end_us, 3);
	put_real(t, "worst_period_us", worst->period_us, 3);
	put_int(t, "worst_frame", (int64_t)worst->frame);
	if (worst->unix_ns < 0)
		return;
	put_time(t, "worst_time_utc", worst->unix_ns);
	put_int(t, "worst_unix_ns", worst->unix_ns);
}

static void put_notes(struct jp_text *t, const struct jp_summary *summary)
{
	put_key(t, "notes");
	jp_text_char(t, '[');
	for (size_t i = 0; i < summary->n_notes; i++) {
		jp_text_put(t, i ? "," : "");
		jp_text_json(t, summary->note[i]);
	}
	jp_text_char(t, ']');
}

/* The run's figures stand under the names of the window's. */
static void put_totals(struct jp_text *t, const struct jp_report *last)
{
	struct jp_report whole = *last;
	whole.window = last->total;
	for (size_t i = 0; i < jp_n_columns; i++) {
		if (jp_columns[i].about == JP_ABOUT_RUN || jp_columns[i].about == JP_ABOUT_SPAN)
			put_column(t, &jp_columns[i], &whole);
	}
}

static enum jp_status write_summary(void *self, const struct jp_summary *summary, struct jp_why *why)
{
	struct jsonl_sink *s = self;
	enum jp_status status = write_meta(s, why);
	if (status != JP_OK)
		return status;
	struct jp_text *t = start_line(s, "summary");
	put_totals(t, &summary->last);
	put_dists(t, summary);
	put_worst(t, &summary->last.total.worst);
	put_string(t, "uncovered", summary->last.uncovered);
	put_real(t, "cpu_pct", summary->cpu_pct, 2);
	put_real(t, "power_mean_w", summary->power_mean_w, 3);
	put_int(t, "osc_sent", (int64_t)summary->osc_sent);
	put_int(t, "osc_dropped", (int64_t)summary->osc_dropped);
	put_int(t, "sink_errors", (int64_t)summary->sink_errors);
	put_string(t, "threshold", summary->threshold);
	put_string(t, "blamed", summary->blamed);
	put_string(t, "stuck", summary->stuck);
	put_notes(t, summary);
	return write_line(s, why);
}

static enum jp_status reopen(void *self, struct jp_why *why)
{
	struct jsonl_sink *s = self;
	enum jp_status status = jp_logfile_reopen(&s->file, why);
	return status == JP_OK ? write_meta(s, why) : status;
}

static void close_jsonl(void *self)
{
	struct jsonl_sink *s = self;
	jp_logfile_close(&s->file);
	jp_extra_free(&s->extra);
	jp_text_free(&s->text);
	free(s);
}

static const struct jp_sink_ops ops = {
	.kind = "jsonl",
	.begin = take_meta,
	.window = write_window,
	.clients = write_clients,
	.event = write_event,
	.meta = take_meta,
	.summary = write_summary,
	.reopen = reopen,
	.close = close_jsonl,
};

enum jp_status jp_sink_open_jsonl(
	const char *path, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why)
{
	struct jsonl_sink *s = calloc(1, sizeof *s);
	if (!s)
		return jp_why_set(why, JP_NO_MEM, "%.100s: out of memory", path);
	enum jp_status status = jp_logfile_init(&s->file, path, NULL, jp_logfile_json_lines);
	if (status == JP_OK)
		status = jp_extra_copy(&s->extra, config->columns, config->n_columns);
	if (status == JP_OK)
		status = jp_logfile_open(&s->file, why);
	else
		jp_why_set(why, status, "out of memory");
	if (status != JP_OK) {
		close_jsonl(s);
		return jp_logfile_name_it(why, status, path);
	}
	*out = (struct jp_sink_instance){.ops = &ops, .self = s};
	snprintf(out->name, sizeof out->name, "%s", path);
	return JP_OK;
}
