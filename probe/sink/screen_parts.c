/* The lines of the live page that are made of words and numbers. */
#include "screen_parts.h"

#include "lines.h"

#include <jackprobe/record.h>
#include <jackprobe/window.h>
#include <math.h>
#include <string.h>

enum { WIDE = 68, LABEL_WIDE = 14, LABEL_NARROW = 9 };

int jp_part_label_width(const struct jp_print *p)
{
	return p->columns >= WIDE ? LABEL_WIDE : LABEL_NARROW;
}

void jp_part_label(struct jp_print *p, const char *text)
{
	int width = jp_part_label_width(p);
	jp_print(p, JP_DIM, "%.*s", width - 1, text);
	jp_print_to(p, width);
}

const struct jp_span *jp_part_span_of(const struct jp_screen *s, int which)
{
	return which == JP_PART_WINDOW ? &s->report.window : &s->report.total;
}

static const char *span_name(const struct jp_print *p, int which)
{
	if (p->columns >= WIDE)
		return which == JP_PART_WINDOW ? "last window" : "since start";
	return which == JP_PART_WINDOW ? "window" : "start";
}

void jp_part_blank(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)s, (void)which, (void)p;
}

static enum jp_tone state_tone(enum jp_state state)
{
	switch (state) {
	case JP_STATE_RUNNING:
		return JP_GOOD;
	case JP_STATE_STALE:
	case JP_STATE_FREEWHEEL:
		return JP_WARN;
	case JP_STATE_DISCONNECTED:
		return JP_BAD;
	}
	return JP_PLAIN;
}

void jp_part_state(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_report *r = &s->report;
	jp_print(p, JP_BOLD, "jackprobe");
	if (s->started) {
		jp_print(p, state_tone(r->state), "  %s", jp_state_text(r->state));
		jp_print(p, JP_PLAIN, "  %s", jp_num_elapsed(r->elapsed_s).text);
	}
	if (!s->started || r->epoch == 0)
		jp_print(p, JP_WARN, "  waiting for cycles");
	else
		jp_print(p, JP_PLAIN, "  wake %s  end %s", jp_or_na(jp_wake_source_text(r->wake_source)),
			jp_or_na(jp_end_source_text(r->end_source)));
}

void jp_part_server(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_report *r = &s->report;
	jp_print(p, JP_PLAIN, "%s", *s->server ? s->server : "server n/a");
	if (s->started)
		jp_print(p, JP_PLAIN, "  %s Hz  %s frames  period %s us", jp_num_count(r->rate_hz).text,
			jp_num_count(r->frames).text, jp_num_us(r->period_us).text);
}

/* The table of the cycle end. */

struct column {
	const char *title;
	size_t offset; /* in struct jp_dist */
	double p;      /* percentile; 0: exact */
	bool narrow;   /* shown where there is little room */
};
#define OF(member) offsetof(struct jp_dist, member)
static const struct column columns[] = {
	{"p50", OF(p50_us), 50, true},
	{"p90", OF(p90_us), 90, false},
	{"p99", OF(p99_us), 99, true},
	{"p99.9", OF(p999_us), 99.9, false},
	{"max", OF(max_us), 0, true},
};
enum { COLUMNS = sizeof columns / sizeof *columns, CELL_WIDE = 9, CELL_NARROW = 8 };

static bool shown(const struct column *c, const struct jp_print *p)
{
	return c->narrow || p->columns >= WIDE;
}

static int cell_width(const struct jp_print *p)
{
	return p->columns >= WIDE ? CELL_WIDE : CELL_NARROW;
}

/* Right-aligned, a '~' in the cell's last column. */
static void cell(struct jp_print *p, enum jp_tone tone, const char *text)
{
	bool marked = strchr(text, '~') != NULL;
	int width = cell_width(p);
	jp_print(p, tone, "%*s%s", width - !marked, text, marked ? "" : " ");
}

void jp_part_table_head(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)s, (void)which;
	jp_part_label(p, p->columns >= WIDE ? "cycle end, us" : "us");
	for (size_t i = 0; i < COLUMNS; i++)
		if (shown(&columns[i], p))
			cell(p, JP_DIM, columns[i].title);
	jp_print(p, JP_DIM, "%*s", cell_width(p) - 1, "n");
}

void jp_part_table(const struct jp_screen *s, int which, struct jp_print *p)
{
	const struct jp_dist *d = &jp_part_span_of(s, which)->cycle_end;
	jp_part_label(p, span_name(p, which));
	for (size_t i = 0; i < COLUMNS; i++) {
		const struct column *c = &columns[i];
		double us;
		memcpy(&us, (const char *)d + c->offset, sizeof us);
		enum jp_tone tone = us > s->report.period_us ? JP_BAD : JP_PLAIN;
		if (shown(c, p))
			cell(p, tone, c->p > 0 ? jp_num_percentile(d, us, c->p).text : jp_num_us(us).text);
	}
	int64_t n = jp_part_span_of(s, which)->counts.cycles < 0 ? -1 : d->n;
	jp_print(p, JP_PLAIN, "%*s", cell_width(p) - 1, jp_num_count(n).text);
}

/* The table of counts. */

static const struct {
	const char *title, *narrow;
	size_t offset; /* in struct jp_counts */
	bool bad;      /* anything but 0 deserves a look */
} count_columns[] = {
	{"overruns", "over", offsetof(struct jp_counts, overruns), true},
	{"lost", "lost", offsetof(struct jp_counts, lost), true},
	{"xruns", "xrun", offsetof(struct jp_counts, xruns), true},
	{"incomplete", "inco", offsetof(struct jp_counts, incomplete), false},
	{"dropped", "drop", offsetof(struct jp_counts, dropped), true},
	{"freewheel", "free", offsetof(struct jp_counts, freewheel), false},
};
enum { COUNT_COLUMNS = sizeof count_columns / sizeof *count_columns };

static int count_width(const struct jp_print *p)
{
	return p->columns >= LABEL_WIDE + 11 * COUNT_COLUMNS ? 11 : p->columns >= WIDE ? CELL_WIDE : 5;
}

void jp_part_counts_head(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)s, (void)which;
	int width = count_width(p);
	jp_part_label(p, "cycles");
	for (size_t i = 0; i < COUNT_COLUMNS; i++)
		jp_print(p, JP_DIM, "%*s", width, width > CELL_WIDE ? count_columns[i].title : count_columns[i].narrow);
}

void jp_part_counts(const struct jp_screen *s, int which, struct jp_print *p)
{
	const struct jp_counts *counts = &jp_part_span_of(s, which)->counts;
	jp_part_label(p, span_name(p, which));
	for (size_t i = 0; i < COUNT_COLUMNS; i++) {
		int64_t n = *(const int64_t *)((const char *)counts + count_columns[i].offset);
		jp_print(p, n > 0 && count_columns[i].bad ? JP_BAD : JP_PLAIN, "%*s", count_width(p),
			jp_num_count(n).text);
	}
}

/* Lines of single figures. */

void jp_part_coverage(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_report *r = &s->report;
	jp_part_label(p, "covered");
	jp_print(p, JP_PLAIN, "%s", jp_num_covered(r->covered, r->clients).text);
	if (*r->uncovered)
		jp_print(p, JP_WARN, ", not: %s", r->uncovered);
}

void jp_part_load(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_span *w = &s->report.window;
	jp_part_label(p, "load");
	jp_print(p, JP_PLAIN, "p50 %s %%  max %s %%  headroom min %s us", jp_num(w->load_p50_pct, 1).text,
		jp_num(w->load_max_pct, 1).text, jp_num_us(w->headroom_min_us).text);
}

static void delay(const char *label, const struct jp_dist *d, struct jp_print *p)
{
	jp_part_label(p, label);
	jp_print(p, JP_PLAIN, "p50 %s  p99 %s  max %s us", jp_num_us(d->p50_us).text,
		jp_num_percentile(d, d->p99_us, 99).text, jp_num_us(d->max_us).text);
}

void jp_part_dispatch(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	delay("dispatch", &s->report.window.dispatch, p);
}

void jp_part_lateness(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	delay("lateness", &s->report.window.lateness, p);
}

void jp_part_power(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_host *h = &s->report.host;
	jp_part_label(p, "power");
	jp_print(p, JP_PLAIN, isfinite(h->power_w) ? "%s W" : "%s", jp_num(h->power_w, 2).text);
	jp_print(p, JP_PLAIN, "  freq min %s  mean %s  max %s  callbacks %s MHz", jp_num(h->freq_min_mhz, 0).text,
		jp_num(h->freq_mean_mhz, 0).text, jp_num(h->freq_max_mhz, 0).text, jp_num(h->rt_freq_mhz, 0).text);
}

void jp_part_cpu(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_host *h = &s->report.host;
	jp_part_label(p, "cpu");
	jp_print(p, JP_PLAIN, "user %s system %s irq %s soft %s %%  %s irq/s  %s ctxt/s",
		jp_num(h->cpu_user_pct, 1).text, jp_num(h->cpu_system_pct, 1).text, jp_num(h->cpu_irq_pct, 1).text,
		jp_num(h->cpu_softirq_pct, 1).text, jp_num(h->irq_per_s, 0).text, jp_num(h->ctxt_per_s, 0).text);
}

void jp_part_callbacks(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	jp_part_label(p, "callbacks");
	jp_print(p, JP_PLAIN, "head on %s  tail on %s", jp_num_ran(&s->report.ran[JP_HEAD]).text,
		jp_num_ran(&s->report.ran[JP_TAIL]).text);
}

static bool is_idle(const struct jp_extra_column *column)
{
	return strncmp(column->csv, "idle_", 5) == 0;
}

void jp_part_idle(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_report *r = &s->report;
	jp_part_label(p, "idle");
	/* NaN stands for "no limit" too */
	if (isfinite(r->host.dma_latency_us))
		jp_print(p, JP_PLAIN, "latency limit %s us", jp_num(r->host.dma_latency_us, 0).text);
	else
		jp_print(p, JP_PLAIN, "latency limit none known");
	size_t n = 0;
	for (size_t i = 0; i < r->n_columns && i < JP_EXTRA_MAX; i++) {
		const char *name = r->columns[i].csv + 5; /* behind "idle_" */
		if (!is_idle(&r->columns[i]))
			continue;
		n++;
		jp_print(p, JP_PLAIN, "  %.*s %s", (int)strcspn(name, "_"), name, jp_num(r->host.extra[i], 1).text);
	}
	jp_print(p, JP_PLAIN, "%s", n ? " %" : "");
}

void jp_part_zones(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_report *r = &s->report;
	jp_part_label(p, "sensors");
	size_t n = 0;
	for (size_t i = 0; i < r->n_columns && i < JP_EXTRA_MAX; i++)
		if (!is_idle(&r->columns[i]))
			jp_print(p, JP_PLAIN, "%s%s %s", n++ ? "  " : "", r->columns[i].csv,
				jp_num(r->host.extra[i], 1).text);
	if (n == 0)
		jp_print(p, JP_PLAIN, "n/a");
}

void jp_part_worst(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)which;
	const struct jp_worst *w = &s->report.total.worst;
	jp_part_label(p, "worst");
	if (!isfinite(w->end_us)) {
		jp_print(p, JP_PLAIN, "n/a");
		return;
	}
	jp_print(p, w->end_us > w->period_us ? JP_BAD : JP_PLAIN, "%s us", jp_num_us(w->end_us).text);
	jp_print(p, JP_PLAIN, " at %s, %s %% of the period", jp_num_local(w->unix_ns).text,
		jp_num(100 * w->end_us / w->period_us, 1).text);
	if (*s->report.culprit)
		jp_print(p, JP_PLAIN, ", %s", s->report.culprit);
}

static enum jp_tone event_tone(enum jp_event_type type)
{
	bool bad = type == JP_EVENT_OVERRUN || type == JP_EVENT_LOST || type == JP_EVENT_XRUN || type == JP_EVENT_STUCK;
	return bad ? JP_BAD : JP_WARN;
}

void jp_part_event(const struct jp_screen *s, int which, struct jp_print *p)
{
	const struct jp_event *e = &s->event[which];
	jp_print(p, JP_PLAIN, "%s ", jp_num_local(e->unix_ns).text);
	jp_print(p, event_tone(e->event), "%s", jp_event_type_text(e->event));
	jp_lines_event_facts(e, p);
}

void jp_part_legend(const struct jp_screen *s, int which, struct jp_print *p)
{
	(void)s, (void)which;
	jp_print(p, JP_DIM, "~ fewer than 10 samples lie beyond this percentile");
}
