/* One process that the user watches, by number or by name: CPU time, memory, major page faults. */
#include "sense/process.h"
#include "sense/sensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Looking through all of /proc costs a millisecond or two: not in every window. */
static const int64_t search_every_ns = 2000000000;

enum { CPU_PCT, RSS_MIB, MAJOR_FAULTS, COLUMNS };
static const char *const columns[COLUMNS] = {"watch_cpu_pct", "watch_rss_mib", "watch_majflt"};

struct watch {
	const struct jp_tree *tree;
	const char *wanted;
	bool by_name;
	int64_t pid;   /* -1: gone */
	size_t others; /* of the same name */
	struct jp_process last;
	int64_t last_ns, searched_ns;
	bool primed;
};

static bool find(struct watch *w)
{
	uint64_t pid;
	if (w->by_name)
		w->pid = jp_process_find(w->tree, w->wanted, &w->others);
	else
		w->pid = jp_parse_u64(w->wanted, &pid) == JP_OK && pid <= INT32_MAX ? (int64_t)pid : -1;
	w->primed = false;
	return w->pid >= 0 && jp_process_read(w->tree, w->pid, &w->last) == JP_OK;
}

static enum jp_status watch_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	uint64_t pid;
	if (!env->watch)
		return jp_why_set(why, JP_MISSING, "no process is watched: --watch PID|NAME");
	struct watch *w = calloc(1, sizeof *w);
	if (!w)
		return JP_NO_MEM;
	*w = (struct watch){.tree = env->tree, .wanted = env->watch};
	w->by_name = jp_parse_u64(env->watch, &pid) != JP_OK;
	if (env->watch[0] && find(w)) {
		*self = w;
		return JP_OK;
	}
	bool by_name = w->by_name;
	free(w);
	return jp_why_set(why, JP_BAD_ARG, "--watch %s: there is no process %s; ps -e shows numbers and names",
		env->watch, by_name ? "of that name" : "with that number");
}

static size_t watch_columns(const void *self, struct jp_extra_column *out, size_t room)
{
	(void)self;
	size_t n = 0;
	for (; n < COLUMNS && n < room; n++)
		snprintf(out[n].csv, sizeof out[n].csv, "%s", columns[n]);
	return n;
}

/* A number given by the user is not picked up again: another process would have it. */
static void look_again(struct watch *w, int64_t mono_ns)
{
	if (!w->by_name || mono_ns - w->searched_ns < search_every_ns)
		return;
	w->searched_ns = mono_ns;
	if (!find(w))
		w->pid = -1;
}

static bool read_process(struct watch *w, int64_t mono_ns, struct jp_process *out)
{
	if (w->pid < 0)
		look_again(w, mono_ns);
	if (w->pid < 0)
		return false;
	if (jp_process_read(w->tree, w->pid, out) == JP_OK && out->start_ticks == w->last.start_ticks)
		return true;
	w->pid = -1;
	w->primed = false;
	return false;
}

static void watch_sample(void *self, const struct jp_moment *now, struct jp_host *out, double *extra)
{
	struct watch *w = self;
	struct jp_process p;
	double seconds = (double)(now->mono_ns - w->last_ns) / 1e9;
	(void)out;
	if (!read_process(w, now->mono_ns, &p))
		return;
	extra[RSS_MIB] = (double)p.rss_pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
	if (w->primed && seconds > 0 && p.cpu_ticks >= w->last.cpu_ticks) {
		double used = (double)(p.cpu_ticks - w->last.cpu_ticks) / (double)sysconf(_SC_CLK_TCK);
		extra[CPU_PCT] = 100.0 * used / seconds;
		extra[MAJOR_FAULTS] = (double)(p.major_faults - w->last.major_faults);
	}
	w->last = p;
	w->last_ns = now->mono_ns;
	w->primed = true;
}

static void watch_status(const void *self, struct jp_sensor_status *out)
{
	const struct watch *w = self;
	char more[32] = "";
	if (w->pid < 0) {
		jp_sensor_is_not(
			out, "process ended: %s%s", w->wanted, w->by_name ? " (picked up again when it is back)" : "");
		return;
	}
	if (w->others > 0)
		snprintf(more, sizeof more, ", first of %zu", w->others + 1);
	jp_sensor_is(out, "pid %d (%s)%s", (int)w->pid, w->last.comm, more);
}

static void watch_close(void *self)
{
	free(self);
}

const struct jp_sensor jp_sensor_watch = {
	.name = "watch",
	.open = watch_open,
	.columns = watch_columns,
	.sample = watch_sample,
	.status = watch_status,
	.close = watch_close,
	.max_columns = COLUMNS,
};
