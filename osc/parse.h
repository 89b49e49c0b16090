/** @file parse.h
 * What users write: targets and prefixes. Pure. */
#ifndef JP_OSC_PARSE_H
#define JP_OSC_PARSE_H

#include <jackprobe/status.h>
#include <stdbool.h>

enum {
	JP_OSC_HOST_MAX = 254,   /**< bytes of a host name, its end included */
	JP_OSC_PREFIX_MAX = 64,  /**< bytes of a prefix, its end included */
	JP_OSC_ADDRESS_MAX = 64, /**< bytes of an address below the prefix, its end included */
};

/** A target, taken apart. */
struct jp_osc_endpoint {
	char host[JP_OSC_HOST_MAX]; /**< without brackets */
	char port[6];               /**< decimal, 1..65535 */
};

/** Errors: JP_BAD_ARG. */
enum jp_status jp_osc_parse_target(const char *target, struct jp_osc_endpoint *out, struct jp_why *why);

/** May the text stand as (the beginning of) an OSC address? "/a/b": yes; "", "a", "/", "/a/", "/a//b", "/a b": no. */
bool jp_osc_address_valid(const char *address);

#endif
