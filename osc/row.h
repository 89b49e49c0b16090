/** @file row.h
 * The row profile: all figures of a window as arguments of one message, and the message that names them. When the names do
 * not fit into one datagram, the figures go into several rows (/row, /row/2, /row/3 ...), each with a schema of its own
 * and each beginning with the columns that say which window it is. A row's columns never change during a run. */
#ifndef JP_OSC_ROW_H
#define JP_OSC_ROW_H

#include "figures.h"

enum { JP_OSC_ROW_PARTS_MAX = 10 };

struct jp_osc_row_part {
	struct jp_osc_msg schema, row;
	size_t first, n; /**< its figures */
};

struct jp_osc_row {
	size_t n_parts; /**< 0 until set up */
	struct jp_osc_row_part part[JP_OSC_ROW_PARTS_MAX];
	const struct jp_osc_figures *figures;
};

/** @param figures kept, not copied. Errors: JP_NO_MEM. */
enum jp_status jp_osc_row_init(struct jp_osc_row *row, const struct jp_osc_figures *figures, const char *prefix);
void jp_osc_row_free(struct jp_osc_row *row);

/** The window's row of that part. An unknown figure travels as an empty string in its place. No allocation. */
struct jp_osc_msg *jp_osc_row_fill(struct jp_osc_row *row, size_t part, const struct jp_report *report);

#endif
