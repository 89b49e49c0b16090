/** @file trigger.h
 * `--on-overrun CMD`: a helper process that runs the user's command, once per episode. It is forked before the program has threads or
 * libjack, so that no command is ever started from a process that takes part in the graph.
 *
 * The command runs as `/bin/sh -c CMD` in a process group of its own, with stdin from /dev/null, stdout and stderr as the
 * program's, default signals, no other descriptor, and the figures in its environment:
 * JACKPROBE_VALUE_US JACKPROBE_PERIOD_US JACKPROBE_FRAME JACKPROBE_CLIENT JACKPROBE_TIME_UTC JACKPROBE_OVERRUNS
 * JACKPROBE_DETAIL. What is unknown is an empty string. Never two at once: an episode that begins while the command of an
 * earlier one still runs starts nothing and is counted. A command that still runs when the program ends is left to
 * finish by itself. */
#ifndef JP_TRIGGER_H
#define JP_TRIGGER_H

#include <jackprobe/event.h>
#include <jackprobe/status.h>
#include <stdbool.h>
#include <stdint.h>

struct jp_trigger; /**< opaque */

/** Fork the helper. The caller owns the result.
 * @param command NULL or a shell command; copied. NULL: no helper, *out = NULL, which all calls below take.
 * Thread: main, before any other thread and any call of libjack. Errors: JP_NO_MEM (no memory, socket or process). */
enum jp_status jp_trigger_open(const char *command, struct jp_trigger **out, struct jp_why *why);

/** Start the command for the episode that this overrun begins. Never blocks.
 * @param overruns how many since start, this one included; -1 unknown.
 * Thread: one at a time (the collector). @return JP_OK: handed over; JP_FULL: the helper does not keep up, left out and
 * counted; JP_GONE: the helper has died, left out and counted. */
enum jp_status jp_trigger_fire(struct jp_trigger *trigger, const struct jp_event *overrun, int64_t overruns);

/** What became of the episodes so far. */
struct jp_trigger_counts {
	uint64_t started; /**< commands */
	uint64_t skipped; /**< an earlier command still ran */
	uint64_t dropped; /**< not handed over, or no process for the command */
	uint64_t failed;  /**< commands that ended with another status than 0, or by a signal */
	int failure;      /**< of the last of these, as wait(2) tells it */
};

/** The sentence for commands that failed; "" when none did. Pure. */
void jp_trigger_failure_text(const struct jp_trigger_counts *counts, char *out, size_t size);

/** Thread: any. */
void jp_trigger_counts(const struct jp_trigger *trigger, struct jp_trigger_counts *out);

/** End the helper; does not wait for a running command. Returns within 1 s: a helper that does not end is killed.
 * @param counts final counts, or NULL. Thread: main, after the last jp_trigger_fire. */
void jp_trigger_close(struct jp_trigger *trigger, struct jp_trigger_counts *counts);

#endif
