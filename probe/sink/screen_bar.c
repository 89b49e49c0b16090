/* The graphical lines of the live page: bars on a log scale, and the latest maxima. */
#include "screen_parts.h"

#include <math.h>
#include <string.h>

/* The bar's left edge is this part of the period, its right edge the period. */
static const double left_edge = 1.0 / 1000;

/* Cells between the label and the edge mark; one more column is kept for what lies beyond. */
static int bar_cells(const struct jp_print *p)
{
	return p->columns - jp_part_label_width(p) - 2;
}

/* Where a value stands, in cells from the left; unknown and small ones at 0, those beyond the period at the right end. */
static double place(double us, double period_us, int cells)
{
	double part = us / period_us;
	if (!(part > left_edge))
		return 0;
	return fmin(1, 1 - log(part) / log(left_edge)) * cells;
}

void jp_part_bar(const struct jp_screen *s, int which, struct jp_print *p)
{
	static const char *const blocks[][2] = {{"#", "\u2588"}, {"=", "\u2593"}, {"-", "\u2592"}, {".", "\u2591"}};
	const struct jp_dist *d = &jp_part_span_of(s, which)->cycle_end;
	double period = s->report.period_us, ends[] = {d->p50_us, d->p90_us, d->p99_us, d->max_us};
	int cells = bar_cells(p);
	jp_part_label(p, which == JP_PART_WINDOW ? "window" : "start");
	if (cells < 1)
		return;
	for (int i = 0; i < cells; i++) {
		size_t zone = 0;
		while (zone < 4 && place(ends[zone], period, cells) <= i)
			zone++;
		jp_print(p, JP_PLAIN, "%s", zone < 4 ? blocks[zone][p->utf8] : " ");
	}
	jp_print(p, JP_BOLD, "%s", p->utf8 ? "\u2503" : "|");
	if (d->max_us > period)
		jp_print(p, JP_BAD, ">");
}

void jp_part_scale(const struct jp_screen *s, int which, struct jp_print *p)
{
	static const char *const marks[] = {"0.1", "1", "10", "100 %"};
	(void)s, (void)which;
	int left = jp_part_label_width(p), cells = bar_cells(p);
	jp_part_label(p, "period");
	for (int i = 0; i < 3; i++) {
		jp_print_to(p, left + cells * i / 3);
		jp_print(p, JP_DIM, "%s", marks[i]);
	}
	jp_print_to(p, left + cells + 1 - (int)strlen(marks[3]));
	jp_print(p, JP_DIM, "%s", marks[3]);
}

static double largest(const double *values, size_t n)
{
	double most = NAN;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, values[i]);
	return most;
}

void jp_part_spark(const struct jp_screen *s, int which, struct jp_print *p)
{
	static const char *const levels[][2] = {{"_", "\u2581"}, {".", "\u2582"}, {":", "\u2583"}, {"-", "\u2584"},
		{"=", "\u2585"}, {"+", "\u2586"}, {"*", "\u2587"}, {"#", "\u2588"}};
	(void)which;
	int room = bar_cells(p) - 12; /* for " top 12345.6" */
	size_t n = room < 1 ? 0 : s->n_max < (size_t)room ? s->n_max : (size_t)room;
	const double *values = s->max_us + s->n_max - n;
	double top = largest(values, n);
	jp_part_label(p, "maxima");
	for (size_t i = 0; i < n; i++) {
		double level = fmin(7, fmax(0, values[i] / top * 8));
		if (isnan(values[i]))
			jp_print(p, JP_PLAIN, " ");
		else
			jp_print(p, values[i] > s->report.period_us ? JP_BAD : JP_PLAIN, "%s",
				levels[(int)level][p->utf8]);
	}
	jp_print(p, JP_DIM, " top %s", jp_num_us(top).text);
}
