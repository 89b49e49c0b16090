/* The live page, drawn into a buffer. */
#include "sink/screen.h"
#include "support/golden.h"
#include "support/sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct jp_screen screen;
static char text[512 * 1024];

/* Local times on the page are the tests' own. */
static void fresh(void)
{
	setenv("TZ", "UTC", 1);
	screen = (struct jp_screen){.started = false};
}
TestSuite(screen, .init = fresh);

static void fill(void)
{
	struct jp_meta meta;
	struct jp_report report;
	struct jp_event event;
	jp_sample_meta(&meta);
	jp_sample_report(&report);
	jp_screen_meta(&screen, &meta);
	for (int i = 0; i < 20; i++) {
		report.window.cycle_end.max_us = i == 7 ? (double)NAN : i == 12 ? 3000.0 : 200 + 100.0 * i;
		jp_screen_window(&screen, &report);
	}
	jp_sample_report(&report);
	jp_screen_window(&screen, &report);
	for (int i = 0; i < 5; i++) {
		jp_sample_event(&event);
		jp_screen_event(&screen, &event);
	}
	jp_sample_bare_event(&event);
	jp_screen_event(&screen, &event);
}

static const char *draw(int columns, int lines, bool utf8, bool color)
{
	struct jp_print p = {.buf = text, .size = sizeof text, .utf8 = utf8, .color = color, .columns = columns};
	text[0] = 0;
	jp_screen_draw(&screen, lines, &p);
	return text;
}

static const struct {
	int columns, lines;
	bool utf8, color;
} sizes[] = {
	{80, 24, true, false},
	{80, 24, false, false},
	{80, 24, true, true},
	{40, 10, true, false},
	{200, 60, true, false},
	{60, 30, false, false},
};

Test(screen, looks_as_it_should)
{
	fill();
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		char name[64];
		snprintf(name, sizeof name, "screen/%dx%d%s%s.txt", sizes[i].columns, sizes[i].lines,
			sizes[i].utf8 ? "" : "-ascii", sizes[i].color ? "-color" : "");
		jp_golden(name, draw(sizes[i].columns, sizes[i].lines, sizes[i].utf8, sizes[i].color));
	}
}

Test(screen, unknown_is_not_zero)
{
	struct jp_report report;
	fill();
	jp_sample_stale(&report);
	report.epoch = 2; /* it ran before */
	jp_screen_window(&screen, &report);
	jp_golden("screen/stale.txt", draw(100, 40, true, false));
	cr_assert_null(strstr(text, "nan"));
	cr_assert_null(strstr(text, "-1"));
}

Test(screen, waits_for_the_first_cycle)
{
	struct jp_report report;
	cr_assert_str_eq(draw(80, 24, true, false), "jackprobe  waiting for cycles\nserver n/a\n");
	jp_sample_stale(&report);
	report.state = JP_STATE_DISCONNECTED;
	jp_screen_window(&screen, &report);
	cr_assert_str_eq(draw(80, 24, true, false), "jackprobe  disconnected  00:00:12  waiting for cycles\n"
						    "server n/a  n/a Hz  n/a frames  period n/a us\n");
}

/* Columns of a line without wide or combining characters, colour left out. */
static int width(const char *line, size_t n)
{
	int columns = 0;
	for (size_t i = 0; i < n; i++) {
		if (line[i] == '\033')
			i += strcspn(line + i, "m");
		else
			columns += (line[i] & 0xC0) != 0x80;
	}
	return columns;
}

Test(screen, never_wraps_and_never_scrolls)
{
	fill();
	for (int columns = 1; columns <= 250; columns++)
		for (int lines = 1; lines <= 70; lines += 3) {
			int n = 0;
			const char *at = draw(columns, lines, columns % 2, columns % 3);
			for (size_t size; *at; at += size + 1, n++) {
				size = strcspn(at, "\n");
				cr_assert_leq(width(at, size), columns, "%dx%d: %.*s", columns, lines, (int)size, at);
			}
			cr_assert(n >= 1 && n <= lines, "%dx%d: %d lines", columns, lines, n);
		}
}

Test(screen, clients_stand_in_a_table)
{
	struct jp_client_row rows[JP_SAMPLE_CLIENTS];
	fill();
	jp_sample_clients(rows);
	jp_screen_clients(&screen, rows, JP_SAMPLE_CLIENTS);
	jp_golden("screen/clients-80x24.txt", draw(80, 24, true, false));
	jp_golden("screen/clients-80x20.txt", draw(80, 20, true, false));
	jp_golden("screen/clients-40x24.txt", draw(40, 24, true, false));
	jp_golden("screen/clients-120x40-ascii.txt", draw(120, 40, false, false));
}

Test(screen, ascii_page_holds_ascii_only)
{
	fill();
	for (const char *c = draw(120, 50, false, false); *c; c++)
		cr_assert(*c == '\n' || (*c >= ' ' && *c <= '~'), "%#x", (unsigned)*c);
}

Test(screen, a_client_name_cannot_steer_the_terminal)
{
	struct jp_report report;
	jp_sample_report(&report);
	strcpy(report.uncovered, "\x1b[2Jevil\r\n\xc2\x9b"
				 "31m");
	jp_screen_window(&screen, &report);
	draw(100, 40, true, false);
	cr_assert(strstr(text, "\\x1b[2Jevil\\x0d\\x0a\\x9b31m"));
	cr_assert_null(strchr(text, '\x1b'));
	cr_assert_null(strstr(text, "\xc2\x9b"));
}

/* Cells of the bar: the row's text between the label and the edge. */
static int filled(double us, double period_us, int columns)
{
	struct jp_report report;
	jp_sample_report(&report);
	report.period_us = period_us;
	report.window.cycle_end = (struct jp_dist){1000, us, us, us, us, us, us, us};
	report.total = report.window;
	jp_screen_window(&screen, &report);
	const char *row = strstr(draw(columns, 40, false, false), "\nwindow");
	int n = 0;
	for (row = row ? row + 1 : ""; *row && *row != '\n'; row++)
		n += *row == '#';
	return n;
}

/* 100 columns: label 14, bar 84, edge, beyond. */
Test(screen, bar_is_logarithmic_and_ends_at_the_period)
{
	cr_assert_eq(filled(1000, 1000, 100), 84);
	cr_assert_eq(filled(110, 1000, 100), 58);
	cr_assert_eq(filled(11, 1000, 100), 30);
	cr_assert_eq(filled(1.1, 1000, 100), 2);
	cr_assert_eq(filled(0.5, 1000, 100), 0);
	cr_assert_eq(filled(999.9, 1000, 100), 84);
	cr_assert_null(strstr(text, "|>"));
	cr_assert_eq(filled(1000.1, 1000, 100), 84);
	cr_assert(strstr(text, "|>"));
	cr_assert_eq(filled(NAN, 1000, 100), 0);
}

Test(screen, history_keeps_the_latest)
{
	struct jp_report report;
	jp_sample_report(&report);
	for (int i = 0; i < JP_SCREEN_HISTORY + 3; i++) {
		report.window.cycle_end.max_us = i;
		jp_screen_window(&screen, &report);
	}
	cr_assert_eq(screen.n_max, JP_SCREEN_HISTORY);
	cr_assert_eq(screen.max_us[0], 3);
	cr_assert_eq(screen.max_us[JP_SCREEN_HISTORY - 1], JP_SCREEN_HISTORY + 2);
	struct jp_event event;
	jp_sample_event(&event);
	for (int i = 0; i < JP_SCREEN_EVENTS + 2; i++) {
		event.frame = i;
		jp_screen_event(&screen, &event);
	}
	cr_assert_eq(screen.n_events, JP_SCREEN_EVENTS);
	cr_assert_eq(screen.event[0].frame, JP_SCREEN_EVENTS + 1);
	cr_assert_eq(screen.event[JP_SCREEN_EVENTS - 1].frame, 2);
}
