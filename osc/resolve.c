/* Names to addresses, in the background. */
#include "resolve.h"

#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAUSE_FIRST_MS = 250, PAUSE_MAX_MS = 30000, STACK_BYTES = 256 * 1024 };

struct jp_osc_resolver {
	struct jp_osc_endpoint endpoint;
	atomic_uint refs;  /* the owner and the thread */
	atomic_bool fresh; /* an outcome waits to be fetched */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	/* Below: under the lock, which is never held over a look-up. */
	bool stop, again, gone;
	int error;
	struct jp_osc_addresses found;
};

static int look_up(const struct jp_osc_endpoint *endpoint, int flags, struct jp_osc_addresses *out)
{
	struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV | flags};
	struct addrinfo *list = NULL;
	memset(out, 0, sizeof *out);
	int error = getaddrinfo(endpoint->host, endpoint->port, &hints, &list);
	if (error)
		return error;
	for (const struct addrinfo *a = list; a && out->n < JP_OSC_ADDRESSES_MAX; a = a->ai_next) {
		if (a->ai_addrlen > sizeof out->at[0].addr)
			continue;
		memcpy(&out->at[out->n].addr, a->ai_addr, a->ai_addrlen);
		out->at[out->n++].len = a->ai_addrlen;
	}
	freeaddrinfo(list);
	return out->n ? 0 : EAI_NONAME;
}

enum jp_status jp_osc_resolve_numeric(const struct jp_osc_endpoint *endpoint, struct jp_osc_addresses *out)
{
	return look_up(endpoint, AI_NUMERICHOST, out) ? JP_MISSING : JP_OK;
}

static void drop_reference(struct jp_osc_resolver *r)
{
	if (atomic_fetch_sub(&r->refs, 1) != 1)
		return;
	pthread_cond_destroy(&r->wake);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static struct timespec after_ms(int ms)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000L;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

/* Leave the outcome and wait until the next look-up is due. Returns false when it is time to go. */
static bool hand_over(struct jp_osc_resolver *r, int error, const struct jp_osc_addresses *found, int *pause_ms)
{
	pthread_mutex_lock(&r->lock);
	r->error = error;
	if (!error)
		r->found = *found;
	atomic_store(&r->fresh, true);
	struct timespec due = after_ms(*pause_ms);
	int waited = 0;
	while (!r->stop && !r->again && !waited) {
		if (error)
			waited = pthread_cond_timedwait(&r->wake, &r->lock, &due);
		else
			pthread_cond_wait(&r->wake, &r->lock);
	}
	*pause_ms = !error ? PAUSE_FIRST_MS : *pause_ms * 2 < PAUSE_MAX_MS ? *pause_ms * 2 : PAUSE_MAX_MS;
	r->again = false;
	bool go_on = !r->stop;
	pthread_mutex_unlock(&r->lock);
	return go_on;
}

static void *run(void *arg)
{
	struct jp_osc_resolver *r = arg;
	struct jp_osc_addresses found;
	int pause_ms = PAUSE_FIRST_MS, error;
	do
		error = look_up(&r->endpoint, 0, &found);
	while (hand_over(r, error, &found, &pause_ms));
	pthread_mutex_lock(&r->lock);
	r->gone = true;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->lock);
	drop_reference(r);
	return NULL;
}

/* The thread has a small stack (the process may be locked into memory) and takes no signals. */
static int start_thread(struct jp_osc_resolver *r)
{
	pthread_t thread;
	pthread_attr_t attr;
	sigset_t all, before;
	sigfillset(&all);
	int error = pthread_attr_init(&attr);
	if (error)
		return error;
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread, &attr, run, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return error;
}

static void init_locks(struct jp_osc_resolver *r)
{
	pthread_condattr_t attr;
	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&r->wake, &attr);
	pthread_condattr_destroy(&attr);
}

enum jp_status jp_osc_resolver_start(const struct jp_osc_endpoint *endpoint, struct jp_osc_resolver **out)
{
	struct jp_osc_resolver *r = calloc(1, sizeof *r);
	if (!r)
		return JP_NO_MEM;
	r->endpoint = *endpoint;
	init_locks(r);
	atomic_store(&r->refs, 2);
	if (start_thread(r)) {
		atomic_store(&r->refs, 1);
		drop_reference(r);
		return JP_IO;
	}
	*out = r;
	return JP_OK;
}

bool jp_osc_resolver_take(struct jp_osc_resolver *r, struct jp_osc_addresses *out, int *error)
{
	if (!atomic_load(&r->fresh))
		return false;
	pthread_mutex_lock(&r->lock);
	atomic_store(&r->fresh, false);
	*error = r->error;
	if (!r->error)
		*out = r->found;
	pthread_mutex_unlock(&r->lock);
	return true;
}

void jp_osc_resolver_again(struct jp_osc_resolver *r)
{
	pthread_mutex_lock(&r->lock);
	r->again = true;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->lock);
}

void jp_osc_resolver_stop(struct jp_osc_resolver *r)
{
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->lock);
}

void jp_osc_resolver_free(struct jp_osc_resolver *r, const struct timespec *deadline)
{
	int late = 0;
	pthread_mutex_lock(&r->lock);
	while (!r->gone && !late)
		late = pthread_cond_timedwait(&r->wake, &r->lock, deadline);
	pthread_mutex_unlock(&r->lock);
	drop_reference(r);
}
