/** @file columns.h
 * The columns of a window: one table for CSV and JSON lines. Pure. */
#ifndef JP_COLUMNS_H
#define JP_COLUMNS_H

#include "sys/text.h"

#include <jackprobe/report.h>
#include <jackprobe/status.h>

enum jp_column_kind {
	JP_COL_TIME,   /**< int64_t unix_ns as ISO 8601 text */
	JP_COL_INT,    /**< int64_t, always known */
	JP_COL_COUNT,  /**< int64_t, -1 = unknown */
	JP_COL_SERIAL, /**< uint32_t that counts from 1, 0 = none yet: unknown */
	JP_COL_REAL,   /**< double, NaN = unknown */
	JP_COL_STATE,  /**< enum jp_state */
	JP_COL_WAKE,   /**< enum jp_wake_source */
	JP_COL_END,    /**< enum jp_end_source */
	JP_COL_NAME,   /**< char[], "" = unknown */
};

/** What a column speaks of. */
enum jp_column_about {
	JP_ABOUT_RUN,  /**< the moment and the mode */
	JP_ABOUT_SPAN, /**< counts and extremes of the span */
	JP_ABOUT_DIST, /**< a figure of one of the span's distributions */
	JP_ABOUT_HOST, /**< the machine during the window; who was worst in it */
};

struct jp_column {
	const char *name;
	enum jp_column_kind kind;
	enum jp_column_about about;
	int decimals;  /**< of a JP_COL_REAL */
	size_t offset; /**< in struct jp_report */
};

extern const struct jp_column jp_columns[];
extern const size_t jp_n_columns;

/** How names are written. */
enum jp_quoting { JP_QUOTE_CSV, JP_QUOTE_JSON };

/** Write the value. Texts (state, sources, times) get quotes in JSON only, names in both.
 * @return false, with nothing written, when it is unknown. */
bool jp_column_put(
	struct jp_text *t, const struct jp_column *column, const struct jp_report *report, enum jp_quoting as);

/** Decimals of an extra column, by the unit at the end of its name: _w 3, _pct 2, _c 1, _mib 2, else 3. */
int jp_extra_decimals(const char *name);

/** Own copy of the extra columns' names, so that a sink that was left behind needs nobody else's memory. */
struct jp_extra_names {
	size_t n;
	char (*name)[64];
	int *decimals;
};

/** Errors: JP_NO_MEM. At most JP_EXTRA_MAX are taken. */
enum jp_status jp_extra_copy(struct jp_extra_names *to, const struct jp_extra_column *columns, size_t n);
void jp_extra_free(struct jp_extra_names *names);

/** The header of a windows CSV, without the line end. */
void jp_columns_header(struct jp_text *t, const struct jp_extra_names *extra);
/** Names of all columns as a JSON array. */
void jp_columns_json_names(struct jp_text *t, const struct jp_extra_names *extra);

#endif
