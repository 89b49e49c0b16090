/* Who was to blame, in words, and the clients' figures on their way to the outputs. */
#include "collect/client_rows.h"
#include "collect/overrun.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

static struct jp_client_figures blamed(const char *name, int64_t n, struct jp_blame worst)
{
	struct jp_client_figures f = {.blamed = n, .worst = worst};
	snprintf(f.name, sizeof f.name, "%s", name);
	return f;
}

Test(overrun, the_sentence_adds_up)
{
	const struct jp_blame busy = {JP_BLAME_BUSY, 1, 3100000, 400000, 2700000};
	const struct jp_blame woke = {JP_BLAME_WOKE_LATE, 2, 150 * MS, 4200, 149 * MS};
	const struct jp_blame never = {JP_BLAME_BUSY, 3, JP_NS_UNKNOWN, JP_NS_UNKNOWN, JP_NS_UNKNOWN};
	const struct jp_blame unusual = {JP_BLAME_BUSY, 3, 20000, JP_NS_UNKNOWN, 20000};
	const struct jp_client_figures synth = blamed("synth", 9, busy), none = {.name = "bystander"};
	const struct {
		struct jp_client_figures f[8];
		size_t n;
		uint64_t count[JP_BLAME_KINDS], overruns;
		const char *text;
	} row[] = {
		{{synth, none}, 2, {[JP_BLAME_BUSY] = 9, [JP_BLAME_DRIVER] = 2, [JP_BLAME_UNKNOWN] = 1}, 12,
			"12 overruns: 9 synth (busy 3.1 ms, usually 0.4), 2 driver woke late, 1 unknown"},
		{{blamed("pad", 1, woke)}, 1, {[JP_BLAME_WOKE_LATE] = 1}, 1,
			"1 overrun: 1 pad (woke late 150 ms, usually 0.004)"},
		{{blamed("gone", 1, never), blamed("new", 1, unusual)}, 2, {[JP_BLAME_BUSY] = 2}, 3,
			"3 overruns: 1 gone, 1 new (busy 0.02 ms), 1 without per-client times"},
		{{synth, synth, synth, synth, synth, synth, synth, synth}, 8, {[JP_BLAME_BUSY] = 72}, 72, NULL},
		{{none}, 1, {0}, 5, ""},
		{{none}, 0, {[JP_BLAME_UNKNOWN] = 2}, 2, "2 overruns: 2 unknown"},
		{{none}, 0, {[JP_BLAME_DRIVER] = 1, [JP_BLAME_RELEASE] = 3}, 4,
			"4 overruns: 1 driver woke late, 3 driver released late"},
	};
	char text[1152];
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		bool any = jp_overrun_sum(row[i].f, row[i].n, row[i].count, row[i].overruns, text, sizeof text);
		cr_assert_eq(any, text[0] != 0);
		if (row[i].text)
			cr_assert_str_eq(text, row[i].text);
		else
			cr_assert(strstr(text, ", 18 others"), "%s", text);
	}
}

static struct jp_cycle late_cycle(void)
{
	return (struct jp_cycle){.nframes = 128, .rate_hz = 48000, .wake_ns = MS, .end_ns = MS + 3466667, .frame = 77};
}

Test(overrun, the_event_names_the_culprit_with_its_figures)
{
	struct jp_cycle cycle = late_cycle();
	struct jp_verdict v = {.blame = {JP_BLAME_BUSY, 1, 3100000, 400000, 2700000}, .client = "synth"};
	struct jp_event e = jp_overrun_event(&cycle, &v, 5);
	cr_assert_str_eq(e.client, "synth");
	cr_assert_str_eq(e.kind, "busy");
	cr_assert_str_eq(e.detail, "synth busy 3.10 ms, usually 0.40 ms: the graph finished 800 us after the deadline");
	v = (struct jp_verdict){.blame = {JP_BLAME_UNKNOWN, -1, JP_NS_UNKNOWN, JP_NS_UNKNOWN, JP_NS_UNKNOWN}};
	e = jp_overrun_event(&cycle, &v, 5);
	cr_assert_str_eq(e.client, "");
	cr_assert_str_eq(e.kind, "unknown");
	cr_assert_str_eq(e.detail, "the graph finished 800 us after the deadline");
	cr_assert_str_eq(jp_overrun_event(&cycle, NULL, 5).kind, "", "without server timing nothing is said of it");
}

static void run(struct jp_client_stats *stats, const char *name, int64_t busy_ns)
{
	const struct jp_exec e = {
		.signalled_ns = 0, .awake_ns = 1000, .finished_ns = 1000 + busy_ns, .state = JP_EXEC_FINISHED};
	jp_client_stats_add(stats, jp_client_stats_find(stats, name), &e, false);
}

Test(client_rows, a_window_names_its_worst_client_and_the_next_begins_empty)
{
	struct jp_client_rows *rows = calloc(1, sizeof *rows);
	struct jp_culprit *culprit = jp_culprit_new();
	struct jp_report report = {.unix_ns = 99, .seq = 4, .period_us = 2666.5};
	run(jp_culprit_stats(culprit), "small", 20000);
	run(jp_culprit_stats(culprit), "big", 800000);
	jp_client_rows_close(rows, culprit, &report);
	cr_assert_eq(rows->n, 2);
	cr_assert_str_eq(report.worst_client, "big");
	cr_assert_str_eq(rows->row[0].figures.name, "big");
	cr_assert_eq(rows->row[1].figures.busy_max_us, 20);
	cr_assert_eq(rows->row[1].unix_ns, 99);
	cr_assert_eq(rows->row[1].seq, 4);
	cr_assert_eq(rows->row[1].period_us, 2666.5);
	report.worst_client[0] = 0;
	jp_client_rows_close(rows, culprit, &report);
	cr_assert_eq(rows->n, 0);
	cr_assert_str_eq(report.worst_client, "");
	jp_culprit_free(culprit);
	free(rows);
}

Test(client_rows, the_summary_has_the_worst_and_counts_the_rest)
{
	struct jp_summary *summary = calloc(1, sizeof *summary);
	struct jp_culprit *culprit = jp_culprit_new();
	struct jp_verdict verdict;
	char name[16];
	for (int i = 0; i < JP_SUMMARY_CLIENTS + 3; i++) {
		snprintf(name, sizeof name, "c%d", i);
		run(jp_culprit_stats(culprit), name, 1000 * (i + 1));
	}
	jp_culprit_unseen(culprit, &verdict);
	summary->last.total.counts.overruns = 1;
	jp_client_rows_sum(culprit, summary);
	cr_assert_eq(verdict.blame.kind, JP_BLAME_UNKNOWN);
	cr_assert_str_eq(summary->blamed, "1 overrun: 1 unknown");
	cr_assert_eq(summary->n_clients, JP_SUMMARY_CLIENTS);
	cr_assert_eq(summary->more_clients, 3);
	cr_assert_str_eq(summary->client[0].name, name);
	jp_culprit_free(culprit);
	free(summary);
}
