/* --executions FILE.csv: every execution of every client that the server's record shows, times on JACK's clock. */
#include "table.h"

static const char header[] = "frame,client,signalled_ns,awake_ns,finished_ns,state";

static void put_frame(struct jp_text *t, uint64_t frame)
{
	char digits[JP_TEXT_DIGITS_MAX];
	jp_text_bytes(t, digits, jp_text_digits(digits, frame));
}

static void put_row(struct jp_text *t, const struct jp_exec_row *row)
{
	const int64_t times[] = {row->exec.signalled_ns, row->exec.awake_ns, row->exec.finished_ns};
	put_frame(t, row->frame);
	jp_text_char(t, ',');
	jp_text_csv(t, row->client);
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		jp_text_char(t, ',');
		if (times[i] != JP_NS_UNKNOWN)
			jp_text_int(t, times[i]);
	}
	jp_text_char(t, ',');
	jp_text_put(t, jp_exec_state_text((enum jp_exec_state)row->exec.state));
	jp_text_char(t, '\n');
}

static enum jp_status write_rows(void *self, const struct jp_exec_row *rows, size_t n, struct jp_why *why)
{
	struct jp_table *table = self;
	jp_text_clear(&table->text);
	for (size_t i = 0; i < n; i++)
		put_row(&table->text, &rows[i]);
	return jp_table_write(table, why);
}

static const struct jp_sink_ops ops = {
	.kind = "executions",
	.begin = jp_table_begin,
	.executions = write_rows,
	.reopen = jp_table_reopen,
	.close = jp_table_close,
};

enum jp_status jp_sink_open_executions(const char *path, struct jp_sink_instance *out, struct jp_why *why)
{
	return jp_table_open(path, header, &ops, out, why);
}
