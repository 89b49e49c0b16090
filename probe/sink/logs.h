/** @file logs.h
 * Openers of the --log kinds, chosen by the file's ending in open.c. Same contract as jp_sink_open_log. */
#ifndef JP_LOGS_H
#define JP_LOGS_H

#include "sink.h"
#include "sys/text.h"

typedef enum jp_status (*jp_log_opener)(
	const char *path, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why);

enum jp_status jp_sink_open_csv(
	const char *path, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why);
enum jp_status jp_sink_open_jsonl(
	const char *path, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why);

/** The facts as members of a JSON object that has been begun: `,"key":"value"` for each. A key that the object uses itself
 * (type, format, version, columns) gets "run_" in front. */
void jp_logs_put_meta(struct jp_text *t, const struct jp_meta *meta);

#endif
