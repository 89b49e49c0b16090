/* CPU time, interrupts and context switches of the whole machine, from /proc/stat. */
#include "sense/host.h"

#include "sense/sensor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_FIRST = 16384, TEXT_MAX = 4 << 20, LIMIT_NS = 20000000 };

static const char *line_of(const char *text, const char *key)
{
	size_t n = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, n) == 0 && line[n] == ' ')
			return line + n + 1;
	}
	return NULL;
}

/* Next number of a line; a number that ends with the text may have been cut. */
static bool next_number(const char **at, uint64_t *out)
{
	char *end;
	while (**at == ' ')
		(*at)++;
	if (**at < '0' || **at > '9')
		return false;
	errno = 0;
	*out = strtoull(*at, &end, 10);
	*at = end;
	return errno == 0 && *end != 0;
}

enum jp_status jp_proc_stat_parse(const char *text, struct jp_proc_stat *out)
{
	const char *cpu = line_of(text, "cpu"), *intr = line_of(text, "intr"), *ctxt = line_of(text, "ctxt");
	if (!cpu || !intr || !ctxt)
		return JP_BAD_DATA;
	for (int i = 0; i < JP_CPU_TIMES; i++)
		if (!next_number(&cpu, &out->time[i]))
			return JP_BAD_DATA;
	return next_number(&intr, &out->irqs) && next_number(&ctxt, &out->switches) ? JP_OK : JP_BAD_DATA;
}

static double rate(uint64_t before, uint64_t after, int64_t ns)
{
	return after >= before && ns > 0 ? (double)(after - before) * 1e9 / (double)ns : NAN;
}

void jp_proc_stat_rates(
	const struct jp_proc_stat *before, const struct jp_proc_stat *after, int64_t ns, struct jp_host *out)
{
	uint64_t delta[JP_CPU_TIMES], total = 0;
	out->irq_per_s = rate(before->irqs, after->irqs, ns);
	out->ctxt_per_s = rate(before->switches, after->switches, ns);
	for (int i = 0; i < JP_CPU_TIMES; i++) {
		bool back = after->time[i] < before->time[i];
		if (back && i != JP_CPU_IDLE && i != JP_CPU_IOWAIT)
			return;
		delta[i] = back ? 0 : after->time[i] - before->time[i];
		total += delta[i];
	}
	if (total == 0)
		return;
	double percent = 100.0 / (double)total;
	out->cpu_user_pct = (double)delta[JP_CPU_USER] * percent;
	out->cpu_nice_pct = (double)delta[JP_CPU_NICE] * percent;
	out->cpu_system_pct = (double)delta[JP_CPU_SYSTEM] * percent;
	out->cpu_iowait_pct = (double)delta[JP_CPU_IOWAIT] * percent;
	out->cpu_irq_pct = (double)delta[JP_CPU_IRQ] * percent;
	out->cpu_softirq_pct = (double)delta[JP_CPU_SOFTIRQ] * percent;
}

struct host {
	struct jp_tree *tree;
	struct jp_file file;
	struct jp_pace pace;
	char *text;
	size_t room;
	struct jp_proc_stat last;
	int64_t last_ns;
	bool primed;
};

/* The "intr" line of a large machine is long and stands before "ctxt": the buffer grows until all fits. */
static enum jp_status read_stat(struct host *h, struct jp_proc_stat *out)
{
	for (;;) {
		size_t len;
		enum jp_status status = jp_file_text(&h->file, h->tree, &h->pace, h->text, h->room, &len);
		if (status != JP_OK)
			return status;
		if (len + 1 < h->room || h->room >= TEXT_MAX)
			return jp_proc_stat_parse(h->text, out);
		char *more = realloc(h->text, h->room * 2);
		if (!more)
			return JP_NO_MEM;
		h->text = more;
		h->room *= 2;
	}
}

static void host_close(void *self)
{
	struct host *h = self;
	jp_file_close(&h->file, h->tree);
	free(h->text);
	free(h);
}

static enum jp_status host_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	struct jp_proc_stat first;
	struct host *h = calloc(1, sizeof *h);
	char *text = malloc(TEXT_FIRST);
	if (!h || !text) {
		free(h);
		free(text);
		return JP_NO_MEM;
	}
	*h = (struct host){.tree = env->tree, .text = text, .room = TEXT_FIRST, .pace.limit_ns = LIMIT_NS};
	enum jp_status status = jp_file_open(&h->file, env->tree, "/proc/stat");
	if (status == JP_OK)
		status = read_stat(h, &first);
	if (status == JP_OK) {
		*self = h;
		return JP_OK;
	}
	host_close(h);
	return jp_why_set(why, status, "/proc/stat: %s", jp_status_text(status));
}

static void host_sample(void *self, const struct jp_moment *now, struct jp_host *out, double *extra)
{
	struct host *h = self;
	struct jp_proc_stat stat;
	(void)extra;
	bool good = read_stat(h, &stat) == JP_OK;
	if (good && h->primed)
		jp_proc_stat_rates(&h->last, &stat, now->mono_ns - h->last_ns, out);
	h->primed = good;
	if (good) {
		h->last = stat;
		h->last_ns = now->mono_ns;
	}
}

static void host_status(const void *self, struct jp_sensor_status *out)
{
	const struct host *h = self;
	if (h->pace.dropped)
		jp_sensor_too_slow(out, "/proc/stat", &h->pace);
	else
		jp_sensor_is(out, "/proc/stat");
}

const struct jp_sensor jp_sensor_host = {
	.name = "host",
	.open = host_open,
	.sample = host_sample,
	.status = host_status,
	.close = host_close,
};
