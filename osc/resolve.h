/** @file resolve.h
 * Names to addresses, on a thread of its own for each name, with growing pauses while it fails.
 *
 * Thread: all calls from the collector; none of them waits for the look-up. */
#ifndef JP_OSC_RESOLVE_H
#define JP_OSC_RESOLVE_H

#include "parse.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { JP_OSC_ADDRESSES_MAX = 8 };

/** Where a name leads, in the resolver's order of preference. */
struct jp_osc_addresses {
	size_t n;
	struct {
		struct sockaddr_storage addr;
		socklen_t len;
	} at[JP_OSC_ADDRESSES_MAX];
};

struct jp_osc_resolver; /**< opaque */

/** Look up what needs no name service: a numeric address. Never waits.
 * Errors: JP_MISSING - not a numeric address, or its interface is not there. */
enum jp_status jp_osc_resolve_numeric(const struct jp_osc_endpoint *endpoint, struct jp_osc_addresses *out);

/** Start looking up a name. The caller owns the result. Errors: JP_NO_MEM, JP_IO (no thread). */
enum jp_status jp_osc_resolver_start(const struct jp_osc_endpoint *endpoint, struct jp_osc_resolver **out);

/** Fetch an outcome that has not been fetched yet. No allocation.
 * @param error 0, or what getaddrinfo said (EAI_*); then *out is left alone.
 * @return false when there is nothing new. */
bool jp_osc_resolver_take(struct jp_osc_resolver *resolver, struct jp_osc_addresses *out, int *error);

/** Look the name up again, now that its addresses seem to be dead. */
void jp_osc_resolver_again(struct jp_osc_resolver *resolver);

/** Ask the thread to end; it need not have ended yet. */
void jp_osc_resolver_stop(struct jp_osc_resolver *resolver);
/** Give the resolver up after a stop. Waits for the thread until the deadline (CLOCK_MONOTONIC), then leaves it behind: it
 * frees what is left when its look-up returns. */
void jp_osc_resolver_free(struct jp_osc_resolver *resolver, const struct timespec *deadline);

#endif
