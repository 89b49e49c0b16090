/* One row per client and window. */
#include "csv_clients.h"

#include <stdio.h>
#include <stdlib.h>

static const char header[] =
	"time_utc,seq,client,cycles,wait_p50_us,wait_p99_us,busy_p50_us,busy_p99_us,busy_max_us,late,blamed";

static enum jp_status set_up(struct jp_csv_clients *c, const char *log, struct jp_why *why)
{
	char *path;
	if (c->ready)
		return JP_OK;
	if (asprintf(&path, "%s.clients.csv", log) < 0)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	enum jp_status status = jp_logfile_init(&c->file, path, header, jp_logfile_same_header);
	free(path);
	c->ready = status == JP_OK;
	return c->ready ? JP_OK : jp_why_set(why, status, "out of memory");
}

static void put_row(struct jp_text *t, const struct jp_client_row *row)
{
	const struct jp_client_figures *f = &row->figures;
	const double us[] = {f->wait_p50_us, f->wait_p99_us, f->busy_p50_us, f->busy_p99_us, f->busy_max_us};
	jp_text_time(t, row->unix_ns);
	jp_text_char(t, ',');
	jp_text_int(t, row->seq);
	jp_text_char(t, ',');
	jp_text_csv(t, f->name);
	jp_text_char(t, ',');
	jp_text_int(t, f->cycles);
	for (size_t i = 0; i < sizeof us / sizeof us[0]; i++) {
		jp_text_char(t, ',');
		jp_text_real(t, us[i], 3);
	}
	jp_text_char(t, ',');
	jp_text_int(t, f->late);
	jp_text_char(t, ',');
	jp_text_int(t, f->blamed);
	jp_text_char(t, '\n');
}

enum jp_status jp_csv_clients_write(
	struct jp_csv_clients *c, const char *log, const struct jp_client_row *rows, size_t n, struct jp_why *why)
{
	enum jp_status status = set_up(c, log, why);
	if (status != JP_OK)
		return status;
	jp_text_clear(&c->text);
	for (size_t i = 0; i < n; i++)
		put_row(&c->text, &rows[i]);
	if (c->text.failed)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	status = jp_logfile_write(&c->file, c->text.at, c->text.len, why);
	return why && why->text[0] ? jp_logfile_name_it(why, status, c->file.path) : status;
}

void jp_csv_clients_reopen(struct jp_csv_clients *c)
{
	if (c->ready)
		jp_logfile_reopen(&c->file, NULL);
}

void jp_csv_clients_close(struct jp_csv_clients *c)
{
	if (c->ready)
		jp_logfile_close(&c->file);
	jp_text_free(&c->text);
}
