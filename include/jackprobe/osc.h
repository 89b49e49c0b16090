/** @file osc.h
 * OSC publisher: sends windows, events and standing to any number of targets. Never blocks: sockets are its own and
 * non-blocking, names are resolved on a thread of its own, what cannot be sent at once is dropped and counted. */
#ifndef JACKPROBE_OSC_H
#define JACKPROBE_OSC_H

#include <jackprobe/client_stats.h>
#include <jackprobe/event.h>
#include <jackprobe/report.h>
#include <jackprobe/status.h>
#include <stdbool.h>

JP_BEGIN_DECLS

enum jp_osc_profile { JP_OSC_SCALAR, JP_OSC_ROW };

struct jp_osc_config {
	const char *const *targets; /**< "HOST:PORT", "[V6]:PORT", as given with --osc */
	size_t n_targets;
	enum jp_osc_profile profile;
	const char *prefix;                    /**< "/jackprobe"; "" = none */
	const char *name;                      /**< this probe's name, for /hello */
	const char *version;                   /**< of the program */
	const struct jp_extra_column *columns; /**< extra columns of the run, outlive the publisher */
	size_t n_columns;
};

struct jp_osc; /**< opaque */

/** Check the targets' form, prebuild all messages, start resolving in the background.
 * Thread: collector; all further calls but jp_osc_check_target too. The caller owns the result.
 * Errors: JP_BAD_ARG (target or prefix malformed; says which and what is wrong), JP_NO_MEM. */
enum jp_status jp_osc_open(const struct jp_osc_config *config, struct jp_osc **out, struct jp_why *why);

/** Stop, close sockets. Returns within 100 ms even while a name is being resolved. */
void jp_osc_close(struct jp_osc *osc);

/** Is the text a well-formed target? For the option parser. Thread: any. */
enum jp_status jp_osc_check_target(const char *target, struct jp_why *why);
/** Is the text a well-formed OSC address prefix? For the option parser. Thread: any. */
enum jp_status jp_osc_check_prefix(const char *prefix, struct jp_why *why);

/** Facts for /hello; sent now and again every 10 s by jp_osc_window. rate_hz, frames: -1 = unknown: no /hello yet.
 * @param server "jackd2 1.9.21", "PipeWire 0.3.65"; copied. */
void jp_osc_hello(struct jp_osc *osc, int64_t rate_hz, int64_t frames, const char *server);

/** Send one window: bundles of at most JP_OSC_DATAGRAM_MAX bytes, all with the same seq. No allocation. */
void jp_osc_window(struct jp_osc *osc, const struct jp_report *report);

/** Send one message per client of the window sent last, in bundles of at most JP_OSC_DATAGRAM_MAX bytes. What is unknown of a client
 * is -1. No allocation. */
void jp_osc_clients(struct jp_osc *osc, const struct jp_client_row *rows, size_t n);

/** Send one event at once. The caller limits the rate. No allocation. */
void jp_osc_event(struct jp_osc *osc, const struct jp_event *event);

/** Send and remember a sensor's standing; repeated with /hello. At most 32 sensors. */
void jp_osc_status(struct jp_osc *osc, const char *sensor, bool available, const char *reason);

/** Datagrams sent and dropped over all targets since start. What the kernel took counts as sent; when a refusal comes back for
 * it ("nobody listens"), it moves to dropped. */
void jp_osc_counts(const struct jp_osc *osc, uint64_t *sent, uint64_t *dropped);

/** The next thing to tell the user about a target ("osc target nosuch.invalid:9000: name not known, trying again in
 * the background"), each once per change. @return false when there is none. */
bool jp_osc_news(struct jp_osc *osc, struct jp_why *out);

JP_END_DECLS

#endif
