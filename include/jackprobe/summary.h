/** @file summary.h
 * What is said at the end of a run, and the facts that stand beside a log. Plain data. */
#ifndef JACKPROBE_SUMMARY_H
#define JACKPROBE_SUMMARY_H

#include <jackprobe/client_stats.h>
#include <jackprobe/report.h>
#include <jackprobe/sense.h>

JP_BEGIN_DECLS

enum { JP_META_MAX = 64, JP_NOTES_MAX = 24, JP_SUMMARY_CLIENTS = 16 };

/** A fact of the run: server, clock, modes, machine. */
struct jp_meta_entry {
	char key[48];
	char value[208];
};

struct jp_meta {
	struct jp_meta_entry entry[JP_META_MAX];
	size_t n;
};

/** Add a fact; a key that is there gets the new value; a full table or an empty value leaves it out.
 * Thread: any, one at a time for each table. */
void jp_meta_put(struct jp_meta *meta, const char *key, const char *value);
/** Value of a key, or NULL; valid until the table changes. Thread: as jp_meta_put. */
const char *jp_meta_get(const struct jp_meta *meta, const char *key);

struct jp_summary {
	struct jp_report last;    /**< last.total is the whole run's (last epoch's distributions, whole run's counts) */
	struct jp_dist head_cost; /**< entry to return of the head's callback */
	struct jp_dist tail_cost; /**< entry to return of the tail's callback */
	struct jp_ran ran[2];     /**< head and tail since start */
	double cpu_pct;           /**< CPU time of this process / elapsed time, of one core; NaN unknown */
	double power_mean_w;      /**< over the run; NaN unknown */
	uint64_t osc_sent, osc_dropped;
	uint64_t sink_errors;
	char sink_error[192]; /**< the last failure of a sink that was told; "" = none */
	struct jp_client_figures
		client[JP_SUMMARY_CLIENTS]; /**< since start, who hurts most first; only with server timing */
	size_t n_clients;                   /**< in client */
	size_t more_clients;                /**< that did not fit */
	char blamed
		[1152]; /**< "12 overruns: 9 synth (busy 3.1 ms, usually 0.4), 1 unknown": who was to blame for overruns; "" = nobody or not known */
	char stuck
		[512]; /**< "synth for 1.99 s (93 cycles)": who held the graph up for long; "" = nobody or not known */
	char threshold[128];          /**< which threshold was passed ("overruns 3 > --max-overruns 0"); "" = none */
	char note[JP_NOTES_MAX][256]; /**< what was unknown and why, one sentence each */
	size_t n_notes;
};

JP_END_DECLS

#endif
