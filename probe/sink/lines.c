/* One line a window: for --batch, for pipes and for terminals that can do nothing else. */
#include "lines.h"

#include "out.h"
#include "sink.h"
#include "summary_text.h"
#include "sys/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void jp_lines_window(const struct jp_report *r, struct jp_print *p)
{
	const struct jp_span *w = &r->window;
	const struct jp_dist *end = &w->cycle_end;
	jp_print(p, JP_PLAIN, "%s %s n=%s", jp_num_utc(r->unix_ns, false).text, jp_state_text(r->state),
		jp_num_count(w->counts.cycles).text);
	jp_print(p, JP_PLAIN, " cycle_end_us p50=%s p99=%s max=%s", jp_num_percentile(end, end->p50_us, 50).text,
		jp_num_percentile(end, end->p99_us, 99).text, jp_num_us(end->max_us).text);
	jp_print(p, JP_PLAIN, " load_max_pct=%s overruns=%s lost=%s xruns=%s", jp_num(w->load_max_pct, 1).text,
		jp_num_count(w->counts.overruns).text, jp_num_count(w->counts.lost).text,
		jp_num_count(w->counts.xruns).text);
	if (w->counts.incomplete > 0)
		jp_print(p, JP_PLAIN, " incomplete=%s", jp_num_count(w->counts.incomplete).text);
	if (w->counts.dropped > 0)
		jp_print(p, JP_PLAIN, " dropped=%s", jp_num_count(w->counts.dropped).text);
	jp_print(p, JP_PLAIN, " covered=%s power_w=%s", jp_num_covered(r->covered, r->clients).text,
		jp_num(r->host.power_w, 2).text);
	jp_print_end(p);
}

void jp_lines_event_facts(const struct jp_event *e, struct jp_print *p)
{
	if (*e->client)
		jp_print(p, JP_BOLD, " %s", e->client);
	if (*e->kind)
		jp_print(p, JP_PLAIN, " (%s)", e->kind);
	if (e->event == JP_EVENT_XRUN)
		jp_print(p, JP_PLAIN, " delay %s%s", isfinite(e->value_us) ? jp_num_us(e->value_us).text : "unknown",
			isfinite(e->value_us) ? " us" : "");
	else if (isfinite(e->value_us))
		jp_print(p, JP_PLAIN, " %s us", jp_num_us(e->value_us).text);
	if (e->event == JP_EVENT_OVERRUN && isfinite(e->period_us))
		jp_print(p, JP_PLAIN, " of %s us", jp_num_us(e->period_us).text);
	if (*e->detail)
		jp_print(p, JP_PLAIN, " %s", e->detail);
	if (e->suppressed)
		jp_print(p, JP_DIM, " (+%llu not shown)", (unsigned long long)e->suppressed);
}

void jp_lines_event(const struct jp_event *e, struct jp_print *p)
{
	jp_print(p, JP_PLAIN, "%s ! %s", jp_num_utc(e->unix_ns, false).text, jp_event_type_text(e->event));
	jp_lines_event_facts(e, p);
	jp_print_end(p);
}

/* The sink. */

enum { TEXT_MAX = 16384 };

struct lines {
	int fd;
	bool utf8;
	char text[TEXT_MAX];
};

static struct jp_print start(struct lines *l)
{
	return (struct jp_print){.buf = l->text, .size = sizeof l->text, .utf8 = l->utf8};
}

static enum jp_status finish(struct lines *l, const struct jp_print *p, struct jp_why *why)
{
	return jp_out_write(l->fd, p->buf, p->len, why);
}

static enum jp_status on_window(void *self, const struct jp_report *report, struct jp_why *why)
{
	struct jp_print p = start(self);
	jp_lines_window(report, &p);
	return finish(self, &p, why);
}

/* What could not be written is said even so; where standard error takes nothing nobody can be told. */
static void tell_error(const struct jp_event *event)
{
	char shown[sizeof event->detail + 64], line[sizeof shown + 16];
	if (event->event != JP_EVENT_SINK_ERROR)
		return;
	jp_utf8_show(event->detail, shown, sizeof shown);
	int n = snprintf(line, sizeof line, "jackprobe: %s\n", shown);
	jp_out_write(STDERR_FILENO, line, (size_t)n, NULL);
}

static enum jp_status on_event(void *self, const struct jp_event *event, struct jp_why *why)
{
	struct jp_print p = start(self);
	jp_lines_event(event, &p);
	enum jp_status status = finish(self, &p, why);
	if (status != JP_OK && status != JP_GONE)
		tell_error(event);
	return status;
}

static enum jp_status on_quiet_event(void *self, const struct jp_event *event, struct jp_why *why)
{
	(void)self, (void)why;
	tell_error(event);
	return JP_OK;
}

static enum jp_status on_summary(void *self, const struct jp_summary *summary, struct jp_why *why)
{
	struct jp_print p = start(self);
	jp_summary_text(summary, &p);
	return finish(self, &p, why);
}

static const struct jp_sink_ops lines_ops = {
	.kind = "lines", .window = on_window, .event = on_event, .summary = on_summary, .close = free};
static const struct jp_sink_ops quiet_ops = {
	.kind = "lines", .event = on_quiet_event, .summary = on_summary, .close = free};

enum jp_status jp_sink_open_lines(
	int fd, bool quiet, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why)
{
	(void)config; /* extra columns are for files and for the page */
	struct lines *l = calloc(1, sizeof *l);
	if (!l)
		return jp_why_set(why, JP_NO_MEM, "out of memory for the output");
	l->fd = fd;
	l->utf8 = !isatty(fd) || jp_out_utf8(); /* a file gets names as they are */
	*out = (struct jp_sink_instance){.ops = quiet ? &quiet_ops : &lines_ops, .self = l, .name = "standard output"};
	return JP_OK;
}
