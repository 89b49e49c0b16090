/** @file table.h
 * A sink that is one CSV file of one kind of rows: what all of them share. The members fit into struct jp_sink_ops, with the table as
 * self. */
#ifndef JP_TABLE_H
#define JP_TABLE_H

#include "logfile.h"
#include "sink.h"
#include "sys/text.h"

struct jp_table {
	struct jp_logfile file;
	struct jp_text text; /**< the rows of a batch, which go out in one write */
};

/** @param header without its line end. Errors: those of jp_sink_open_log. */
enum jp_status jp_table_open(const char *path, const char *header, const struct jp_sink_ops *ops,
	struct jp_sink_instance *out, struct jp_why *why);
enum jp_status jp_table_begin(void *table, const struct jp_meta *meta, struct jp_why *why);
/** Write what stands in text. Errors: JP_NO_MEM, those of jp_logfile_write. */
enum jp_status jp_table_write(struct jp_table *table, struct jp_why *why);
enum jp_status jp_table_reopen(void *table, struct jp_why *why);
void jp_table_close(void *table);

#endif
