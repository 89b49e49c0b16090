/** @file figures.h
 * The figures of a window as OSC arguments: the table of osc_schema.h and the run's extra columns in one list. */
#ifndef JP_OSC_FIGURES_H
#define JP_OSC_FIGURES_H

#include "encode.h"

enum {
	JP_OSC_FIGURES_MAX = 64 + JP_EXTRA_MAX,
	JP_OSC_SHORT_TEXT_MAX = 20, /**< bytes: the longest decimal, and more than any other text of a figure */
};

struct jp_osc_figures {
	size_t n;
	struct jp_osc_value at[JP_OSC_FIGURES_MAX];
};

/** The table, then each extra column that is published. The addresses are not copied.
 * Errors: JP_BAD_ARG - a column's address is none, or the table is full. */
enum jp_status jp_osc_figures_init(
	struct jp_osc_figures *figures, const struct jp_extra_column *columns, size_t n_columns, struct jp_why *why);

/** Its type tag: 'i', 'f' or 's'. */
char jp_osc_figure_type(const struct jp_osc_value *value);

/** Append the figure as an argument. @return false when it is unknown: nothing has been appended. */
bool jp_osc_figure_put(struct jp_osc_msg *msg, const struct jp_osc_value *value, const struct jp_report *report);

/** Seconds, nanoseconds of the wall clock at the window's end, as they travel (seconds: the low 32 bits). */
void jp_osc_put_time(struct jp_osc_msg *msg, const struct jp_report *report);
/** seq as it travels: 31 bits. */
int32_t jp_osc_seq(const struct jp_report *report);
/** The nearest integer that an 'i' can hold. */
int32_t jp_osc_clamp(int64_t value);

#endif
