#include "sinkrun.h"

#include <criterion/criterion.h>

static const struct jp_sink_config config = {jp_sample_columns, JP_SAMPLE_COLUMNS};

struct jp_sinks *jp_sinkrun_add(const struct jp_sink_instance *instance)
{
	struct jp_sinks *s;
	struct jp_why why = {""};
	cr_assert_eq(jp_sinks_new(&s), JP_OK);
	cr_assert_eq(jp_sinks_add(s, instance, &why), JP_OK, "%s", why.text);
	return s;
}

struct jp_sinks *jp_sinkrun_log(const char *path)
{
	struct jp_sink_instance log;
	struct jp_why why = {""};
	cr_assert_eq(jp_sink_open_log(path, &config, &log, &why), JP_OK, "%s", why.text);
	return jp_sinkrun_add(&log);
}

typedef enum jp_status (*opener)(const char *path, struct jp_sink_instance *out, struct jp_why *why);

static struct jp_sinks *run_with(opener open, const char *path)
{
	struct jp_sink_instance sink;
	struct jp_why why = {""};
	cr_assert_eq(open(path, &sink, &why), JP_OK, "%s", why.text);
	return jp_sinkrun_add(&sink);
}

struct jp_sinks *jp_sinkrun_cycles(const char *path)
{
	return run_with(jp_sink_open_cycles, path);
}

struct jp_sinks *jp_sinkrun_executions(const char *path)
{
	return run_with(jp_sink_open_executions, path);
}

void jp_sinkrun_flush(struct jp_sinks *s)
{
	cr_assert(jp_sinks_flush(s, JP_ENOUGH_MS));
}

void jp_sinkrun_end(struct jp_sinks *s, uint64_t errors)
{
	cr_assert(jp_sinks_close(s, JP_ENOUGH_MS));
	cr_assert_eq(jp_sinks_errors(s), errors, "%llu errors", (unsigned long long)jp_sinks_errors(s));
	jp_sinks_free(s);
}

const char *jp_sinkrun_news(struct jp_sinks *s)
{
	static struct jp_why why;
	enum jp_status status;
	return jp_sinks_news(s, &status, &why) ? why.text : "";
}

const char *jp_sinkrun_refusal(const char *path, enum jp_status expected)
{
	static struct jp_why why;
	struct jp_sink_instance log;
	enum jp_status status = jp_sink_open_log(path, &config, &log, &why);
	cr_assert_eq(status, expected, "%s: %s", path, jp_status_text(status));
	return why.text;
}

void jp_sinkrun_whole(const char *path)
{
	struct jp_report report;
	struct jp_event event;
	struct jp_summary summary;
	struct jp_meta meta;
	struct jp_sinks *s = jp_sinkrun_log(path);
	jp_sample_meta(&meta);
	jp_sinks_begin(s, &meta);
	jp_sample_report(&report);
	jp_sinks_window(s, &report);
	jp_sample_stale(&report);
	jp_sinks_window(s, &report);
	jp_sample_event(&event);
	jp_sinks_event(s, &event);
	jp_sample_bare_event(&event);
	jp_sinks_event(s, &event);
	jp_sample_summary(&summary);
	jp_sinks_summary(s, &summary);
	jp_sinkrun_end(s, 0);
}
