/** @file report.h
 * The figures of one window, as every sink and the OSC publisher get them. Plain data, copied by value.
 *
 * Unknown is not zero: an unknown real number is NaN, an unknown count or integer is -1, an unknown text is "". Sinks turn that
 * into an empty field, no message, "n/a". Units stand in the names. Which two instants a number lies between stands at
 * the member. */
#ifndef JACKPROBE_REPORT_H
#define JACKPROBE_REPORT_H

#include <jackprobe/cycle.h>
#include <stddef.h>
#include <stdint.h>

JP_BEGIN_DECLS

enum jp_state { JP_STATE_RUNNING, JP_STATE_STALE, JP_STATE_FREEWHEEL, JP_STATE_DISCONNECTED };
/** "running", "stale", "freewheel", "disconnected". Thread: any. */
const char *jp_state_text(enum jp_state s);

enum { JP_NAME_MAX = 128, JP_EXTRA_MAX = 64 };

/** A distribution. n is the number of values; all NaN when n is 0. Percentiles are nearest-rank. */
struct jp_dist {
	int64_t n;
	double min_us, mean_us, p50_us, p90_us, p99_us, p999_us, max_us;
};

/** Counts of cycles over some span. -1 = unknown (no cycle was seen). */
struct jp_counts {
	int64_t cycles;     /**< complete cycles that entered the statistics */
	int64_t overruns;   /**< of these, with cycle end > period */
	int64_t lost;       /**< whole periods missing between two consecutive cycles of the frame counter */
	int64_t incomplete; /**< seen by only one of head and tail, their end not known otherwise */
	int64_t xruns;      /**< the server's notifications */
	int64_t dropped;    /**< records lost between callback and collector */
	int64_t freewheel;  /**< cycles while freewheeling */
};

/** A column that depends on the machine: one per sensor found at start. */
struct jp_extra_column {
	char csv[64]; /**< "power_package_0_w", "idle_C6_pct", "temp_package_0_c", "watch_cpu_pct": [A-Za-z0-9_] only */
	char osc[64]; /**< "/power/package_0_w": address below the prefix; "" = not published over OSC */
};

/** What the sensors say of the time between two window edges. NaN = unknown. */
struct jp_host {
	double dma_latency_us; /**< effective limit at the window's end; NaN also when there is no limit (2000000000) */
	double cpu_user_pct, cpu_system_pct, cpu_nice_pct, cpu_iowait_pct, cpu_irq_pct,
		cpu_softirq_pct; /**< of all CPUs together */
	double irq_per_s, ctxt_per_s;
	double freq_mean_mhz, freq_min_mhz, freq_max_mhz; /**< over the CPUs, of each CPU's mean in the window */
	double rt_freq_mhz;                               /**< the CPUs that head and tail ran on, weighted by calls */
	double rt_pcore_pct; /**< share of head's and tail's calls that ran on performance cores; NaN on a machine with one kind */
	double power_w;             /**< sum of the packages */
	double extra[JP_EXTRA_MAX]; /**< parallel to the extra columns of the run */
};

/** The CPU that most calls of a callback ran on. */
struct jp_ran {
	int cpu;      /**< its number; -1 = unknown */
	char type[4]; /**< of its core: "P", "E"; "" on a machine with one kind */
	double pct;   /**< its share of the calls */
};

/** The largest cycle end of a span. end_us NaN = none yet. */
struct jp_worst {
	double end_us, period_us;
	int64_t unix_ns; /**< wall clock; -1 unknown */
	uint64_t frame;
};

/** The statistics of one span of cycles (a window, or since start). Spans never hold cycles of two epochs. */
struct jp_span {
	struct jp_counts counts;
	double xrun_delay_max_us; /**< largest delay the server told and that can be believed; NaN = none or unknown */
	struct jp_dist cycle_end; /**< end - wake */
	struct jp_dist dispatch;  /**< head entry - wake */
	struct jp_dist lateness;  /**< wake - nominal wake; may be negative */
	struct jp_dist tail_hop;  /**< tail entry - end, where the tail waited for it; only with server timing */
	double headroom_min_us;   /**< smallest period - cycle end; negative after an overrun */
	double load_p50_pct, load_max_pct; /**< cycle end / period */
	struct jp_worst worst;
};

struct jp_report {
	int64_t unix_ns;     /**< wall clock at the window's end */
	int64_t interval_ns; /**< its real length on CLOCK_MONOTONIC */
	double elapsed_s;    /**< since start, at the window's end */
	uint32_t seq;        /**< counts from 1 */
	uint32_t epoch;      /**< counts from 1; 0 = no cycle seen yet */
	enum jp_state state;
	int64_t rate_hz, frames; /**< -1 = unknown */
	double period_us;
	enum jp_wake_source wake_source;
	enum jp_end_source end_source;
	struct jp_span window;    /**< this window */
	struct jp_span total;     /**< distributions: since start of the epoch; counts: since start of the run */
	int64_t clients, covered; /**< other clients in the graph, and those with a cable to the tail; -1 = unknown */
	char uncovered[256];      /**< their names, ", "-separated, cut with "..." */
	char worst_client
		[JP_NAME_MAX]; /**< of the window: most blamed, then most often late, then busiest; only with server timing */
	char culprit
		[JP_NAME_MAX]; /**< who is to blame for total.worst ("driver" for the server); "" = nobody or not known */
	struct jp_host host;
	struct jp_ran ran[2];                  /**< head and tail in the window */
	const struct jp_extra_column *columns; /**< the run's extra columns; outlive all sinks */
	size_t n_columns;
};

JP_END_DECLS

#endif
