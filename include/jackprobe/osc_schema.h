/** @file osc_schema.h
 * The OSC vocabulary: one table for publisher, receiver, tests and manual. Only the types i f s travel. Addresses stand below the
 * prefix (default "/jackprobe"). */
#ifndef JACKPROBE_OSC_SCHEMA_H
#define JACKPROBE_OSC_SCHEMA_H

#include <jackprobe/report.h>

JP_BEGIN_DECLS

enum {
	JP_OSC_SCHEMA = 1,          /**< version of this vocabulary, in /hello */
	JP_OSC_DATAGRAM_MAX = 1232, /**< bytes: the least IPv6 MTU less headers */
};

/** How a value is found in a struct jp_report, and its OSC type. */
enum jp_osc_kind {
	JP_OSC_REAL,    /**< double -> f; NaN: no message */
	JP_OSC_COUNT,   /**< int64_t -> i; -1: no message; above INT32_MAX: INT32_MAX */
	JP_OSC_DECIMAL, /**< int64_t -> s, decimal; -1: no message */
	JP_OSC_STATE,   /**< enum jp_state -> s */
	JP_OSC_INTEGER, /**< double -> i, rounded; NaN: no message */
	JP_OSC_WAKE,    /**< enum jp_wake_source -> s; unknown: no message */
	JP_OSC_END,     /**< enum jp_end_source -> s; unknown: no message */
};

/** One scalar of the window bundle. */
struct jp_osc_value {
	const char *address; /**< below the prefix: "/cycle_end/p50_us" */
	enum jp_osc_kind kind;
	size_t offset;     /**< in struct jp_report */
	const char *about; /**< a few words for the manual */
};

/** The table, in the order in which values are sent. */
extern const struct jp_osc_value jp_osc_values[];
extern const size_t jp_osc_n_values;

/** A message with fixed arguments, for the manual and strict receivers. */
struct jp_osc_message {
	const char *address, *types, *arguments, *when;
};
extern const struct jp_osc_message jp_osc_messages[];
extern const size_t jp_osc_n_messages;

JP_END_DECLS

#endif
