/** @file watch_options.h
 * What the user asked of `jackprobe watch`. */
#ifndef JP_WATCH_OPTIONS_H
#define JP_WATCH_OPTIONS_H

#include "cli.h"

#include <stdint.h>

enum jp_insert { JP_INSERT_HEAD_TAIL, JP_INSERT_STRICT, JP_INSERT_HEAD };
enum jp_wire { JP_WIRE_AUTO, JP_WIRE_ONCE, JP_WIRE_NONE };
enum jp_timing { JP_TIMING_AUTO, JP_TIMING_SERVER, JP_TIMING_API };

/** What the options of watch say, in the order of --help. */
struct jp_watch_options {
	const char *server; /**< NULL = default */
	const char *name;   /**< "jackprobe": clients are NAME-head and NAME-tail */
	double interval_s;
	double duration_s; /**< NaN = until stopped */
	int insert;        /**< enum jp_insert */
	int wire;          /**< enum jp_wire */
	int timing;        /**< enum jp_timing */
	struct jp_opt_list osc;
	int osc_profile; /**< enum jp_osc_profile */
	const char *osc_prefix;
	struct jp_opt_list log;
	const char *cycles;
	const char *executions;
	int64_t hold_us; /**< -1 = do not hold */
	const char *watch;
	int64_t max_overruns; /**< -1 = no threshold */
	double max_p99_us;    /**< NaN = no threshold */
	const char *on_overrun;
	bool batch, quiet;
	const char *sysroot;
};

enum { JP_WATCH_N_OPTIONS = 21 }; /**< a constant, for the initialiser of a struct jp_command; the compiler checks it */
extern const struct jp_option jp_watch_option_rows[JP_WATCH_N_OPTIONS];

enum { JP_WATCH_FILES_MAX = JP_OPT_LIST_MAX + 2 };
/** All files to be written: the logs, then cycles, then executions. @return how many. */
size_t jp_watch_files(const struct jp_watch_options *options, const char *file[JP_WATCH_FILES_MAX]);

/** How many descriptors these files and the targets of OSC take, beside what every run takes. Pure. */
unsigned jp_watch_descriptors(const struct jp_watch_options *options);

/** Cross-checks (for example --quiet with nothing to write to is fine; two logs with the same name are not). */
enum jp_status jp_watch_check(void *config, struct jp_why *why);

#endif
