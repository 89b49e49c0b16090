/* A sink's thread and queue. The lock is held only to move pointers and counters, never across a call of the sink. */
#include "runner.h"

#include "sys/thread.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	struct item *next;
	enum jp_item type;
	size_t n, bytes;
	max_align_t data[]; /* n things */
};

struct jp_runner {
	struct jp_sink_instance sink;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work; /* to the thread */
	pthread_cond_t done; /* from the thread, on CLOCK_MONOTONIC: idle or ended */
	struct item *first, **last;
	size_t items, bytes; /* waiting, and in work */
	bool reopen;
	size_t in_work; /* things that a call of the sink is under way for; 0 = none */
	bool ending;    /* end when the queue is empty */
	bool left;      /* nobody waits any more: drop the rest, free everything */
	bool ended;
	bool gone; /* the last call told that nobody reads any more */
	uint64_t errors;
	char remark[160]; /* of the sink, not told yet; "" = none */
	struct jp_trouble writing, queueing;
};

/* The sink's own functions, outside the lock. */

static enum jp_status call_sink(const struct jp_runner *w, const struct item *item, struct jp_why *why)
{
	const struct jp_sink_ops *ops = w->sink.ops;
	void *self = w->sink.self;
	switch (item->type) {
	case JP_ITEM_BEGIN:
		return ops->begin(self, (const void *)item->data, why);
	case JP_ITEM_META:
		return ops->meta(self, (const void *)item->data, why);
	case JP_ITEM_WINDOW:
		return ops->window(self, (const void *)item->data, why);
	case JP_ITEM_CYCLES:
		return ops->cycles(self, (const void *)item->data, item->n, why);
	case JP_ITEM_EXECUTIONS:
		return ops->executions(self, (const void *)item->data, item->n, why);
	case JP_ITEM_CLIENTS:
		return ops->clients(self, (const void *)item->data, item->n, why);
	case JP_ITEM_EVENT:
		return ops->event(self, (const void *)item->data, why);
	case JP_ITEM_SUMMARY:
		return ops->summary(self, (const void *)item->data, why);
	case JP_ITEM_REOPEN:
		return ops->reopen(self, why);
	}
	return JP_OK;
}

bool jp_runner_takes(const struct jp_runner *w, enum jp_item type)
{
	const struct jp_sink_ops *ops = w->sink.ops;
	switch (type) {
	case JP_ITEM_BEGIN:
		return ops->begin;
	case JP_ITEM_META:
		return ops->meta;
	case JP_ITEM_WINDOW:
		return ops->window;
	case JP_ITEM_CYCLES:
		return ops->cycles;
	case JP_ITEM_EXECUTIONS:
		return ops->executions;
	case JP_ITEM_CLIENTS:
		return ops->clients;
	case JP_ITEM_EVENT:
		return ops->event;
	case JP_ITEM_SUMMARY:
		return ops->summary;
	case JP_ITEM_REOPEN:
		return ops->reopen;
	}
	return false;
}

/* The thread. Functions below are called with the lock held, and return with it held. */

/* Call the sink without the lock, note how it went. */
static void run_item(struct jp_runner *w, const struct item *item)
{
	struct jp_why why = {""};
	w->in_work = item->n;
	pthread_mutex_unlock(&w->lock);
	enum jp_status status = call_sink(w, item, &why);
	pthread_mutex_lock(&w->lock);
	w->in_work = 0;
	w->gone = status == JP_GONE;
	if (status == JP_OK) {
		if (why.text[0])
			snprintf(w->remark, sizeof w->remark, "%.159s", why.text);
		jp_trouble_went_well(&w->writing, item->type, item->n);
		return;
	}
	w->errors += item->type == JP_ITEM_REOPEN ? 0 : item->n; /* nothing is lost by that alone */
	jp_trouble_failed(&w->writing, item->type, item->n, status, why.text);
}

static struct item *take_first(struct jp_runner *w)
{
	struct item *item = w->first;
	w->first = item->next;
	if (!w->first)
		w->last = &w->first;
	return item;
}

static void forget(struct jp_runner *w, struct item *item)
{
	w->items--;
	w->bytes -= item->bytes;
	free(item);
}

/* All the work there is, until the queue is empty or the runner was left behind. */
static void work_off(struct jp_runner *w)
{
	while (!w->left && (w->first || w->reopen)) {
		if (w->reopen) {
			const struct item again = {.type = JP_ITEM_REOPEN, .n = 1};
			w->reopen = false;
			run_item(w, &again);
			continue;
		}
		struct item *item = take_first(w);
		run_item(w, item);
		forget(w, item);
	}
	if (!w->first)
		jp_trouble_over(&w->queueing);
}

static void free_runner(struct jp_runner *w)
{
	while (w->first)
		forget(w, take_first(w));
	pthread_cond_destroy(&w->work);
	pthread_cond_destroy(&w->done);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void *runner_thread(void *arg)
{
	struct jp_runner *w = arg;
	pthread_mutex_lock(&w->lock);
	for (;;) {
		work_off(w);
		if (w->left || w->ending)
			break;
		pthread_cond_signal(&w->done);
		pthread_cond_wait(&w->work, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	w->sink.ops->close(w->sink.self);
	pthread_mutex_lock(&w->lock);
	bool left = w->left;
	w->ended = true;
	pthread_cond_signal(&w->done);
	pthread_mutex_unlock(&w->lock);
	if (left)
		free_runner(w);
	return NULL;
}

/* Start and end. */

static void init_sync(struct jp_runner *w)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->work, NULL);
	pthread_cond_init(&w->done, &attr);
	pthread_condattr_destroy(&attr);
}

/* Signals are for the main thread; SIGPIPE and SIGXFSZ become errors of write(2). Faults stay as they are. */
static int start_thread(struct jp_runner *w)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
	sigset_t all, before;
	sigfillset(&all);
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int err = jp_thread_create(&w->thread, "jp-sink", runner_thread, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

enum jp_status jp_runner_start(const struct jp_sink_instance *instance, struct jp_runner **out, struct jp_why *why)
{
	struct jp_runner *w = calloc(1, sizeof *w);
	if (!w)
		return jp_why_set(why, JP_NO_MEM, "%.100s: out of memory", instance->name);
	w->sink = *instance;
	w->last = &w->first;
	init_sync(w);
	int err = start_thread(w);
	if (err) {
		free_runner(w);
		return jp_why_set(why, JP_IO, "%.100s: no thread for it: %s", instance->name, strerror(err));
	}
	*out = w;
	return JP_OK;
}

/* Wait with the lock held. @return false at the deadline. */
static bool wait_done(struct jp_runner *w, const struct timespec *deadline)
{
	return pthread_cond_timedwait(&w->done, &w->lock, deadline) != ETIMEDOUT;
}

static bool idle(const struct jp_runner *w)
{
	return !w->items && !w->in_work && !w->reopen;
}

bool jp_runner_flush(struct jp_runner *w, const struct timespec *deadline)
{
	pthread_mutex_lock(&w->lock);
	while (!idle(w) && wait_done(w, deadline))
		;
	bool flushed = idle(w);
	pthread_mutex_unlock(&w->lock);
	return flushed;
}

void jp_runner_finish(struct jp_runner *w)
{
	pthread_mutex_lock(&w->lock);
	w->ending = true;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
}

/* Things that wait, and the call that hangs. */
static uint64_t unfinished(const struct jp_runner *w)
{
	uint64_t n = w->in_work;
	for (const struct item *item = w->first; item; item = item->next)
		n += item->n;
	return n;
}

/* With the lock held. */
static bool news_of(struct jp_runner *w, enum jp_status *status, struct jp_why *out)
{
	if (w->remark[0]) {
		jp_trouble_name_it(out, w->sink.name, w->remark);
		*status = JP_OK;
		w->remark[0] = 0;
		return true;
	}
	return jp_trouble_news(&w->writing, w->sink.name, status, out) ||
	       jp_trouble_news(&w->queueing, w->sink.name, status, out);
}

bool jp_runner_close(struct jp_runner *w, const struct timespec *deadline, uint64_t *errors, enum jp_status *status,
	struct jp_why *news)
{
	pthread_t thread = w->thread;
	pthread_mutex_lock(&w->lock);
	while (!w->ended && wait_done(w, deadline))
		;
	bool ended = w->ended;
	w->left = !ended;
	*errors += w->errors + unfinished(w);
	news->text[0] = 0;
	if (!news_of(w, status, news) && !ended) {
		jp_trouble_name_it(news, w->sink.name, "does not take what is written; what waited for it is lost");
		*status = JP_TIMEOUT;
	}
	pthread_mutex_unlock(&w->lock);
	if (!ended) {
		pthread_detach(thread);
		return false;
	}
	pthread_join(thread, NULL);
	free_runner(w);
	return true;
}

/* Collector's side. */

static bool has_room(const struct jp_runner *w, enum jp_item type, size_t bytes)
{
	bool reserved = type == JP_ITEM_BEGIN || type == JP_ITEM_META || type == JP_ITEM_SUMMARY;
	size_t items = JP_QUEUE_ITEMS + (reserved ? JP_QUEUE_RESERVE : 0);
	return w->items < items && w->bytes + bytes <= JP_QUEUE_BYTES;
}

void jp_runner_post(struct jp_runner *w, enum jp_item type, const void *data, size_t n, size_t size)
{
	if (!jp_runner_takes(w, type) || !n)
		return;
	struct item *item = malloc(sizeof *item + n * size);
	if (item) {
		*item = (struct item){.type = type, .n = n, .bytes = n * size};
		memcpy(item->data, data, item->bytes);
	}
	pthread_mutex_lock(&w->lock);
	if (item && has_room(w, type, item->bytes)) {
		*w->last = item;
		w->last = &item->next;
		w->items++;
		w->bytes += item->bytes;
		item = NULL;
		pthread_cond_signal(&w->work);
	} else {
		w->errors += n;
		jp_trouble_failed(
			&w->queueing, type, n, item ? JP_FULL : JP_NO_MEM, item ? "does not keep up" : "out of memory");
	}
	pthread_mutex_unlock(&w->lock);
	free(item);
}

void jp_runner_reopen(struct jp_runner *w)
{
	if (!jp_runner_takes(w, JP_ITEM_REOPEN))
		return;
	pthread_mutex_lock(&w->lock);
	w->reopen = true;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
}

bool jp_runner_news(struct jp_runner *w, enum jp_status *status, struct jp_why *out)
{
	pthread_mutex_lock(&w->lock);
	bool news = news_of(w, status, out);
	pthread_mutex_unlock(&w->lock);
	return news;
}

bool jp_runner_gone(struct jp_runner *w)
{
	pthread_mutex_lock(&w->lock);
	bool gone = w->gone;
	pthread_mutex_unlock(&w->lock);
	return gone;
}

uint64_t jp_runner_errors(struct jp_runner *w)
{
	pthread_mutex_lock(&w->lock);
	uint64_t errors = w->errors;
	pthread_mutex_unlock(&w->lock);
	return errors;
}
