/* The live page on a terminal: screen on, one write a picture, screen off. */
#include "lines.h"
#include "out.h"
#include "screen.h"
#include "sink.h"
#include "summary_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

enum { PICTURE_MAX = 128 * 1024, LINES_MAX = 300, COLUMNS_MAX = 500, PICTURE_MS = 250 };

/* Alternate screen, no cursor, no wrapping at the right edge; and back. */
static const char enter[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave[] = "\033[?7h\033[?25h\033[?1049l";

struct terminal {
	int fd;
	bool entered, utf8, color;
	int64_t drawn_ms; /* when the page was drawn last */
	struct jp_screen screen;
	char plain[PICTURE_MAX];   /* lines as drawn */
	char picture[PICTURE_MAX]; /* the same with cursor movements */
};

static enum jp_status switch_on(struct terminal *t, struct jp_why *why)
{
	if (t->entered)
		return JP_OK;
	t->entered = true; /* also when the write fails half way: switching off does no harm */
	return jp_out_write(t->fd, enter, sizeof enter - 1, why);
}

static enum jp_status switch_off(struct terminal *t, struct jp_why *why)
{
	if (!t->entered)
		return JP_OK;
	t->entered = false;
	return jp_out_write(t->fd, leave, sizeof leave - 1, why);
}

/* Every line at its own place, so that nothing that others print can push the page up. What is below the last is erased, unless it
 * stands on the terminal's last line: a place below that is that line itself. */
static size_t place_lines(char *plain, int lines, char *out, size_t size)
{
	size_t n = 0;
	int row = 1;
	for (char *line = plain, *end; (end = strchr(line, '\n')) != NULL && n < size; line = end + 1) {
		*end = 0;
		n += (size_t)snprintf(out + n, size - n, "\033[%d;1H\033[2K%s", row++, line);
	}
	if (n < size && row <= lines)
		n += (size_t)snprintf(out + n, size - n, "\033[%d;1H\033[J", row);
	if (n < size)
		n += (size_t)snprintf(out + n, size - n, "\033[1;1H");
	return n < size ? n : size - 1;
}

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static enum jp_status draw(struct terminal *t, struct jp_why *why)
{
	struct winsize w = {0};
	if (ioctl(t->fd, TIOCGWINSZ, &w) < 0 || w.ws_row == 0 || w.ws_col == 0)
		w = (struct winsize){.ws_row = 24, .ws_col = 80};
	int lines = w.ws_row < LINES_MAX ? w.ws_row : LINES_MAX;
	int columns = w.ws_col < COLUMNS_MAX ? w.ws_col : COLUMNS_MAX;
	struct jp_print p = {
		.buf = t->plain, .size = sizeof t->plain, .utf8 = t->utf8, .color = t->color, .columns = columns};
	enum jp_status status = switch_on(t, why);
	if (status != JP_OK)
		return status;
	t->plain[0] = 0;
	t->drawn_ms = now_ms();
	jp_screen_draw(&t->screen, lines, &p);
	return jp_out_write(t->fd, t->picture, place_lines(t->plain, lines, t->picture, sizeof t->picture), why);
}

static enum jp_status on_meta(void *self, const struct jp_meta *meta, struct jp_why *why)
{
	struct terminal *t = self;
	jp_screen_meta(&t->screen, meta);
	return draw(t, why);
}

static enum jp_status on_window(void *self, const struct jp_report *report, struct jp_why *why)
{
	struct terminal *t = self;
	jp_screen_window(&t->screen, report);
	return draw(t, why);
}

static enum jp_status on_clients(void *self, const struct jp_client_row *rows, size_t n, struct jp_why *why)
{
	struct terminal *t = self;
	jp_screen_clients(&t->screen, rows, n);
	return draw(t, why);
}

/* A storm of events is not to be a storm of pictures: what comes soon after one is shown with the next. */
static enum jp_status on_event(void *self, const struct jp_event *event, struct jp_why *why)
{
	struct terminal *t = self;
	jp_screen_event(&t->screen, event);
	return now_ms() - t->drawn_ms >= PICTURE_MS ? draw(t, why) : JP_OK;
}

static enum jp_status on_summary(void *self, const struct jp_summary *summary, struct jp_why *why)
{
	struct terminal *t = self;
	struct jp_print p = {.buf = t->plain, .size = sizeof t->plain, .utf8 = t->utf8, .color = t->color};
	t->plain[0] = 0;
	enum jp_status status = switch_off(t, why);
	if (status != JP_OK)
		return status;
	jp_summary_text(summary, &p);
	return jp_out_write(t->fd, p.buf, p.len, why);
}

static void on_close(void *self)
{
	struct jp_why why;
	switch_off(self, &why);
	free(self);
}

static const struct jp_sink_ops terminal_ops = {
	.kind = "terminal",
	.begin = on_meta,
	.meta = on_meta,
	.window = on_window,
	.clients = on_clients,
	.event = on_event,
	.summary = on_summary,
	.close = on_close,
};

static bool is_set(const char *name)
{
	const char *value = getenv(name);
	return value && *value;
}

enum jp_status jp_sink_open_terminal(
	int fd, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why)
{
	const char *term = getenv("TERM");
	if (!term || !*term || strcmp(term, "dumb") == 0)
		return jp_sink_open_lines(fd, false, config, out, why);
	struct terminal *t = calloc(1, sizeof *t);
	if (!t)
		return jp_why_set(why, JP_NO_MEM, "out of memory for the live page");
	t->fd = fd;
	t->utf8 = jp_out_utf8();
	t->color = !is_set("NO_COLOR");
	*out = (struct jp_sink_instance){.ops = &terminal_ops, .self = t, .name = "terminal"};
	return JP_OK;
}
