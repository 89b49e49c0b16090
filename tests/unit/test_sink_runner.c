/* The running set: order, bounds, counting, hung sinks. A scripted sink stands in for the real ones. */
#include "sink/runner.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sink that can be held up and told to fail. */
struct puppet {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	bool held, closed;
	bool entered;        /* a call waits at the held gate */
	enum jp_status next; /* what calls return */
	char seen[1024];     /* a letter per call */
	size_t n;
};

#define PUPPET                                                                                                         \
	{                                                                                                              \
		.lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER                                   \
	}

static enum jp_status play(struct puppet *p, char letter, struct jp_why *why)
{
	pthread_mutex_lock(&p->lock);
	p->entered = true;
	pthread_cond_broadcast(&p->moved);
	while (p->held)
		pthread_cond_wait(&p->moved, &p->lock);
	p->entered = false;
	if (p->n < sizeof p->seen - 1)
		p->seen[p->n++] = letter;
	enum jp_status status = p->next;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	return status == JP_OK ? JP_OK : jp_why_set(why, status, "it is broken");
}

static enum jp_status play_begin(void *self, const struct jp_meta *meta, struct jp_why *why)
{
	return play(self, meta->n == 0 ? 'b' : '?', why);
}

static enum jp_status play_window(void *self, const struct jp_report *report, struct jp_why *why)
{
	return play(self, (char)('0' + report->seq % 10), why);
}

static enum jp_status play_cycles(void *self, const struct jp_cycle *cycles, size_t n, struct jp_why *why)
{
	return play(self, cycles[n - 1].frame == n ? 'c' : '?', why);
}

static enum jp_status play_event(void *self, const struct jp_event *event, struct jp_why *why)
{
	return play(self, event->frame == 77 ? 'e' : '?', why);
}

static enum jp_status play_meta(void *self, const struct jp_meta *meta, struct jp_why *why)
{
	return play(self, meta->n == 0 ? 'm' : '?', why);
}

static enum jp_status play_summary(void *self, const struct jp_summary *summary, struct jp_why *why)
{
	return play(self, summary->osc_sent == 5 ? 's' : '?', why);
}

static enum jp_status play_reopen(void *self, struct jp_why *why)
{
	return play(self, 'r', why);
}

static void play_close(void *self)
{
	struct puppet *p = self;
	pthread_mutex_lock(&p->lock);
	p->closed = true;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
}

static const struct jp_sink_ops all = {.kind = "all",
	.begin = play_begin,
	.window = play_window,
	.cycles = play_cycles,
	.event = play_event,
	.meta = play_meta,
	.summary = play_summary,
	.reopen = play_reopen,
	.close = play_close};
static const struct jp_sink_ops only_windows = {.kind = "windows", .window = play_window, .close = play_close};

static void hold(struct puppet *p, bool held)
{
	pthread_mutex_lock(&p->lock);
	p->held = held;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
}

static void answer(struct puppet *p, enum jp_status status)
{
	pthread_mutex_lock(&p->lock);
	p->next = status;
	pthread_mutex_unlock(&p->lock);
}

static void wait_calls(struct puppet *p, size_t n)
{
	pthread_mutex_lock(&p->lock);
	while (p->n < n)
		pthread_cond_wait(&p->moved, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static void wait_entered(struct puppet *p)
{
	pthread_mutex_lock(&p->lock);
	while (!p->entered)
		pthread_cond_wait(&p->moved, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static void wait_closed(struct puppet *p)
{
	pthread_mutex_lock(&p->lock);
	while (!p->closed)
		pthread_cond_wait(&p->moved, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static struct jp_sink_instance instance_of(struct puppet *p, const struct jp_sink_ops *ops, const char *name)
{
	struct jp_sink_instance instance = {.ops = ops, .self = p};
	snprintf(instance.name, sizeof instance.name, "%s", name);
	return instance;
}

static void add(struct jp_sinks *s, struct puppet *p, const struct jp_sink_ops *ops, const char *name)
{
	struct jp_sink_instance instance = instance_of(p, ops, name);
	cr_assert_eq(jp_sinks_add(s, &instance, NULL), JP_OK);
}

static struct jp_sinks *run(struct puppet *p, const struct jp_sink_ops *ops, const char *name)
{
	struct jp_sinks *s;
	cr_assert_eq(jp_sinks_new(&s), JP_OK);
	add(s, p, ops, name);
	return s;
}

static void post_windows(struct jp_sinks *s, uint32_t first, uint32_t n)
{
	struct jp_report report;
	jp_sample_report(&report);
	for (uint32_t i = 0; i < n; i++) {
		report.seq = first + i;
		jp_sinks_window(s, &report);
	}
}

static void post_cycles(struct jp_sinks *s, size_t n)
{
	struct jp_cycle *cycles = calloc(n, sizeof *cycles);
	cycles[n - 1].frame = n;
	jp_sinks_cycles(s, cycles, n);
	free(cycles);
}

static void post_rest(struct jp_sinks *s)
{
	const struct jp_meta meta = {.n = 0};
	const struct jp_event event = {.frame = 77};
	struct jp_summary summary;
	jp_sample_summary(&summary);
	summary.osc_sent = 5;
	jp_sinks_begin(s, &meta);
	post_windows(s, 1, 2);
	post_cycles(s, 3);
	jp_sinks_event(s, &event);
	jp_sinks_meta(s, &meta);
	jp_sinks_summary(s, &summary);
}

Test(sink_runner, each_sink_gets_what_it_takes_in_order)
{
	struct puppet p = PUPPET, w = PUPPET;
	struct jp_sinks *s = run(&w, &only_windows, "w");
	cr_assert_not(jp_sinks_want_cycles(s));
	add(s, &p, &all, "p");
	cr_assert(jp_sinks_want_cycles(s));
	post_rest(s);
	jp_sinks_reopen(s);
	jp_sinkrun_flush(s);
	post_windows(s, 3, 1);
	jp_sinkrun_end(s, 0);
	cr_assert(p.closed && w.closed);
	cr_assert_str_eq(w.seen, "123");
	char *again = strchr(p.seen, 'r'); /* it overtakes what waits */
	cr_assert_not_null(again);
	memmove(again, again + 1, strlen(again));
	cr_assert_str_eq(p.seen, "b12cems3");
}

Test(sink_runner, a_held_sink_drops_its_own_and_delays_nobody)
{
	struct puppet slow = PUPPET, quick = PUPPET;
	struct jp_sinks *s = run(&slow, &all, "slow.csv");
	const struct jp_meta meta = {.n = 0};
	add(s, &quick, &only_windows, "quick");
	hold(&slow, true);
	post_windows(s, 0, JP_QUEUE_ITEMS);
	wait_calls(&quick, JP_QUEUE_ITEMS);
	cr_assert_eq(jp_sinks_errors(s), 0);
	post_windows(s, 0, 10);
	wait_calls(&quick, JP_QUEUE_ITEMS + 10);
	cr_assert_eq(jp_sinks_errors(s), 10);
	cr_assert_str_eq(jp_sinkrun_news(s),
		"slow.csv: does not keep up: 10 windows not written; will go on when there is room");
	post_cycles(s, 7);
	cr_assert_str_eq(jp_sinkrun_news(s), "");
	jp_sinks_meta(s, &meta); /* facts still have a place */
	hold(&slow, false);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(
		jp_sinkrun_news(s), "slow.csv: goes on after: does not keep up; 10 windows and 7 cycles not written");
	cr_assert_str_eq(jp_sinkrun_news(s), "");
	jp_sinkrun_end(s, 17);
	cr_assert_eq(slow.n, JP_QUEUE_ITEMS + 1);
	cr_assert_eq(slow.seen[JP_QUEUE_ITEMS], 'm');
}

Test(sink_runner, waiting_batches_are_bounded_in_bytes)
{
	struct puppet p = PUPPET;
	const size_t batch = JP_QUEUE_BYTES / 4 / sizeof(struct jp_cycle);
	struct jp_sinks *s = run(&p, &all, "p");
	hold(&p, true);
	for (int i = 0; i < 6; i++)
		post_cycles(s, batch);
	hold(&p, false);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(p.seen, "cccc");
	jp_sinkrun_end(s, 2 * batch);
}

Test(sink_runner, failures_are_counted_exactly_and_told_once_per_change)
{
	struct puppet p = PUPPET;
	struct jp_sinks *s = run(&p, &all, "run.csv");
	answer(&p, JP_IO);
	post_windows(s, 1, 1);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(
		jp_sinkrun_news(s), "run.csv: it is broken: 1 window not written; will go on when it works again");
	post_windows(s, 2, 2);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(jp_sinkrun_news(s), "");
	answer(&p, JP_OK);
	post_windows(s, 4, 1);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(jp_sinkrun_news(s), "run.csv: goes on after: it is broken; 3 windows not written");
	cr_assert_str_eq(jp_sinkrun_news(s), "");
	cr_assert_eq(jp_sinks_errors(s), 3);

	answer(&p, JP_FULL); /* over before anybody asked: one sentence */
	post_windows(s, 5, 1);
	jp_sinkrun_flush(s);
	answer(&p, JP_OK);
	post_windows(s, 6, 2);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(jp_sinkrun_news(s), "run.csv: goes on after: it is broken; 1 window not written");
	cr_assert_str_eq(jp_sinkrun_news(s), "");
	jp_sinkrun_end(s, 4);
}

/* It may write clients and windows to two files: that one of them can be written does not mend the other. */
Test(sink_runner, it_goes_on_when_all_that_failed_goes_on)
{
	struct puppet p = PUPPET;
	struct jp_sinks *s = run(&p, &all, "run.csv");
	const struct jp_event event = {.frame = 77};
	answer(&p, JP_FULL);
	post_windows(s, 1, 1);
	jp_sinkrun_flush(s);
	answer(&p, JP_OK);
	jp_sinks_event(s, &event);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(
		jp_sinkrun_news(s), "run.csv: it is broken: 1 window not written; will go on when there is room");
	cr_assert_str_eq(jp_sinkrun_news(s), "");
	post_windows(s, 2, 1);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(jp_sinkrun_news(s), "run.csv: goes on after: it is broken; 1 window not written");
	jp_sinkrun_end(s, 1);
}

Test(sink_runner, a_hung_sink_is_left_behind)
{
	struct puppet hung = PUPPET, fine = PUPPET;
	struct jp_sinks *s = run(&hung, &only_windows, "hung");
	add(s, &fine, &only_windows, "fine");
	hold(&hung, true);
	post_windows(s, 1, 3);
	wait_entered(&hung);
	wait_calls(&fine, 3);
	cr_assert_not(jp_sinks_flush(s, 1));
	cr_assert_not(jp_sinks_close(s, 50));
	cr_assert_eq(jp_sinks_errors(s), 3, "in work and waiting");
	jp_sinks_free(s);
	wait_closed(&fine);
	cr_assert_str_eq(fine.seen, "123");
	hold(&hung, false); /* should it ever come back, it only cleans up */
	wait_closed(&hung);
	cr_assert_str_eq(hung.seen, "1");
}

static void *close_set(void *s)
{
	static bool closed;
	closed = jp_sinks_close(s, JP_ENOUGH_MS);
	return &closed;
}

Test(sink_runner, one_that_hangs_does_not_keep_the_others_from_closing)
{
	struct puppet hung = PUPPET, fine = PUPPET;
	pthread_t thread;
	void *closed;
	struct jp_sinks *s = run(&hung, &only_windows, "hung");
	add(s, &fine, &only_windows, "fine");
	hold(&hung, true);
	post_windows(s, 1, 3);
	cr_assert_eq(pthread_create(&thread, NULL, close_set, s), 0);
	wait_closed(&fine);
	hold(&hung, false);
	pthread_join(thread, &closed);
	cr_assert(*(bool *)closed);
	cr_assert_str_eq(fine.seen, "123");
	cr_assert_str_eq(hung.seen, "123");
	jp_sinks_free(s);
}

static void *reopen_often(void *s)
{
	for (int i = 0; i < 100; i++)
		jp_sinks_reopen(s);
	return NULL;
}

Test(sink_runner, reopen_comes_from_any_thread)
{
	struct puppet p = PUPPET;
	pthread_t thread;
	struct jp_sinks *s = run(&p, &all, "p");
	cr_assert_eq(pthread_create(&thread, NULL, reopen_often, s), 0);
	post_windows(s, 0, 100);
	pthread_join(thread, NULL);
	jp_sinkrun_end(s, 0);
	size_t windows = 0, reopened = 0;
	for (const char *at = p.seen; *at; at++) {
		reopened += *at == 'r';
		windows += *at != 'r';
	}
	cr_assert_eq(windows, 100);
	cr_assert(reopened >= 1 && reopened <= 100);
}

Test(sink_runner, a_long_name_is_cut_at_its_front)
{
	struct puppet p = PUPPET;
	char name[256];
	memset(name, 'd', sizeof name);
	snprintf(name + 240, 16, "/run.csv");
	struct jp_sinks *s = run(&p, &all, name);
	answer(&p, JP_IO);
	post_windows(s, 1, 1);
	jp_sinkrun_flush(s);
	const char *news = jp_sinkrun_news(s);
	cr_assert_eq(strncmp(news, "...ddd", 6), 0);
	cr_assert_not_null(
		strstr(news, "d/run.csv: it is broken: 1 window not written; will go on when it works again"));
	jp_sinkrun_end(s, 1);
}
