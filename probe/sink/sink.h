/** @file sink.h
 * Sinks: where windows, cycles, events and the summary go. One file per kind, one row in the table (sinks.c); each sink
 * in use has a thread and a bounded queue of its own, so that a slow disk or a stopped terminal delays nobody. */
#ifndef JP_SINK_H
#define JP_SINK_H

#include <jackprobe/client_stats.h>
#include <jackprobe/event.h>
#include <jackprobe/report.h>
#include <jackprobe/status.h>
#include <jackprobe/summary.h>
#include <stdbool.h>

/** What a kind of sink can do. Every call comes from the sink's own thread, one at a time; calls may block. Members that a kind
 * has no use for are NULL. A failed call leaves out what it was given, whole lines only, and is told once per change; its sentence does not
 * name the sink, the runner does. A sentence with JP_OK is a remark: it is told and counts as nothing. */
struct jp_sink_ops {
	const char *kind; /**< "csv", "jsonl", "cycles", "executions", "terminal", "lines" */
	enum jp_status (*begin)(void *self, const struct jp_meta *meta, struct jp_why *why);
	enum jp_status (*window)(void *self, const struct jp_report *report, struct jp_why *why);
	enum jp_status (*cycles)(void *self, const struct jp_cycle *cycles, size_t n, struct jp_why *why);
	enum jp_status (*executions)(void *self, const struct jp_exec_row *rows, size_t n, struct jp_why *why);
	enum jp_status (*clients)(void *self, const struct jp_client_row *rows, size_t n,
		struct jp_why *why); /**< after the window they belong to */
	enum jp_status (*event)(void *self, const struct jp_event *event, struct jp_why *why);
	enum jp_status (*meta)(
		void *self, const struct jp_meta *meta, struct jp_why *why); /**< facts changed (server back) */
	enum jp_status (*summary)(void *self, const struct jp_summary *summary, struct jp_why *why);
	enum jp_status (*reopen)(void *self, struct jp_why *why); /**< SIGHUP */
	void (*close)(void *self);
};

/** A sink that has been opened, before it runs. */
struct jp_sink_instance {
	const struct jp_sink_ops *ops;
	void *self;
	char name[256]; /**< the file's name, or "terminal": for messages */
};

struct jp_sink_config {
	const struct jp_extra_column *columns; /**< outlive the sinks */
	size_t n_columns;
};

/* Openers; the error is the user's to see at start. Main thread. */

/** --log FILE: the ending decides (.csv, .jsonl). Errors: JP_BAD_ARG (ending), JP_EXISTS (a file with another header:
 * says so), JP_DENIED, JP_IO. A full disk at start is not an error: it is counted and tried again. */
enum jp_status jp_sink_open_log(
	const char *path, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why);
/** --cycles FILE.csv. Same errors. */
enum jp_status jp_sink_open_cycles(const char *path, struct jp_sink_instance *out, struct jp_why *why);
/** --executions FILE.csv. Same errors. */
enum jp_status jp_sink_open_executions(const char *path, struct jp_sink_instance *out, struct jp_why *why);
/** Live page on a terminal (fd 1). Errors: JP_NO_MEM. */
enum jp_status jp_sink_open_terminal(
	int fd, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why);
/** One line a window. @param quiet only the summary. What a sink could not write goes to standard error when quiet, and when
 * standard output does not take it. Errors: JP_NO_MEM. */
enum jp_status jp_sink_open_lines(
	int fd, bool quiet, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why);

/* The running set. Posting is for the collector thread: never blocks; a full queue drops and counts. */

struct jp_sinks; /**< opaque */

enum jp_status jp_sinks_new(struct jp_sinks **out);
/** Takes the instance over (on an error it has been closed) and starts its thread. */
enum jp_status jp_sinks_add(struct jp_sinks *s, const struct jp_sink_instance *instance, struct jp_why *why);
void jp_sinks_begin(struct jp_sinks *s, const struct jp_meta *meta);
void jp_sinks_meta(struct jp_sinks *s, const struct jp_meta *meta);
void jp_sinks_window(struct jp_sinks *s, const struct jp_report *report);
/** Only sinks with a cycles member get them. */
void jp_sinks_cycles(struct jp_sinks *s, const struct jp_cycle *cycles, size_t n);
bool jp_sinks_want_cycles(const struct jp_sinks *s);
/** Only sinks with an executions member get them. */
void jp_sinks_executions(struct jp_sinks *s, const struct jp_exec_row *rows, size_t n);
bool jp_sinks_want_executions(const struct jp_sinks *s);
/** The clients of the window posted last, who hurts most first; only with server timing. */
void jp_sinks_clients(struct jp_sinks *s, const struct jp_client_row *rows, size_t n);
void jp_sinks_event(struct jp_sinks *s, const struct jp_event *event);
void jp_sinks_summary(struct jp_sinks *s, const struct jp_summary *summary);
/** SIGHUP. Thread: any. */
void jp_sinks_reopen(struct jp_sinks *s);
/** The next failure or recovery to tell ("run.csv: no space left on device: 3 windows not written; will go on when there
 * is room"), once per change. @param status what failed; JP_OK for a recovery or a remark. @return false when there is none.
 * Thread: collector; after jp_sinks_close main, for what has come since. */
bool jp_sinks_news(struct jp_sinks *s, enum jp_status *status, struct jp_why *out);
/** Has everybody gone who read what the sinks write (`jackprobe | head`)? Thread: collector. */
bool jp_sinks_gone(const struct jp_sinks *s);
/** Failed or dropped items so far; > 0 makes exit status 1. Also after jp_sinks_close. */
uint64_t jp_sinks_errors(const struct jp_sinks *s);
/** Wait until all that was posted is done, at most ms, so that errors and news are those of everything. Thread: collector.
 * @return false: a sink is still at it. */
bool jp_sinks_flush(struct jp_sinks *s, int ms);
/** Let queues run empty, at most until the deadline (ms from now), close all. Afterwards only jp_sinks_errors, jp_sinks_news and
 * jp_sinks_free may be called. @return false: a sink hung and was left behind; what it had waiting counts as errors. */
bool jp_sinks_close(struct jp_sinks *s, int ms);
/** After jp_sinks_close, or when nothing was added. NULL is fine. */
void jp_sinks_free(struct jp_sinks *s);

#endif
