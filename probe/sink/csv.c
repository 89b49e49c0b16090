/* --log x.csv: one line per window, header first; the run's facts beside it in x.csv.meta.json. */
#include "columns.h"
#include "csv_clients.h"
#include "logfile.h"
#include "logs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct csv_sink {
	struct jp_logfile file;
	char *meta_path;
	struct jp_csv_clients clients;
	struct jp_extra_names extra;
	struct jp_meta meta;
	bool meta_due; /* what is in the file beside is not what meta says */
	struct jp_text text;
};

static enum jp_status write_meta(struct csv_sink *s, struct jp_why *why)
{
	if (!s->meta_due || !s->file.regular)
		return JP_OK;
	struct jp_text *t = &s->text;
	jp_text_clear(t);
	jp_text_put(t, "{\"format\":\"jackprobe-windows\",\"version\":1");
	jp_logs_put_meta(t, &s->meta);
	jp_text_put(t, ",\"columns\":");
	jp_columns_json_names(t, &s->extra);
	jp_text_put(t, "}\n");
	if (t->failed)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	struct jp_why reason;
	enum jp_status status = jp_logfile_replace(s->meta_path, t->at, t->len, &reason);
	s->meta_due = status != JP_OK;
	return status == JP_OK ? status : jp_why_set(why, status, "%.200s (the facts, not written yet)", reason.text);
}

static enum jp_status take_meta(void *self, const struct jp_meta *meta, struct jp_why *why)
{
	struct csv_sink *s = self;
	s->meta = *meta;
	s->meta_due = true;
	enum jp_status status = jp_logfile_ready(&s->file, why);
	return status == JP_OK ? write_meta(s, why) : status;
}

static enum jp_status write_window(void *self, const struct jp_report *report, struct jp_why *why)
{
	struct csv_sink *s = self;
	struct jp_text *t = &s->text;
	jp_text_clear(t);
	for (size_t i = 0; i < jp_n_columns; i++) {
		jp_text_put(t, i ? "," : "");
		jp_column_put(t, &jp_columns[i], report, JP_QUOTE_CSV);
	}
	for (size_t i = 0; i < s->extra.n; i++) {
		jp_text_char(t, ',');
		jp_text_real(t, report->host.extra[i], s->extra.decimals[i]);
	}
	jp_text_char(t, '\n');
	if (t->failed)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	enum jp_status status = jp_logfile_write(&s->file, t->at, t->len, why);
	if (status == JP_OK)
		write_meta(s, NULL); /* its failure was told when it happened; the window is written */
	return status;
}

static enum jp_status write_clients(void *self, const struct jp_client_row *rows, size_t n, struct jp_why *why)
{
	struct csv_sink *s = self;
	return jp_csv_clients_write(&s->clients, s->file.path, rows, n, why);
}

static enum jp_status reopen(void *self, struct jp_why *why)
{
	struct csv_sink *s = self;
	jp_csv_clients_reopen(&s->clients);
	enum jp_status status = jp_logfile_reopen(&s->file, why);
	if (status == JP_OK)
		status = jp_logfile_ready(&s->file, why);
	s->meta_due = s->meta.n > 0;
	return status == JP_OK ? write_meta(s, why) : status;
}

static void close_csv(void *self)
{
	struct csv_sink *s = self;
	jp_logfile_close(&s->file);
	jp_csv_clients_close(&s->clients);
	jp_extra_free(&s->extra);
	jp_text_free(&s->text);
	free(s->meta_path);
	free(s);
}

static const struct jp_sink_ops ops = {
	.kind = "csv",
	.begin = take_meta,
	.window = write_window,
	.clients = write_clients,
	.meta = take_meta,
	.reopen = reopen,
	.close = close_csv,
};

/* Everything but the file's being open. @return NULL when out of memory. */
static struct csv_sink *new_csv(const char *path, const struct jp_sink_config *config)
{
	struct csv_sink *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->file.fd = -1;
	enum jp_status status = jp_extra_copy(&s->extra, config->columns, config->n_columns);
	jp_columns_header(&s->text, &s->extra);
	jp_text_char(&s->text, '\0');
	if (asprintf(&s->meta_path, "%s.meta.json", path) < 0) {
		s->meta_path = NULL;
		status = JP_NO_MEM;
	}
	if (status == JP_OK && !s->text.failed)
		status = jp_logfile_init(&s->file, path, s->text.at, jp_logfile_same_header);
	if (status == JP_OK && !s->text.failed)
		return s;
	close_csv(s);
	return NULL;
}

/* A directory is the one thing that never makes room for the facts. */
static enum jp_status check_beside(const struct csv_sink *s, struct jp_why *why)
{
	struct stat st;
	if (!s->file.regular || stat(s->meta_path, &st) != 0 || !S_ISDIR(st.st_mode))
		return JP_OK;
	jp_why_set(why, JP_BAD_ARG,
		"is a directory, and the facts that go with the log belong there; give the log another name");
	return jp_logfile_name_it(why, JP_BAD_ARG, s->meta_path);
}

enum jp_status jp_sink_open_csv(
	const char *path, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why)
{
	struct csv_sink *s = new_csv(path, config);
	if (!s)
		return jp_why_set(why, JP_NO_MEM, "%.100s: out of memory", path);
	enum jp_status status = jp_logfile_open(&s->file, why);
	if (status != JP_OK)
		jp_logfile_name_it(why, status, path);
	else
		status = check_beside(s, why);
	if (status != JP_OK) {
		close_csv(s);
		return status;
	}
	*out = (struct jp_sink_instance){.ops = &ops, .self = s};
	snprintf(out->name, sizeof out->name, "%s", path);
	return JP_OK;
}
