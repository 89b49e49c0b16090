/** @file load_options.h
 * What the user asked of `jackprobe load`. */
#ifndef JP_LOAD_OPTIONS_H
#define JP_LOAD_OPTIONS_H

#include "cli.h"

#include <stdint.h>

struct jp_load_options {
	int64_t clients;      /**< 1..200 */
	int64_t ports;        /**< inputs of each client, and as many outputs; 0..64 */
	int64_t burn_us;      /**< busy time of every call */
	int shape;            /**< enum jp_load_shape (load/shape.h) */
	const char *spike;    /**< "EVERY:US", see jp_load_spike_parse; NULL = none */
	int64_t spike_client; /**< which one has the spikes; -1 = the middle one (clients / 2) */
	double duration_s;    /**< NaN = until stopped */
	bool processes;       /**< each client in a process of its own */
	const char *truth;    /**< file of start and end of every call; NULL = none */
	const char *server;   /**< NULL = default */
	const char *name;     /**< clients are NAME-0, NAME-1 ... */
};

/** Every `every`-th call of the client burns us instead of --burn. every 0 = no spikes. */
struct jp_load_spike {
	int64_t every, us;
};

enum { JP_LOAD_N_OPTIONS = 11 };
extern const struct jp_option jp_load_option_rows[JP_LOAD_N_OPTIONS];

/** Read "EVERY:US" (every >= 1, us 0..10 s). @param text NULL gives {0, 0}. Errors: JP_BAD_ARG. */
enum jp_status jp_load_spike_parse(const char *text, struct jp_load_spike *out, struct jp_why *why);

/** Cross-checks: the spike's client exists and has a spike. @param config struct jp_load_options. */
enum jp_status jp_load_check(void *config, struct jp_why *why);

#endif
