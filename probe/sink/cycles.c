/* --cycles FILE.csv: every cycle, times on JACK's clock. 3000 lines a second at small periods, so the lines of a batch
 * are made by hand in one buffer and go out in one write. */
#include "logfile.h"
#include "sink.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cycles_sink {
	struct jp_logfile file;
	struct jp_text text;
};

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
	struct cycles_sink *s = self;
	jp_text_clear(&s->text);
	if (!jp_text_room(&s->text, n * LINE_MAX_BYTES))
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	char *at = s->text.at;
	for (size_t i = 0; i < n; i++)
		at = put_cycle(at, &cycles[i]);
	return jp_logfile_write(&s->file, s->text.at, (size_t)(at - s->text.at), why);
}

static enum jp_status begin(void *self, const struct jp_meta *meta, struct jp_why *why)
{
	struct cycles_sink *s = self;
	(void)meta;
	return jp_logfile_ready(&s->file, why);
}

static enum jp_status reopen(void *self, struct jp_why *why)
{
	struct cycles_sink *s = self;
	enum jp_status status = jp_logfile_reopen(&s->file, why);
	return status == JP_OK ? jp_logfile_ready(&s->file, why) : status;
}

static void close_cycles(void *self)
{
	struct cycles_sink *s = self;
	jp_logfile_close(&s->file);
	jp_text_free(&s->text);
	free(s);
}

static const struct jp_sink_ops ops = {
	.kind = "cycles",
	.begin = begin,
	.cycles = write_cycles,
	.reopen = reopen,
	.close = close_cycles,
};

enum jp_status jp_sink_open_cycles(const char *path, struct jp_sink_instance *out, struct jp_why *why)
{
	struct cycles_sink *s = calloc(1, sizeof *s);
	if (!s || jp_logfile_init(&s->file, path, header, jp_logfile_same_header) != JP_OK) {
		free(s);
		return jp_why_set(why, JP_NO_MEM, "%.100s: out of memory", path);
	}
	enum jp_status status = jp_logfile_open(&s->file, why);
	if (status != JP_OK) {
		close_cycles(s);
		return jp_logfile_name_it(why, status, path);
	}
	*out = (struct jp_sink_instance){.ops = &ops, .self = s};
	snprintf(out->name, sizeof out->name, "%s", path);
	return JP_OK;
}
