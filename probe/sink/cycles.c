/* --cycles FILE.csv: every cycle, times on JACK's clock. 3000 lines a second at small periods, so the lines of a batch
 * are made by hand in one buffer and go out in one write. */
#include "table.h"

#include <string.h>

enum {
	LINE_MAX_BYTES = 13 * (JP_TEXT_DIGITS_MAX + 2)
}; /* no field is longer than a signed 64-bit number and its comma */

static const char header[] =
	"frame,nframes,rate_hz,wake_ns,nominal_ns,head_ns,tail_ns,end_ns,wake_source,end_source,flags,"
	"head_cpu,tail_cpu";

static char *put_number(char *at, int64_t value)
{
	if (value < 0)
		*at++ = '-';
	at += jp_text_digits(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
	*at++ = ',';
	return at;
}

static char *put_known(char *at, int64_t value, bool known)
{
	if (known)
		return put_number(at, value);
	*at++ = ',';
	return at;
}

static char *put_word(char *at, const char *word)
{
	at = stpcpy(at, word);
	*at++ = ',';
	return at;
}

/* One line; the caller has made room for LINE_MAX_BYTES. @return its end. */
static char *put_cycle(char *at, const struct jp_cycle *c)
{
	const int64_t times[] = {c->wake_ns, c->nominal_ns, c->head_ns, c->tail_ns, c->end_ns};
	at += jp_text_digits(at, c->frame);
	*at++ = ',';
	at = put_number(at, c->nframes);
	at = put_known(at, c->rate_hz, c->rate_hz != 0);
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
		at = put_known(at, times[i], times[i] != JP_NS_UNKNOWN);
	at = put_word(at, jp_wake_source_text((enum jp_wake_source)c->wake_source));
	at = put_word(at, jp_end_source_text((enum jp_end_source)c->end_source));
	at = put_number(at, c->flags);
	at = put_known(at, c->head_cpu, c->head_cpu >= 0);
	at = put_known(at, c->tail_cpu, c->tail_cpu >= 0);
	at[-1] = '\n';
	return at;
}

static enum jp_status write_cycles(void *self, const struct jp_cycle *cycles, size_t n, struct jp_why *why)
{
	struct jp_table *table = self;
	struct jp_text *t = &table->text;
	jp_text_clear(t);
	if (jp_text_room(t, n * LINE_MAX_BYTES)) {
		char *at = t->at;
		for (size_t i = 0; i < n; i++)
			at = put_cycle(at, &cycles[i]);
		t->len = (size_t)(at - t->at);
	}
	return jp_table_write(table, why);
}

static const struct jp_sink_ops ops = {
	.kind = "cycles",
	.begin = jp_table_begin,
	.cycles = write_cycles,
	.reopen = jp_table_reopen,
	.close = jp_table_close,
};

enum jp_status jp_sink_open_cycles(const char *path, struct jp_sink_instance *out, struct jp_why *why)
{
	return jp_table_open(path, header, &ops, out, why);
}
