/** @file client_rows.h
 * Hands the clients' figures of a window and of the run to sinks, OSC and the summary. Thread: collector. */
#ifndef JP_CLIENT_ROWS_H
#define JP_CLIENT_ROWS_H

#include "collect/culprit.h"
#include "sink/sink.h"

#include <jackprobe/osc.h>
#include <jackprobe/summary.h>

/** The rows of the window closed last. */
struct jp_client_rows {
	struct jp_client_row row[JP_CLIENTS_MAX];
	size_t n;
};

/** Close the clients' window: the report gets its worst client. Call before the report is told. */
void jp_client_rows_close(struct jp_client_rows *rows, struct jp_culprit *culprit, struct jp_report *report);
/** Tell the rows. @param osc NULL = none. Call after the report was told. */
void jp_client_rows_tell(const struct jp_client_rows *rows, struct jp_sinks *sinks, struct jp_osc *osc);

/** Figures since start, and who was blamed. */
void jp_client_rows_sum(struct jp_culprit *culprit, struct jp_summary *summary);

#endif
