/* The running set of sinks. */
#include "runner.h"
#include "sink.h"

#include <stdlib.h>

enum { SINKS_MAX = 32 };

struct jp_sinks {
	struct jp_runner *runner[SINKS_MAX];
	size_t n;
	uint64_t errors; /* of runners that are gone */
	struct {
		enum jp_status status;
		struct jp_why why;
	} last[SINKS_MAX]; /* what runners that are gone have not told; "" = nothing */
};

enum jp_status jp_sinks_new(struct jp_sinks **out)
{
	*out = calloc(1, sizeof **out);
	return *out ? JP_OK : JP_NO_MEM;
}

enum jp_status jp_sinks_add(struct jp_sinks *s, const struct jp_sink_instance *instance, struct jp_why *why)
{
	enum jp_status status = JP_BAD_ARG;
	if (s->n == SINKS_MAX)
		jp_why_set(why, status, "%.100s: more than %d outputs; leave some out", instance->name, SINKS_MAX);
	else
		status = jp_runner_start(instance, &s->runner[s->n], why);
	if (status == JP_OK)
		s->n++;
	else
		instance->ops->close(instance->self);
	return status;
}

static void post(struct jp_sinks *s, enum jp_item type, const void *data, size_t n, size_t size)
{
	for (size_t i = 0; i < s->n; i++)
		jp_runner_post(s->runner[i], type, data, n, size);
}

void jp_sinks_begin(struct jp_sinks *s, const struct jp_meta *meta)
{
	post(s, JP_ITEM_BEGIN, meta, 1, sizeof *meta);
}

void jp_sinks_meta(struct jp_sinks *s, const struct jp_meta *meta)
{
	post(s, JP_ITEM_META, meta, 1, sizeof *meta);
}

void jp_sinks_window(struct jp_sinks *s, const struct jp_report *report)
{
	post(s, JP_ITEM_WINDOW, report, 1, sizeof *report);
}

void jp_sinks_cycles(struct jp_sinks *s, const struct jp_cycle *cycles, size_t n)
{
	post(s, JP_ITEM_CYCLES, cycles, n, sizeof *cycles);
}

void jp_sinks_executions(struct jp_sinks *s, const struct jp_exec_row *rows, size_t n)
{
	post(s, JP_ITEM_EXECUTIONS, rows, n, sizeof *rows);
}

static bool want(const struct jp_sinks *s, enum jp_item type)
{
	for (size_t i = 0; i < s->n; i++) {
		if (jp_runner_takes(s->runner[i], type))
			return true;
	}
	return false;
}

bool jp_sinks_want_cycles(const struct jp_sinks *s)
{
	return want(s, JP_ITEM_CYCLES);
}

bool jp_sinks_want_executions(const struct jp_sinks *s)
{
	return want(s, JP_ITEM_EXECUTIONS);
}

void jp_sinks_clients(struct jp_sinks *s, const struct jp_client_row *rows, size_t n)
{
	if (n)
		post(s, JP_ITEM_CLIENTS, rows, n, sizeof *rows);
}

void jp_sinks_event(struct jp_sinks *s, const struct jp_event *event)
{
	post(s, JP_ITEM_EVENT, event, 1, sizeof *event);
}

void jp_sinks_summary(struct jp_sinks *s, const struct jp_summary *summary)
{
	post(s, JP_ITEM_SUMMARY, summary, 1, sizeof *summary);
}

void jp_sinks_reopen(struct jp_sinks *s)
{
	for (size_t i = 0; i < s->n; i++)
		jp_runner_reopen(s->runner[i]);
}

bool jp_sinks_news(struct jp_sinks *s, enum jp_status *status, struct jp_why *out)
{
	for (size_t i = 0; i < s->n; i++) {
		if (jp_runner_news(s->runner[i], status, out))
			return true;
	}
	for (size_t i = 0; i < SINKS_MAX; i++) {
		if (!s->last[i].why.text[0])
			continue;
		*status = s->last[i].status;
		*out = s->last[i].why;
		s->last[i].why.text[0] = 0;
		return true;
	}
	return false;
}

bool jp_sinks_gone(const struct jp_sinks *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!jp_runner_gone(s->runner[i]))
			return false;
	return s->n > 0;
}

uint64_t jp_sinks_errors(const struct jp_sinks *s)
{
	uint64_t errors = s->errors;
	for (size_t i = 0; i < s->n; i++)
		errors += jp_runner_errors(s->runner[i]);
	return errors;
}

static struct timespec from_now(int ms)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000L;
	if (t.tv_nsec >= 1000000000L) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000L;
	}
	return t;
}

bool jp_sinks_flush(struct jp_sinks *s, int ms)
{
	struct timespec deadline = from_now(ms);
	bool flushed = true;
	for (size_t i = 0; i < s->n; i++)
		flushed = jp_runner_flush(s->runner[i], &deadline) && flushed;
	return flushed;
}

bool jp_sinks_close(struct jp_sinks *s, int ms)
{
	struct timespec deadline = from_now(ms);
	bool closed = true;
	for (size_t i = 0; i < s->n; i++)
		jp_runner_finish(s->runner[i]);
	for (size_t i = 0; i < s->n; i++)
		closed = jp_runner_close(s->runner[i], &deadline, &s->errors, &s->last[i].status, &s->last[i].why) &&
			 closed;
	s->n = 0;
	return closed;
}

void jp_sinks_free(struct jp_sinks *s)
{
	free(s);
}
