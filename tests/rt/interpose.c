/* To be preloaded: ends the program with a message when a process or xrun callback calls something that allocates, locks,
 * blocks or writes, and counts the page faults its thread takes from the 100th to the 10000th cycle.
 *
 * INTERPOSE_SIN=malloc|lock|write: commit that sin in the 200th cycle; the run must then fail. */
#include <dlfcn.h>
#include <errno.h>
#include <jack/jack.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { CALLBACKS = 8, FROM_CALL = 100, TO_CALL = 10000, SIN_CALL = 200 };

struct wrapped {
	union {
		JackProcessCallback process;
		JackXRunCallback xrun;
	} real;
	void *arg;
	const char *client;
	long calls, min_faults, maj_faults;
};

static struct wrapped wrapped[CALLBACKS];
static int n_wrapped;
static __thread int inside __attribute__((tls_model("initial-exec")));

/* glibc's own, below what stands here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);

static void say(const char *a, const char *b)
{
	char line[160];
	size_t n = 0;
	for (const char *parts[] = {"interpose: ", a, b, "\n", NULL}, **p = parts; *p; p++)
		for (const char *c = *p; *c && n < sizeof line; c++)
			line[n++] = *c;
	syscall(SYS_write, 2, line, n);
}

static void forbid(const char *call)
{
	if (!inside)
		return;
	inside = 0;
	say("forbidden in a callback: ", call);
	abort();
}

void *malloc(size_t size)
{
	forbid("malloc");
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	forbid("calloc");
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	forbid("realloc");
	return __libc_realloc(p, size);
}

void free(void *p)
{
	forbid("free");
	__libc_free(p);
}

/* A call that is refused in a callback and otherwise handed on. */
#define FORBID(type, name, parameters, arguments)                                                                      \
	type name parameters                                                                                           \
	{                                                                                                              \
		static type(*next) parameters;                                                                         \
		forbid(#name);                                                                                         \
		if (!next)                                                                                             \
			*(void **)&next = dlsym(RTLD_NEXT, #name);                                                     \
		return next arguments;                                                                                 \
	}

FORBID(int, pthread_mutex_lock, (pthread_mutex_t * m), (m))
FORBID(int, pthread_mutex_trylock, (pthread_mutex_t * m), (m))
FORBID(int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m))
FORBID(int, pthread_cond_signal, (pthread_cond_t * c), (c))
FORBID(int, sem_wait, (sem_t * s), (s))
FORBID(int, sem_post, (sem_t * s), (s))
FORBID(ssize_t, write, (int fd, const void *b, size_t n), (fd, b, n))
FORBID(ssize_t, read, (int fd, void *b, size_t n), (fd, b, n))
FORBID(int, nanosleep, (const struct timespec *t, struct timespec *left), (t, left))
FORBID(int, sched_yield, (void), ())
FORBID(int, vfprintf, (FILE * f, const char *fmt, va_list ap), (f, fmt, ap))
FORBID(int, vprintf, (const char *fmt, va_list ap), (fmt, ap))
FORBID(int, puts, (const char *s), (s))
FORBID(int, vsnprintf, (char *s, size_t n, const char *fmt, va_list ap), (s, n, fmt, ap))

int printf(const char *fmt, ...)
{
	va_list ap;
	forbid("printf");
	va_start(ap, fmt);
	int n = vprintf(fmt, ap);
	va_end(ap);
	return n;
}

int fprintf(FILE *f, const char *fmt, ...)
{
	va_list ap;
	forbid("fprintf");
	va_start(ap, fmt);
	int n = vfprintf(f, fmt, ap);
	va_end(ap);
	return n;
}

static void sin_now(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const char *sin = getenv("INTERPOSE_SIN");
	void *volatile p = NULL;
	if (sin && !strcmp(sin, "malloc"))
		p = malloc(10);
	if (sin && !strcmp(sin, "lock"))
		pthread_mutex_lock(&lock);
	if (sin && !strcmp(sin, "write") && write(2, "", 0))
		p = NULL;
	free(p);
}

static void count_faults(struct wrapped *w)
{
	struct rusage usage;
	char line[96];
	syscall(SYS_getrusage, RUSAGE_THREAD, &usage);
	if (w->calls == FROM_CALL) {
		w->min_faults = usage.ru_minflt;
		w->maj_faults = usage.ru_majflt;
		return;
	}
	snprintf(line, sizeof line, "%ld minor and %ld major faults in %d calls of ", usage.ru_minflt - w->min_faults,
		usage.ru_majflt - w->maj_faults, TO_CALL - FROM_CALL);
	say(line, w->client);
}

static int on_process(jack_nframes_t nframes, void *arg)
{
	struct wrapped *w = arg;
	w->calls++;
	inside = 1;
	if (w->calls == SIN_CALL && getenv("INTERPOSE_SIN"))
		sin_now();
	int result = w->real.process(nframes, w->arg);
	inside = 0;
	if (w->calls == FROM_CALL || w->calls == TO_CALL)
		count_faults(w);
	return result;
}

static int on_xrun(void *arg)
{
	const struct wrapped *w = arg;
	inside = 1;
	int result = w->real.xrun(w->arg);
	inside = 0;
	say("xrun callback of ", w->client);
	return result;
}

static struct wrapped *wrap(jack_client_t *client, void *arg)
{
	if (n_wrapped == CALLBACKS)
		abort();
	struct wrapped *w = &wrapped[n_wrapped++];
	w->arg = arg;
	w->client = strdup(jack_get_client_name(client));
	return w;
}

int jack_set_process_callback(jack_client_t *client, JackProcessCallback callback, void *arg)
{
	int (*next)(jack_client_t *, JackProcessCallback, void *);
	*(void **)&next = dlsym(RTLD_NEXT, "jack_set_process_callback");
	struct wrapped *w = wrap(client, arg);
	w->real.process = callback;
	return next(client, on_process, w);
}

int jack_set_xrun_callback(jack_client_t *client, JackXRunCallback callback, void *arg)
{
	int (*next)(jack_client_t *, JackXRunCallback, void *);
	*(void **)&next = dlsym(RTLD_NEXT, "jack_set_xrun_callback");
	struct wrapped *w = wrap(client, arg);
	w->real.xrun = callback;
	return next(client, on_xrun, w);
}
