/* Watches control calls. */
#include "watch.h"

#include "sys/clock.h"

#include <stdarg.h>
#include <stdio.h>

void jp_watch_init(struct jp_watch *watch)
{
	pthread_mutex_init(&watch->lock, NULL);
	watch->what[0] = 0;
	watch->since_ns = 0;
}

void jp_watch_begin(struct jp_watch *watch, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	pthread_mutex_lock(&watch->lock);
	vsnprintf(watch->what, sizeof watch->what, fmt, ap);
	watch->since_ns = jp_clock_now(CLOCK_MONOTONIC);
	pthread_mutex_unlock(&watch->lock);
	va_end(ap);
}

void jp_watch_end(struct jp_watch *watch)
{
	pthread_mutex_lock(&watch->lock);
	watch->what[0] = 0;
	pthread_mutex_unlock(&watch->lock);
}

bool jp_watch_hangs(struct jp_watch *watch, int limit_ms, char *out, size_t size)
{
	pthread_mutex_lock(&watch->lock);
	int64_t ms = (jp_clock_now(CLOCK_MONOTONIC) - watch->since_ns) / 1000000;
	bool hangs = watch->what[0] && ms >= limit_ms;
	if (hangs)
		snprintf(out, size, "%s hangs for %lld s; the server or a client does not answer", watch->what,
			(long long)(ms / 1000));
	pthread_mutex_unlock(&watch->lock);
	return hangs;
}
