/** @file jack2.h
 * Per-client times of a stock jackd2: finds the layout of the server's memory (layout.h), lets the callbacks read it
 * (rt/slots.h), and knows whose reference number it is. Calls libjack: on the session's thread where not said otherwise. */
#ifndef JP_JACK2_H
#define JP_JACK2_H

#include "rt/slots.h"

#include <jack/jack.h>
#include <jackprobe/blame.h>
#include <jackprobe/report.h>
#include <stdbool.h>
#include <time.h>

struct jp_jack2; /**< opaque */

struct jp_jack2_config {
	jack_client_t *head, *tail; /**< ours, active; tail NULL with --insert head, then the head must own a port */
	struct jp_slots *slots;     /**< both callbacks enter and leave it; outlives the result */
	clockid_t clock;            /**< JACK's */
};

/** Find the layout, in several attempts; on success the callbacks read from then on. Takes some 8 periods, 10 ms of CPU; a second
 * at most (more only when libjack hangs). On failure nothing is left behind. The caller owns the result.
 * Errors: JP_UNSUPPORTED (not proven; the sentence says what stands against it), JP_DENIED, JP_IO, JP_NO_MEM, JP_TIMEOUT (callbacks
 * do not run). */
enum jp_status jp_jack2_find(const struct jp_jack2_config *config, struct jp_jack2 **out, struct jp_why *why);

/** Only when both callbacks have ended for good. */
void jp_jack2_free(struct jp_jack2 *j);

/** Learn who has which number and is cabled to whom, after ports or cables came or went. @param since_ns when the first of these changes was told. */
void jp_jack2_refresh(struct jp_jack2 *j, int64_t since_ns);

/** Name of the client that had a number at a time; "#N" when it is not known (no ports). Thread: any. */
bool jp_jack2_name(struct jp_jack2 *j, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX]);

/** Cables between clients as of the last refresh, each pair once. @return how many, at most max. Thread: any. */
size_t jp_jack2_cables(struct jp_jack2 *j, struct jp_blame_cable *out, size_t max);

/** Our reference numbers; tail -1 when there is none. The server's own: driver, whose end releases the graph, and hardware, the owner of
 * its audio ports, -1 when there are none. */
void jp_jack2_refs(const struct jp_jack2 *j, int32_t *head, int32_t *tail, int32_t *driver, int32_t *hardware);

/** "slots at 38101532, stride 28, 256 clients, score 24 (next 0)": for the log. */
void jp_jack2_text(const struct jp_jack2 *j, char *out, size_t size);

#endif
