/* --log FILE: the ending decides what is written. */
#include "logs.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *ending;
	jp_log_opener open;
} logs[] = {
	{".csv", jp_sink_open_csv},
	{".jsonl", jp_sink_open_jsonl},
};

static bool ends_with(const char *text, const char *ending)
{
	size_t n = strlen(text), m = strlen(ending);
	return n > m && strcmp(text + n - m, ending) == 0;
}

enum jp_status jp_sink_open_log(
	const char *path, const struct jp_sink_config *config, struct jp_sink_instance *out, struct jp_why *why)
{
	for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
		if (ends_with(path, logs[i].ending))
			return logs[i].open(path, config, out, why);
	}
	return jp_why_set(
		why, JP_BAD_ARG, "%s: the ending decides the format; use a name that ends in .csv or .jsonl", path);
}

void jp_logs_put_meta(struct jp_text *t, const struct jp_meta *meta)
{
	static const char *const own[] = {"type", "format", "version", "columns"};
	for (size_t i = 0; i < meta->n; i++) {
		char key[sizeof meta->entry[i].key + sizeof "run_"];
		bool taken = false;
		for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
			taken = taken || strcmp(meta->entry[i].key, own[k]) == 0;
		snprintf(key, sizeof key, "%s%s", taken ? "run_" : "", meta->entry[i].key);
		jp_text_char(t, ',');
		jp_text_json(t, key);
		jp_text_char(t, ':');
		jp_text_json(t, meta->entry[i].value);
	}
}
