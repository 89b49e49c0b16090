/** @file client_stats.h
 * Figures per client: of the current window and since start. Pure. Bounded: at most JP_CLIENTS_MAX clients, each below 64 KiB; values
 * are kept to two significant digits (within 0.8 %), in steps of 16 ns below 2 us, the maximum exactly. A client is its name: one
 * that leaves and comes back goes on where it was. */
#ifndef JACKPROBE_CLIENT_STATS_H
#define JACKPROBE_CLIENT_STATS_H

#include <jackprobe/blame.h>
#include <jackprobe/exec.h>
#include <jackprobe/report.h>
#include <stddef.h>

JP_BEGIN_DECLS

enum {
	JP_CLIENTS_MAX = 256,
	JP_CLIENT_USUAL_MIN = 16, /**< executions that "usual" must rest on */
};

/** Figures of one client over one span. Real numbers are NaN when nothing stands behind them. */
struct jp_client_figures {
	char name[JP_NAME_MAX];
	int64_t cycles;     /**< executions */
	double wait_p50_us; /**< release (the last it waits for has finished) to wake-up of its thread */
	double wait_p99_us; /**< */
	double busy_p50_us; /**< wake-up of its thread to return of its process callback */
	double busy_p99_us; /**< */
	double busy_max_us; /**< */
	int64_t late; /**< executions that finished after the end of the period of the cycle they began in, or never; and cycles that it
	               * was released in and held up without beginning */
	int64_t blamed; /**< overruns it was blamed for */
	struct jp_blame
		worst; /**< of these the one with the largest excess over what is usual; kind unknown when there is none */
};

/** Figures of a client in one window, for sinks. */
struct jp_client_row {
	int64_t unix_ns;  /**< wall clock at the window's end */
	uint32_t seq;     /**< of the window */
	double period_us; /**< NaN unknown */
	struct jp_client_figures figures;
};

/** One execution, for sinks. */
struct jp_exec_row {
	uint64_t frame;           /**< of the cycle that it began in */
	char client[JP_NAME_MAX]; /**< "#N" = the server's number N, of a client whose name is not known */
	struct jp_exec exec;
};

struct jp_client_stats; /**< opaque */

/** @return NULL when out of memory. The caller owns it. One thread at a time. */
struct jp_client_stats *jp_client_stats_new(void);
void jp_client_stats_free(struct jp_client_stats *cs);

/** Index of a client, new or known. When all places are taken the client that has not run for longest gives its place.
 * @return -1 when out of memory. An index is good until the next call of this function. */
int jp_client_stats_find(struct jp_client_stats *cs, const char *name);

/** Count one execution. @param late see jp_client_figures. */
void jp_client_stats_add(struct jp_client_stats *cs, int client, const struct jp_exec *exec, bool late);
/** Count a cycle that it held up without beginning. */
void jp_client_stats_idle(struct jp_client_stats *cs, int client);
/** Count one overrun that it is blamed for. */
void jp_client_stats_blame(struct jp_client_stats *cs, int client, const struct jp_blame *blame);

/** What is usual for a client, in ns: the median of the last window that had enough executions, before the first such window
 * of what there is; JP_NS_UNKNOWN below JP_CLIENT_USUAL_MIN executions. */
void jp_client_stats_usual(const struct jp_client_stats *cs, int client, int64_t *busy_ns, int64_t *wait_ns);

/** Close the window: figures of every client that ran, was late or was blamed in it, most blamed first, then by late, then by busy p99.
 * @return how many, at most max. The next window begins empty. */
size_t jp_client_stats_window(struct jp_client_stats *cs, struct jp_client_figures *out, size_t max);
/** Figures since start, same order. */
size_t jp_client_stats_total(const struct jp_client_stats *cs, struct jp_client_figures *out, size_t max);

/** A new epoch: distributions since start begin anew (counts of late and blamed go on), nothing is usual any more. */
void jp_client_stats_new_epoch(struct jp_client_stats *cs);

JP_END_DECLS

#endif
