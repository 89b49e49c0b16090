/* A CSV file of rows as a sink. */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>

enum jp_status jp_table_begin(void *table, const struct jp_meta *meta, struct jp_why *why)
{
	struct jp_table *t = table;
	(void)meta;
	return jp_logfile_ready(&t->file, why);
}

enum jp_status jp_table_write(struct jp_table *t, struct jp_why *why)
{
	if (t->text.failed)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	return jp_logfile_write(&t->file, t->text.at, t->text.len, why);
}

enum jp_status jp_table_reopen(void *table, struct jp_why *why)
{
	struct jp_table *t = table;
	enum jp_status status = jp_logfile_reopen(&t->file, why);
	return status == JP_OK ? jp_logfile_ready(&t->file, why) : status;
}

void jp_table_close(void *table)
{
	struct jp_table *t = table;
	jp_logfile_close(&t->file);
	jp_text_free(&t->text);
	free(t);
}

enum jp_status jp_table_open(const char *path, const char *header, const struct jp_sink_ops *ops,
	struct jp_sink_instance *out, struct jp_why *why)
{
	struct jp_table *t = calloc(1, sizeof *t);
	if (!t || jp_logfile_init(&t->file, path, header, jp_logfile_same_header) != JP_OK) {
		free(t);
		return jp_why_set(why, JP_NO_MEM, "%.100s: out of memory", path);
	}
	enum jp_status status = jp_logfile_open(&t->file, why);
	if (status != JP_OK) {
		jp_table_close(t);
		return jp_logfile_name_it(why, status, path);
	}
	*out = (struct jp_sink_instance){.ops = ops, .self = t};
	snprintf(out->name, sizeof out->name, "%s", path);
	return JP_OK;
}
