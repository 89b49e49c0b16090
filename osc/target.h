/** @file target.h
 * One target: a name, its addresses, a non-blocking UDP socket of its own, and what there is to tell about it.
 *
 * Thread: collector. Nothing waits. After the open nothing allocates. */
#ifndef JP_OSC_TARGET_H
#define JP_OSC_TARGET_H

#include "resolve.h"

#include <stdint.h>

enum jp_osc_standing {
	JP_OSC_FINE,     /**< nothing is known against it */
	JP_OSC_NAMELESS, /**< its name could not be looked up yet */
	JP_OSC_REFUSED,  /**< nobody listens there */
	JP_OSC_FAILING,  /**< sending fails otherwise */
};

struct jp_osc_target {
	char text[JP_OSC_HOST_MAX + 8];   /**< as the user wrote it */
	struct jp_osc_resolver *resolver; /**< NULL: numeric */
	struct jp_osc_addresses addresses;
	size_t current;  /**< the address in use */
	int fd;          /**< connected to it; -1 = not open */
	bool fresh;      /**< has become reachable and not been greeted yet */
	bool doubt;      /**< not proven to take what is sent: no quiet time yet since the start or the last failure */
	bool failed;     /**< a failure in the present window */
	size_t failures; /**< addresses in a row that failed */
	double quiet_since_s, asked_s; /**< elapsed time; NaN = not yet */
	enum jp_osc_standing standing, told;
	int error; /**< errno, or EAI_* when nameless */
	uint64_t sent, dropped;
};

/** Errors: JP_BAD_ARG, JP_NO_MEM, JP_IO (no thread for the look-up). */
enum jp_status jp_osc_target_open(struct jp_osc_target *target, const char *text, struct jp_why *why);

/** Take over what the look-up has brought. Before sending. */
void jp_osc_target_poll(struct jp_osc_target *target);

/** Send one datagram, or drop and count it. A refusal that comes back belongs to an earlier datagram: that one moves from sent
 * to dropped, this one is sent again at once, to the next address if the name has several. */
void jp_osc_target_send(struct jp_osc_target *target, const void *bytes, size_t size);

/** All of one window has been sent: judge whether the target is well. @param elapsed_s of the report. */
void jp_osc_target_window_end(struct jp_osc_target *target, double elapsed_s);

/** What to tell, once per change. @return false when there is nothing. */
bool jp_osc_target_news(struct jp_osc_target *target, struct jp_why *out);

/** Close the socket, ask the look-up to stop. */
void jp_osc_target_stop(struct jp_osc_target *target);
/** After the stop. @param deadline CLOCK_MONOTONIC. */
void jp_osc_target_free(struct jp_osc_target *target, const struct timespec *deadline);

#endif
