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
	s->n_clients = 0;
	if (s->n_max == JP_SCREEN_HISTORY) {
		s->n_max--;
		memmove(s->max_us, s->max_us + 1, s->n_max * sizeof *s->max_us);
	}
	s->max_us[s->n_max++] = report->window.cycle_end.max_us;
}

void jp_screen_clients(struct jp_screen *s, const struct jp_client_row *rows, size_t n)
{
	s->all_clients = n;
	s->n_clients = n < JP_SCREEN_CLIENTS ? n : JP_SCREEN_CLIENTS;
	memcpy(s->client, rows, s->n_clients * sizeof *rows);
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
	{jp_part_blank, 0, 24},
	{jp_part_table_head, 0, 3},
	{jp_part_table, JP_PART_WINDOW, 4},
	{jp_part_table, JP_PART_TOTAL, 5},
	{jp_part_blank, 0, 25},
	{jp_part_bar, JP_PART_WINDOW, 8},
	{jp_part_bar, JP_PART_TOTAL, 11},
	{jp_part_scale, 0, 14},
	{jp_part_spark, 0, 13},
	{jp_part_blank, 0, 26},
	{jp_part_counts_head, 0, 6},
	{jp_part_counts, JP_PART_WINDOW, 9},
	{jp_part_counts, JP_PART_TOTAL, 7},
	{jp_part_blank, 0, 29},
	{jp_part_coverage, 0, 10},
	{jp_part_load, 0, 15},
	{jp_part_dispatch, 0, 18},
	{jp_part_lateness, 0, 22},
	{jp_part_power, 0, 16},
	{jp_part_cpu, 0, 27},
	{jp_part_callbacks, 0, 23},
	{jp_part_idle, 0, 21},
	{jp_part_zones, 0, 28},
	{jp_part_worst, 0, 12},
	{jp_part_legend, 0, 20},
	{jp_part_blank, 0, 30},
};
/* Before the first window. */
static const struct row waiting[] = {
	{jp_part_state, 0, 1},
	{jp_part_server, 0, 2},
};
enum { PAGE = sizeof page / sizeof *page, FIRST_EVENT = 17, SECOND_EVENT = 19, MORE_EVENTS = 31 };

static int event_rank(size_t i)
{
	return i == 0 ? FIRST_EVENT : i == 1 ? SECOND_EVENT : MORE_EVENTS + (int)i;
}

/* Clients stand behind the page's lines, before the events; a head line comes with the first. */
static int client_rank(size_t i)
{
	return i < 4 ? 9 + 3 * (int)i : MORE_EVENTS + (int)i;
}

static int client_lines(size_t i)
{
	return i == 0 ? 2 : 1;
}

static int lines_of_rank(const struct jp_screen *s, const struct row *rows, size_t n, int rank)
{
	int lines = 0;
	for (size_t i = 0; i < n; i++)
		lines += rows[i].rank == rank;
	for (size_t i = 0; i < s->n_events; i++)
		lines += event_rank(i) == rank;
	for (size_t i = 0; rows == page && i < s->n_clients; i++)
		lines += client_rank(i) == rank ? client_lines(i) : 0;
	return lines;
}

/* The highest rank up to which all rows together fit into the lines. */
static int limit(const struct jp_screen *s, const struct row *rows, size_t n, int lines)
{
	int rank = 0;
	for (int room = lines; rank < MORE_EVENTS + JP_SCREEN_EVENTS; rank++) {
		room -= lines_of_rank(s, rows, n, rank + 1);
		if (room < 0)
			break;
	}
	return rank;
}

static void draw_clients(const struct jp_screen *s, int rank, struct jp_print *p)
{
	size_t shown = 0;
	while (shown < s->n_clients && client_rank(shown) <= rank)
		shown++;
	for (size_t i = 0; i < shown; i++) {
		if (i == 0) {
			jp_part_clients_head(s, (int)shown, p);
			jp_print_end(p);
		}
		jp_part_client(s, (int)i, p);
		jp_print_end(p);
	}
}

void jp_screen_draw(const struct jp_screen *s, int lines, struct jp_print *p)
{
	bool ready = s->started && s->report.epoch > 0;
	const struct row *rows = ready ? page : waiting;
	size_t n = ready ? PAGE : sizeof waiting / sizeof *waiting;
	int rank = limit(s, rows, n, lines);
	for (size_t i = 0; i < n; i++)
		if (rows[i].rank <= rank) {
			rows[i].draw(s, rows[i].which, p);
			jp_print_end(p);
		}
	if (ready)
		draw_clients(s, rank, p);
	for (size_t i = 0; i < s->n_events; i++)
		if (event_rank(i) <= rank) {
			jp_part_event(s, (int)i, p);
			jp_print_end(p);
		}
}
