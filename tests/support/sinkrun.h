/** @file sinkrun.h
 * A running set of sinks with one log in it, as the program has it. */
#ifndef JP_TEST_SINKRUN_H
#define JP_TEST_SINKRUN_H

#include "sink/sink.h"
#include "support/sample.h"

/** More than any of it can take: tests wait for conditions, this only ends a hopeless wait. */
enum { JP_ENOUGH_MS = 30000 };

/** With --log PATH and the sample's extra columns; asserts that it opens. */
struct jp_sinks *jp_sinkrun_log(const char *path);
/** With --cycles PATH. */
struct jp_sinks *jp_sinkrun_cycles(const char *path);
/** With --executions PATH. */
struct jp_sinks *jp_sinkrun_executions(const char *path);
/** With any instance. */
struct jp_sinks *jp_sinkrun_add(const struct jp_sink_instance *instance);

/** Wait until all posted things are done; asserts. */
void jp_sinkrun_flush(struct jp_sinks *s);
/** Close and free; asserts that nothing hung and that so many errors were counted. */
void jp_sinkrun_end(struct jp_sinks *s, uint64_t errors);

/** The next news; "" = none. In a buffer that the next call overwrites. */
const char *jp_sinkrun_news(struct jp_sinks *s);

/** What jp_sink_open_log says of a path that it must refuse. */
const char *jp_sinkrun_refusal(const char *path, enum jp_status expected);

/** A whole short run: facts, the sample report, a stale one, two events, the summary. */
void jp_sinkrun_whole(const char *path);

#endif
