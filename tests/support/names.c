/* Stands in for the name service. */
#include "names.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int hanging, ended, released;
static atomic_int late_asked;

typedef int look_up(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static int real(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **out)
{
	look_up *f;
	void *symbol = dlsym(RTLD_NEXT, "getaddrinfo");
	memcpy(&f, &symbol, sizeof f);
	return f(host, port, hints, out);
}

static int both(const char *port, const struct addrinfo *hints, struct addrinfo **out)
{
	int error = real("::ffff:127.0.0.3", port, hints, out);
	return error ? error : real("127.0.0.1", port, hints, &(*out)->ai_next);
}

static int hang(void)
{
	pthread_mutex_lock(&lock);
	hanging++;
	pthread_cond_broadcast(&changed);
	while (!released)
		pthread_cond_wait(&changed, &lock);
	ended++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return EAI_AGAIN;
}

int getaddrinfo(const char *restrict host, const char *restrict port, const struct addrinfo *restrict hints,
	struct addrinfo **restrict out)
{
	if (hints->ai_flags & AI_NUMERICHOST)
		return real(host, port, hints, out);
	if (!strcmp(host, "both.test"))
		return both(port, hints, out);
	if (!strcmp(host, "nosuch.invalid"))
		return EAI_NONAME;
	if (!strcmp(host, "late.test"))
		return atomic_fetch_add(&late_asked, 1) ? real("127.0.0.1", port, hints, out) : EAI_NONAME;
	if (!strcmp(host, "hang.test"))
		return hang();
	return real(host, port, hints, out);
}

static void wait_for(const int *number)
{
	pthread_mutex_lock(&lock);
	while (!*number)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

void names_release(void)
{
	pthread_mutex_lock(&lock);
	released = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

void names_wait_hanging(void)
{
	wait_for(&hanging);
}

void names_wait_released(void)
{
	wait_for(&ended);
}
