/** @file screen.h
 * The live page: what it remembers and how it is drawn. Pure: a struct in, text out; terminal.c does the rest. */
#ifndef JP_SCREEN_H
#define JP_SCREEN_H

#include "print.h"

#include <jackprobe/event.h>
#include <jackprobe/summary.h>

enum { JP_SCREEN_HISTORY = 512, JP_SCREEN_EVENTS = 32, JP_SCREEN_CLIENTS = 16 };

/** All zero = nothing seen yet. */
struct jp_screen {
	char server[64]; /**< "" unknown */
	bool started;    /**< report holds something */
	struct jp_report report;
	double max_us[JP_SCREEN_HISTORY]; /**< maxima of the latest windows, oldest first; NaN = a window without one */
	size_t n_max;
	struct jp_event event[JP_SCREEN_EVENTS]; /**< latest first */
	size_t n_events;
	struct jp_client_row client[JP_SCREEN_CLIENTS]; /**< of the latest window, who hurts most first */
	size_t n_clients;                               /**< 0 without server timing */
	size_t all_clients;                             /**< how many the window had */
};

/** Take over a fact sheet (key "server"), a window, an event. */
void jp_screen_meta(struct jp_screen *s, const struct jp_meta *meta);
void jp_screen_window(struct jp_screen *s, const struct jp_report *report);
void jp_screen_event(struct jp_screen *s, const struct jp_event *event);
/** The clients of the window taken over last. */
void jp_screen_clients(struct jp_screen *s, const struct jp_client_row *rows, size_t n);

/** Draw at most `lines` lines of at most p->columns columns, each with its end. When there is less room than the page would take,
 * the less important lines go first. @param p empty, with its width (at least 1), utf8 and color set. */
void jp_screen_draw(const struct jp_screen *s, int lines, struct jp_print *p);

#endif
