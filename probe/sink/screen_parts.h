/** @file screen_parts.h
 * The lines of the live page, each a function; screen.c decides which there is room for. Each draws its line without the end. */
#ifndef JP_SCREEN_PARTS_H
#define JP_SCREEN_PARTS_H

#include "screen.h"

/** @param which: of lines that come in several kinds. */
enum jp_part_span { JP_PART_WINDOW, JP_PART_TOTAL };
typedef void jp_part(const struct jp_screen *s, int which, struct jp_print *p);

jp_part jp_part_blank;
jp_part jp_part_state;  /**< state, time, sources */
jp_part jp_part_server; /**< server, rate, frames, period */
jp_part jp_part_table_head;
jp_part jp_part_table; /**< percentiles of a jp_part_span */
jp_part jp_part_counts_head;
jp_part jp_part_counts; /**< counts of a jp_part_span */
jp_part jp_part_coverage;
jp_part jp_part_load;
jp_part jp_part_dispatch;
jp_part jp_part_lateness;
jp_part jp_part_power;
jp_part jp_part_cpu;
jp_part jp_part_callbacks; /**< where head and tail ran */
jp_part jp_part_idle;      /**< latency limit and idle states */
jp_part jp_part_zones;     /**< the machine's other columns: zones, temperatures, the watched process */
jp_part jp_part_worst;
jp_part jp_part_event; /**< the which-th latest event */
jp_part jp_part_legend;

/* screen_clients.c */
jp_part jp_part_clients_head; /**< which: how many are shown */
jp_part jp_part_client;       /**< the which-th client of the window */

/* screen_bar.c */
jp_part jp_part_bar;   /**< a jp_part_span on a log scale that ends at the period */
jp_part jp_part_scale; /**< marks below the bars */
jp_part jp_part_spark; /**< maxima of the latest windows */

/** Columns of the labels at the left edge. */
int jp_part_label_width(const struct jp_print *p);
/** Write a label and go to where the line's content begins. */
void jp_part_label(struct jp_print *p, const char *text);
/** The span's figures. */
const struct jp_span *jp_part_span_of(const struct jp_screen *s, int which);

#endif
