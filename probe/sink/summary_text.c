/* The summary for people. */
#include "summary_text.h"

#include <jackprobe/record.h>
#include <jackprobe/window.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A line of prose ends before column WIDTH; figures stand in columns of CELL. All fits a terminal of 80 columns. */
enum { COLUMN = 12, CELL = 9, WIDTH = 79 };

static void label(struct jp_print *p, const char *text)
{
	jp_print(p, JP_PLAIN, "%s", text);
	jp_print_to(p, COLUMN);
}

static void counts(const struct jp_counts *c, struct jp_print *p)
{
	label(p, "cycles");
	jp_print(p, JP_PLAIN, "%s  overruns %s  lost %s  incomplete %s  xruns %s", jp_num_count(c->cycles).text,
		jp_num_count(c->overruns).text, jp_num_count(c->lost).text, jp_num_count(c->incomplete).text,
		jp_num_count(c->xruns).text);
	jp_print_end(p);
	jp_print_to(p, COLUMN);
	jp_print(p, JP_PLAIN, "dropped %s  freewheel %s", jp_num_count(c->dropped).text,
		jp_num_count(c->freewheel).text);
	jp_print_end(p);
}

/* A sentence, broken between words, under a label. */
static void prose(struct jp_print *p, enum jp_tone tone, const char *name, const char *text)
{
	label(p, name);
	while (*text) {
		int n = (int)strcspn(text, " ");
		if (p->used > COLUMN && p->used + 1 + n > WIDTH) {
			jp_print_end(p);
			jp_print_to(p, COLUMN);
		}
		jp_print(p, tone, p->used > COLUMN ? " %.*s" : "%.*s", n, text);
		text += n;
		text += strspn(text, " ");
	}
	jp_print_end(p);
}

static void cell(struct jp_print *p, int column, const char *text)
{
	/* A percentile's mark stands behind the column, so that the figures stand under each other. */
	int digits = (int)strcspn(text, "~");
	jp_print_to(p, COLUMN + CELL * column - digits - 1);
	jp_print(p, JP_PLAIN, "%s", text);
}

static void dist_heading(struct jp_print *p)
{
	static const char *const name[] = {"min", "mean", "p50", "p90", "p99", "p99.9", "max"};
	jp_print(p, JP_DIM, "us");
	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		cell(p, (int)i + 1, name[i]);
	jp_print_end(p);
}

static void dist(const char *name, const struct jp_dist *d, struct jp_print *p)
{
	const struct {
		double us, p;
	} part[] = {{d->min_us, 0}, {d->mean_us, 0}, {d->p50_us, 50}, {d->p90_us, 90}, {d->p99_us, 99},
		{d->p999_us, 99.9}, {d->max_us, 0}};
	label(p, name);
	for (size_t i = 0; d->n > 0 && i < sizeof part / sizeof *part; i++) {
		double value = part[i].us;
		struct jp_num n = part[i].p > 0 ? jp_num_percentile(d, value, part[i].p) : jp_num_us(value);
		cell(p, (int)i + 1, n.text);
	}
	if (d->n <= 0)
		jp_print(p, JP_PLAIN, "n/a");
	jp_print_end(p);
}

static void worst(const struct jp_span *total, struct jp_print *p)
{
	const struct jp_worst *w = &total->worst;
	label(p, "headroom");
	jp_print(p, JP_PLAIN, "min %s us  load p50 %s %%  max %s %%", jp_num_us(total->headroom_min_us).text,
		jp_num(total->load_p50_pct, 1).text, jp_num(total->load_max_pct, 1).text);
	jp_print_end(p);
	label(p, "worst");
	if (isfinite(w->end_us))
		jp_print(p, JP_PLAIN, "%s us of a period of %s us at %s", jp_num_us(w->end_us).text,
			jp_num_us(w->period_us).text, jp_num_utc(w->unix_ns, true).text);
	else
		jp_print(p, JP_PLAIN, "n/a");
	jp_print_end(p);
}

static void graph(const struct jp_report *r, struct jp_print *p)
{
	label(p, "graph");
	jp_print(p, JP_PLAIN, "%s Hz  %s frames  period %s us  wake %s  end %s", jp_num_count(r->rate_hz).text,
		jp_num_count(r->frames).text, jp_num_us(r->period_us).text,
		jp_or_na(jp_wake_source_text(r->wake_source)), jp_or_na(jp_end_source_text(r->end_source)));
	jp_print_end(p);
	label(p, "covered");
	jp_print(p, JP_PLAIN, "%s%s%s", jp_num_covered(r->covered, r->clients).text, *r->uncovered ? ", not: " : "",
		r->uncovered);
	jp_print_end(p);
}

/* A callback's own cost: in ns, as it is below a microsecond. */
static void cost(const char *name, const struct jp_dist *d, struct jp_print *p)
{
	if (d->n > 0)
		jp_print(p, JP_PLAIN, "%s p50 %s  p99 %s  max %s ns", name, jp_num(d->p50_us * 1000, 0).text,
			jp_num(d->p99_us * 1000, 0).text, jp_num(d->max_us * 1000, 0).text);
	else
		jp_print(p, JP_PLAIN, "%s n/a", name);
	jp_print_end(p);
	jp_print_to(p, COLUMN);
}

static void own_cost(const struct jp_summary *s, struct jp_print *p)
{
	label(p, "own cost");
	cost("head callback", &s->head_cost, p);
	cost("tail callback", &s->tail_cost, p);
	jp_print(p, JP_PLAIN, "CPU %s %% of one core", jp_num(s->cpu_pct, 2).text);
	jp_print_end(p);
}

/* Where the callbacks ran mostly. */
static void callbacks(const struct jp_ran ran[2], struct jp_print *p)
{
	label(p, "callbacks");
	jp_print(p, JP_PLAIN, "head on %s, tail on %s", jp_num_ran(&ran[JP_HEAD]).text, jp_num_ran(&ran[JP_TAIL]).text);
	jp_print_end(p);
}

static void outputs(const struct jp_summary *s, struct jp_print *p)
{
	label(p, "power");
	jp_print(p, JP_PLAIN, isfinite(s->power_mean_w) ? "mean %s W" : "%s", jp_num(s->power_mean_w, 2).text);
	jp_print_end(p);
	if (s->osc_sent || s->osc_dropped) {
		label(p, "OSC");
		jp_print(p, JP_PLAIN, "%llu datagrams sent, %llu dropped", (unsigned long long)s->osc_sent,
			(unsigned long long)s->osc_dropped);
		jp_print_end(p);
	}
	if (s->sink_errors) {
		char text[256];
		snprintf(text, sizeof text, "%llu items not written%s%s", (unsigned long long)s->sink_errors,
			*s->sink_error ? "; last: " : "", s->sink_error);
		prose(p, JP_BAD, "logs", text);
	}
	if (*s->threshold) {
		label(p, "threshold");
		jp_print(p, JP_BAD, "passed: %s", s->threshold);
		jp_print_end(p);
	}
}

static void clients(const struct jp_summary *s, struct jp_print *p)
{
	if (*s->blamed) {
		prose(p, JP_BAD, "blamed", s->blamed);
	}
	if (*s->stuck)
		prose(p, JP_BAD, "stuck", s->stuck);
	for (size_t i = 0; i < s->n_clients; i++) {
		const struct jp_client_figures *f = &s->client[i];
		label(p, i ? "" : "clients");
		jp_print(p, JP_PLAIN, "%s: busy p50 %s p99 %s max %s us", f->name, jp_num_us(f->busy_p50_us).text,
			jp_num_us(f->busy_p99_us).text, jp_num_us(f->busy_max_us).text);
		jp_print_end(p);
		jp_print_to(p, COLUMN + 2);
		jp_print(p, JP_PLAIN, "wait p99 %s us  late %s  blamed %s", jp_num_us(f->wait_p99_us).text,
			jp_num_count(f->late).text, jp_num_count(f->blamed).text);
		jp_print_end(p);
	}
	if (s->more_clients) {
		label(p, "");
		jp_print(p, JP_DIM, "and %zu more", s->more_clients);
		jp_print_end(p);
	}
}

void jp_summary_text(const struct jp_summary *s, struct jp_print *p)
{
	const struct jp_span *total = &s->last.total;
	jp_print(p, JP_BOLD, "jackprobe: summary of %s", jp_num_elapsed(s->last.elapsed_s).text);
	jp_print_end(p);
	graph(&s->last, p);
	counts(&total->counts, p);
	dist_heading(p);
	dist("cycle end", &total->cycle_end, p);
	dist("dispatch", &total->dispatch, p);
	dist("lateness", &total->lateness, p);
	if (total->tail_hop.n > 0)
		dist("tail hop", &total->tail_hop, p);
	if (total->cycle_end.n > 0 && jp_dist_thin(total->cycle_end.n, 99.9)) {
		label(p, "");
		jp_print(p, JP_DIM, "~ fewer than 10 samples lie beyond this percentile");
		jp_print_end(p);
	}
	if (s->last.epoch > 1) {
		char text[160];
		snprintf(text, sizeof text,
			"distributions, headroom, load and worst: of epoch %u alone, the last one; counts: of the "
			"whole run",
			s->last.epoch);
		prose(p, JP_DIM, "", text);
	}
	worst(total, p);
	clients(s, p);
	outputs(s, p);
	callbacks(s->ran, p);
	own_cost(s, p);
	for (size_t i = 0; i < s->n_notes; i++)
		prose(p, JP_PLAIN, i ? "" : "unknown", s->note[i]);
}
