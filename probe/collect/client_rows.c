/* Clients' figures for sinks, OSC and summary. */
#include "client_rows.h"

#include "collect/overrun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jp_client_rows_close(struct jp_client_rows *rows, struct jp_culprit *culprit, struct jp_report *report)
{
	struct jp_client_figures *f = malloc(JP_CLIENTS_MAX * sizeof *f);
	rows->n = f ? jp_client_stats_window(jp_culprit_stats(culprit), f, JP_CLIENTS_MAX) : 0;
	for (size_t i = 0; i < rows->n; i++)
		rows->row[i] = (struct jp_client_row){.unix_ns = report->unix_ns,
			.seq = report->seq,
			.period_us = report->period_us,
			.figures = f[i]};
	if (rows->n)
		snprintf(report->worst_client, sizeof report->worst_client, "%s", f[0].name);
	free(f);
}

void jp_client_rows_tell(const struct jp_client_rows *rows, struct jp_sinks *sinks, struct jp_osc *osc)
{
	jp_sinks_clients(sinks, rows->row, rows->n);
	if (osc && rows->n)
		jp_osc_clients(osc, rows->row, rows->n);
}

void jp_client_rows_sum(struct jp_culprit *culprit, struct jp_summary *summary)
{
	struct jp_client_figures *f = malloc(JP_CLIENTS_MAX * sizeof *f);
	size_t n = f ? jp_client_stats_total(jp_culprit_stats(culprit), f, JP_CLIENTS_MAX) : 0;
	summary->n_clients = n < JP_SUMMARY_CLIENTS ? n : JP_SUMMARY_CLIENTS;
	summary->more_clients = n - summary->n_clients;
	if (n)
		memcpy(summary->client, f, summary->n_clients * sizeof *f);
	jp_overrun_sum(f, n, jp_culprit_counts(culprit), (uint64_t)summary->last.total.counts.overruns, summary->blamed,
		sizeof summary->blamed);
	jp_culprit_stuck_text(culprit, summary->stuck, sizeof summary->stuck);
	free(f);
}
