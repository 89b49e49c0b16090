/** @file lines.h
 * One line a window, one line an event. Pure; the sink around it is opened with jp_sink_open_lines. */
#ifndef JP_LINES_H
#define JP_LINES_H

#include "print.h"

#include <jackprobe/event.h>

/** One line with its end: time, state, samples, cycle end in us, load, counts of the window, coverage, power. */
void jp_lines_window(const struct jp_report *report, struct jp_print *p);
/** One line with its end: time, "!", kind of event and what is known of it. */
void jp_lines_event(const struct jp_event *event, struct jp_print *p);
/** What is known of an event behind its time and type: client, kind, value, detail, events left out. No line end. */
void jp_lines_event_facts(const struct jp_event *event, struct jp_print *p);

#endif
