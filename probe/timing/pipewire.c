/* PipeWire's profiler: a thread of libpipewire's own receives, the collector takes. */
#include "timing/pipewire.h"

#include "sys/clock.h"
#include "timing/names.h"

#include <dlfcn.h>
#include <pipewire/impl.h>
#include <pipewire/pipewire.h>
#include <pthread.h>
#include <spa/param/profiler.h>
#include <spa/pod/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Leans on the headers above. */
#include <pipewire/extensions/profiler.h>

enum { ROOM = 32768, OPEN_MS = 1000, NAP_NS = 5000000 };

/* What is used of libpipewire; everything else of it is inline. */
struct library {
	void *handle;
	void (*init)(int *argc, char **argv[]);
	struct pw_thread_loop *(*loop_new)(const char *name, const struct spa_dict *props);
	int (*loop_start)(struct pw_thread_loop *loop);
	void (*loop_stop)(struct pw_thread_loop *loop);
	void (*loop_destroy)(struct pw_thread_loop *loop);
	struct pw_loop *(*loop_get)(struct pw_thread_loop *loop);
	struct pw_context *(*context_new)(struct pw_loop *loop, struct pw_properties *props, size_t size);
	struct pw_impl_module *(*load_module)(
		struct pw_context *context, const char *name, const char *args, struct pw_properties *props);
	struct pw_core *(*connect)(struct pw_context *context, struct pw_properties *props, size_t size);
	void (*context_destroy)(struct pw_context *context);
	int (*disconnect)(struct pw_core *core);
	void (*proxy_destroy)(struct pw_proxy *proxy);
};

struct jp_pipewire {
	struct library lib;
	struct pw_thread_loop *loop;
	struct pw_context *context;
	struct pw_core *core;
	struct pw_registry *registry;
	struct pw_proxy *profiler;
	struct spa_hook registry_hook, profiler_hook;
	char head[JP_NAME_MAX], tail[JP_NAME_MAX];

	pthread_mutex_t lock; /* of what follows */
	struct jp_names names;
	int32_t head_ref, tail_ref, driver_ref; /* -1 = not told yet */
	int64_t told_ns;
	struct jp_exec exec[ROOM];
	size_t first, n;
	uint64_t dropped;
};

static bool find(void *handle, const char *name, void *out)
{
	void *symbol = dlsym(handle, name);
	memcpy(out, &symbol, sizeof symbol);
	return symbol;
}

static bool load(struct library *l)
{
	l->handle = dlopen("libpipewire-0.3.so.0", RTLD_NOW | RTLD_LOCAL);
	void *h = l->handle;
	return h && find(h, "pw_init", &l->init) && find(h, "pw_thread_loop_new", &l->loop_new) &&
	       find(h, "pw_thread_loop_start", &l->loop_start) && find(h, "pw_thread_loop_stop", &l->loop_stop) &&
	       find(h, "pw_thread_loop_destroy", &l->loop_destroy) &&
	       find(h, "pw_thread_loop_get_loop", &l->loop_get) && find(h, "pw_context_new", &l->context_new) &&
	       find(h, "pw_context_load_module", &l->load_module) && find(h, "pw_context_connect", &l->connect) &&
	       find(h, "pw_context_destroy", &l->context_destroy) && find(h, "pw_core_disconnect", &l->disconnect) &&
	       find(h, "pw_proxy_destroy", &l->proxy_destroy);
}

/* A block of the report: driver's and followers' begin alike; what later versions add is left alone. */
struct block {
	int32_t id, status;
	const char *name;
	int64_t before, signal, awake, finish;
};

static bool read_block(const struct spa_pod *pod, struct block *b)
{
	return spa_pod_parse_struct(pod, SPA_POD_Int(&b->id), SPA_POD_String(&b->name), SPA_POD_Long(&b->before),
		       SPA_POD_Long(&b->signal), SPA_POD_Long(&b->awake), SPA_POD_Long(&b->finish),
		       SPA_POD_Int(&b->status)) >= 0 &&
	       b->name;
}

static int64_t known_time(int64_t ns)
{
	return ns > 0 ? ns : JP_NS_UNKNOWN;
}

static void put(struct jp_pipewire *p, const struct jp_exec *e)
{
	if (p->n == ROOM)
		p->dropped++;
	else
		p->exec[(p->first + p->n++) % ROOM] = *e;
}

/* The names are the server's for as long as the id is in use; a change is seen in the report itself. */
static void note_node(struct jp_pipewire *p, const struct block *b)
{
	jp_names_set(&p->names, b->id, b->name, b->signal);
	if (!strcmp(b->name, p->head))
		p->head_ref = b->id;
	else if (p->tail[0] && !strcmp(b->name, p->tail))
		p->tail_ref = b->id;
}

static void take_driver(struct jp_pipewire *p, const struct block *b)
{
	struct jp_exec e = {JP_NS_UNKNOWN, JP_NS_UNKNOWN, known_time(b->signal), b->signal, b->id, b->status};
	p->driver_ref = b->id;
	p->told_ns = b->signal;
	jp_names_set(&p->names, b->id, b->name, b->signal);
	put(p, &e);
}

/* A report is made when the graph has ended, or else when the next cycle begins: only then is known how long a client that is
 * running in it has run at least. */
static void take_follower(struct jp_pipewire *p, const struct block *b, int64_t driver_ns, bool ended)
{
	struct jp_exec e = {
		known_time(b->signal), known_time(b->awake), known_time(b->finish), driver_ns, b->id, b->status};
	if (ended && e.state == JP_EXEC_RUNNING)
		e.state = JP_EXEC_UNKNOWN;
	note_node(p, b);
	put(p, &e);
}

/* Has the tail done its work for this cycle? Without a tail nobody knows whether the graph has ended. */
static bool has_ended(const struct jp_pipewire *p, const struct spa_pod_object *o, int64_t driver_ns)
{
	struct spa_pod_prop *prop;
	struct block b;
	SPA_POD_OBJECT_FOREACH(o, prop)
	if (prop->key == SPA_PROFILER_followerBlock && read_block(&prop->value, &b) && !strcmp(b.name, p->tail))
		return b.status == JP_EXEC_FINISHED && b.awake >= driver_ns;
	return true;
}

static bool is_ours(const struct jp_pipewire *p, const struct spa_pod_object *o)
{
	struct spa_pod_prop *prop;
	struct block b;
	SPA_POD_OBJECT_FOREACH(o, prop)
	if (prop->key == SPA_PROFILER_followerBlock && read_block(&prop->value, &b) && !strcmp(b.name, p->head))
		return true;
	return false;
}

/* One cycle of one driver. Other drivers' cycles are not ours. */
static void take_report(struct jp_pipewire *p, const struct spa_pod_object *o)
{
	struct spa_pod_prop *prop;
	struct block b, driver = {.signal = 0};
	if (!is_ours(p, o))
		return;
	SPA_POD_OBJECT_FOREACH(o, prop)
	if (prop->key == SPA_PROFILER_driverBlock && read_block(&prop->value, &driver))
		take_driver(p, &driver);
	if (driver.signal <= 0)
		return;
	bool ended = has_ended(p, o, driver.signal);
	SPA_POD_OBJECT_FOREACH(o, prop)
	if (prop->key == SPA_PROFILER_followerBlock && read_block(&prop->value, &b) && b.id != driver.id)
		take_follower(p, &b, driver.signal, ended);
}

static void on_profile(void *data, const struct spa_pod *pod)
{
	struct jp_pipewire *p = data;
	const struct spa_pod *each;
	if (!spa_pod_is_struct(pod))
		return;
	pthread_mutex_lock(&p->lock);
	SPA_POD_STRUCT_FOREACH(pod, each)
	if (spa_pod_is_object_type(each, SPA_TYPE_OBJECT_Profiler))
		take_report(p, (const struct spa_pod_object *)each);
	pthread_mutex_unlock(&p->lock);
}

static const struct pw_profiler_events profiler_events = {.version = PW_VERSION_PROFILER_EVENTS, .profile = on_profile};

static void on_global(
	void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version, const struct spa_dict *props)
{
	struct jp_pipewire *p = data;
	(void)permissions, (void)version, (void)props;
	if (p->profiler || strcmp(type, PW_TYPE_INTERFACE_Profiler) != 0)
		return;
	struct pw_proxy *profiler = pw_registry_bind(p->registry, id, type, PW_VERSION_PROFILER, 0);
	if (!profiler)
		return;
	pw_profiler_add_listener((struct pw_profiler *)profiler, &p->profiler_hook, &profiler_events, p);
	__atomic_store_n(&p->profiler, profiler, __ATOMIC_RELEASE);
}

static const struct pw_registry_events registry_events = {.version = PW_VERSION_REGISTRY_EVENTS, .global = on_global};

/* Everything up to the running loop. */
static enum jp_status connect_up(struct jp_pipewire *p, struct jp_why *why)
{
	struct library *l = &p->lib;
	if (!load(l))
		return jp_why_set(why, JP_UNSUPPORTED,
			"libpipewire-0.3 cannot be loaded: per-client times are not available; install it");
	l->init(NULL, NULL);
	p->loop = l->loop_new("jp-profiler", NULL);
	p->context = p->loop ? l->context_new(l->loop_get(p->loop), NULL, 0) : NULL;
	if (!p->context || !l->load_module(p->context, PW_EXTENSION_MODULE_PROFILER, NULL, NULL))
		return jp_why_set(why, JP_UNSUPPORTED,
			"PipeWire's profiler module cannot be loaded here: per-client times are not available");
	p->core = l->connect(p->context, NULL, 0);
	if (!p->core)
		return jp_why_set(why, JP_GONE, "no connection to PipeWire for per-client times");
	p->registry = pw_core_get_registry(p->core, PW_VERSION_REGISTRY, 0);
	if (!p->registry)
		return jp_why_set(why, JP_NO_MEM, "out of memory for per-client times");
	pw_registry_add_listener(p->registry, &p->registry_hook, &registry_events, p);
	if (l->loop_start(p->loop))
		return jp_why_set(why, JP_NO_MEM, "no thread for per-client times");
	return JP_OK;
}

static bool complete(struct jp_pipewire *p)
{
	pthread_mutex_lock(&p->lock);
	bool is = p->head_ref >= 0 && p->driver_ref >= 0 && (p->tail_ref >= 0 || !p->tail[0]);
	pthread_mutex_unlock(&p->lock);
	return is;
}

static enum jp_status await(struct jp_pipewire *p, struct jp_why *why)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	int64_t end = jp_clock_now(CLOCK_MONOTONIC) + OPEN_MS * INT64_C(1000000);
	while (!complete(p)) {
		if (jp_clock_now(CLOCK_MONOTONIC) > end) {
			bool found = __atomic_load_n(&p->profiler, __ATOMIC_ACQUIRE);
			return found ? jp_why_set(why, JP_TIMEOUT,
					       "PipeWire's profiler tells nothing of the probe's nodes: per-client "
					       "times are not available")
				     : jp_why_set(why, JP_UNSUPPORTED,
					       "this PipeWire session has no profiler (module-profiler): per-client "
					       "times are not available");
		}
		nanosleep(&nap, NULL);
	}
	return JP_OK;
}

enum jp_status jp_pipewire_open(const char *head, const char *tail, struct jp_pipewire **out, struct jp_why *why)
{
	struct jp_pipewire *p = calloc(1, sizeof *p);
	if (!p)
		return jp_why_set(why, JP_NO_MEM, "out of memory for per-client times");
	snprintf(p->head, sizeof p->head, "%s", head);
	snprintf(p->tail, sizeof p->tail, "%s", tail);
	p->head_ref = p->tail_ref = p->driver_ref = -1;
	p->told_ns = JP_NS_UNKNOWN;
	pthread_mutex_init(&p->lock, NULL);
	enum jp_status status = connect_up(p, why);
	if (status == JP_OK)
		status = await(p, why);
	if (status != JP_OK)
		jp_pipewire_close(p);
	else
		*out = p;
	return status;
}

void jp_pipewire_close(struct jp_pipewire *p)
{
	if (!p)
		return;
	struct library *l = &p->lib;
	if (p->loop)
		l->loop_stop(p->loop);
	if (p->profiler)
		l->proxy_destroy(p->profiler);
	if (p->registry)
		l->proxy_destroy((struct pw_proxy *)p->registry);
	if (p->core)
		l->disconnect(p->core);
	if (p->context)
		l->context_destroy(p->context);
	if (p->loop)
		l->loop_destroy(p->loop);
	pthread_mutex_destroy(&p->lock);
	free(p); /* the library stays: it does not like to be unloaded */
}

void jp_pipewire_refs(struct jp_pipewire *p, int32_t *head, int32_t *tail, int32_t *driver)
{
	pthread_mutex_lock(&p->lock);
	*head = p->head_ref;
	*tail = p->tail[0] ? p->tail_ref : -1;
	*driver = p->driver_ref;
	pthread_mutex_unlock(&p->lock);
}

size_t jp_pipewire_take(struct jp_pipewire *p, struct jp_exec *out, size_t max)
{
	pthread_mutex_lock(&p->lock);
	size_t n = p->n < max ? p->n : max;
	for (size_t i = 0; i < n; i++)
		out[i] = p->exec[(p->first + i) % ROOM];
	p->first = (p->first + n) % ROOM;
	p->n -= n;
	pthread_mutex_unlock(&p->lock);
	return n;
}

int64_t jp_pipewire_told(struct jp_pipewire *p)
{
	pthread_mutex_lock(&p->lock);
	int64_t told = p->told_ns;
	pthread_mutex_unlock(&p->lock);
	return told;
}

uint64_t jp_pipewire_dropped(struct jp_pipewire *p)
{
	pthread_mutex_lock(&p->lock);
	uint64_t dropped = p->dropped;
	pthread_mutex_unlock(&p->lock);
	return dropped;
}

bool jp_pipewire_name(struct jp_pipewire *p, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX])
{
	pthread_mutex_lock(&p->lock);
	bool known = jp_names_get(&p->names, ref, at_ns, out);
	pthread_mutex_unlock(&p->lock);
	return known;
}
