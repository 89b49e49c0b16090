/* The live page: memory, and which lines there is room for. */
#include "screen.h"

#include "screen_parts.h"

#include <stdio.h>
#include <string.h>

void jp_screen_meta(struct jp_screen *s, const struct jp_meta *meta)
{
	const char *server = jp_meta_get(meta, "server");
	if (server)
		snprintf(s->server, sizeof s->server, "%.63s", server);
}

void jp_screen_window(struct jp_screen *s, const struct jp_report *report)
{
	s->report = *report;
	s->started = true;
	if (s->n_max == JP_SCREEN_HISTORY) {
		s->n_max--;
		memmove(s->max_us, s->max_us + 1, s->n_max * sizeof *s->max_us);
	}
	s->max_us[s->n_max++] = report->window.cycle_end.max_us;
}

void jp_screen_event(struct jp_screen *s, const struct jp_event *event)
{
	if (s->n_events < JP_SCREEN_EVENTS)
		s->n_events++;
	memmove(s->event + 1, s->event, (s->n_events - 1) * sizeof *s->event);
	s->event[0] = *event;
}

/* A line of the page. Lines with a lower rank stay longer when room gets scarce. */
struct row {
	jp_part *draw;
	int which, rank;
};

/* In the order of the page. Events follow: the latest two ranked among these lines, the others behind all. */
static const struct row page[] = {
	{jp_part_state, 0, 1},
	{jp_part_server, 0, 2},
	{jp_part_blank, 0, 23},
	{jp_part_table_head, 0, 3},
	{jp_part_table, JP_PART_WINDOW, 4},
	{jp_part_table, JP_PART_TOTAL, 5},
	{jp_part_blank, 0, 24},
	{jp_part_bar, JP_PART_WINDOW, 8},
	{jp_part_bar, JP_PART_TOTAL, 11},
	{jp_part_scale, 0, 14},
	{jp_part_spark, 0, 13},
	{jp_part_blank, 0, 25},
	{jp_part_counts_head, 0, 6},
	{jp_part_counts, JP_PART_WINDOW, 9},
	{jp_part_counts, JP_PART_TOTAL, 7},
	{jp_part_blank, 0, 28},
	{jp_part_coverage, 0, 10},
	{jp_part_load, 0, 15},
	{jp_part_dispatch, 0, 18},
	{jp_part_lateness, 0, 22},
	{jp_part_power, 0, 16},
	{jp_part_cpu, 0, 26},
	{jp_part_idle, 0, 21},
	{jp_part_zones, 0, 27},
	{jp_part_worst, 0, 12},
	{jp_part_legend, 0, 20},
	{jp_part_blank, 0, 29},
};
/* Before the first window. */
static const struct row waiting[] = {
	{jp_part_state, 0, 1},
	{jp_part_server, 0, 2},
};
enum { PAGE = sizeof page / sizeof *page, FIRST_EVENT = 17, SECOND_EVENT = 19, MORE_EVENTS = 30 };

static int event_rank(size_t i)
{
	return i == 0 ? FIRST_EVENT : i == 1 ? SECOND_EVENT : MORE_EVENTS + (int)i;
}

/* The highest rank up to which all rows together fit into the lines. */
static int limit(const struct row *rows, size_t n, size_t n_events, int lines)
{
	int rank = 0;
	for (int room = lines; room > 0 && rank < MORE_EVENTS + JP_SCREEN_EVENTS; rank++) {
		for (size_t i = 0; i < n; i++)
			room -= rows[i].rank == rank + 1;
		for (size_t i = 0; i < n_events; i++)
			room -= event_rank(i) == rank + 1;
	}
	return rank;
}

void jp_screen_draw(const struct jp_screen *s, int lines, struct jp_print *p)
{
	bool ready = s->started && s->report.epoch > 0;
	const struct row *rows = ready ? page : waiting;
	size_t n = ready ? PAGE : sizeof waiting / sizeof *waiting;
	int rank = limit(rows, n, s->n_events, lines);
	for (size_t i = 0; i < n; i++)
		if (rows[i].rank <= rank) {
			rows[i].draw(s, rows[i].which, p);
			jp_print_end(p);
		}
	for (size_t i = 0; i < s->n_events; i++)
		if (event_rank(i) <= rank) {
			jp_part_event(s, (int)i, p);
			jp_print_end(p);
		}
}
