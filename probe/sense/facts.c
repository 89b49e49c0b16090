/* Facts of the machine for the metadata of a run. */
#include "sense/facts.h"

#include "sense/sensor.h"

#include <stdio.h>
#include <string.h>

#define CPU_DIR "/sys/devices/system/cpu"

struct facts {
	const struct jp_tree *tree;
	const struct jp_cpus *cpus;
	void (*put)(void *arg, const char *key, const char *value);
	void *arg;
};

bool jp_facts_preempt_mode(const char *text, char *out, size_t size)
{
	const char *open = strchr(text, '('), *close = open ? strchr(open, ')') : NULL;
	if (!close || close == open + 1)
		return false;
	snprintf(out, size, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}

const char *jp_facts_preempt_version(const char *version)
{
	static const char *const models[] = {"PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT"};
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		if (strstr(version, models[i]))
			return models[i];
	return NULL;
}

bool jp_facts_cpuinfo(const char *text, const char *key, char *out, size_t size)
{
	size_t n = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *at = line + n;
		if (strncmp(line, key, n) != 0)
			continue;
		at += strspn(at, " \t");
		if (*at != ':')
			continue;
		at++;
		at += strspn(at, " \t");
		snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
		return out[0] != 0;
	}
	return false;
}

static void put_file(const struct facts *f, const char *key, const char *path)
{
	char line[128];
	if (jp_tree_line(f->tree, line, sizeof line, "%s", path) == JP_OK)
		f->put(f->arg, key, line);
}

/* A kernel with PREEMPT_RT says so; others tell their mode to root only, or name what they were built with. */
static void put_preemption(const struct facts *f)
{
	char text[256], mode[64];
	uint64_t realtime;
	if (jp_tree_u64(f->tree, &realtime, "/sys/kernel/realtime") == JP_OK && realtime == 1) {
		f->put(f->arg, "preemption", "PREEMPT_RT");
		return;
	}
	if (jp_tree_line(f->tree, text, sizeof text, "/sys/kernel/debug/sched/preempt") == JP_OK &&
		jp_facts_preempt_mode(text, mode, sizeof mode)) {
		f->put(f->arg, "preemption", mode);
		return;
	}
	if (jp_tree_line(f->tree, text, sizeof text, "/proc/version") != JP_OK)
		return;
	const char *model = jp_facts_preempt_version(text);
	if (model)
		f->put(f->arg, "preemption", model);
}

static void put_cpu_model(const struct facts *f)
{
	char text[4096], model[128];
	if (jp_tree_text(f->tree, text, sizeof text, "/proc/cpuinfo") == JP_OK &&
		(jp_facts_cpuinfo(text, "model name", model, sizeof model) ||
			jp_facts_cpuinfo(text, "Model", model, sizeof model)))
		f->put(f->arg, "cpu_model", model);
}

static bool listed(const char *list, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = list; (at = strstr(at, word)); at += n)
		if ((at == list || at[-1] == ' ') && (at[n] == 0 || at[n] == ','))
			return true;
	return false;
}

/* What the CPUs have, each once: "performance", or "performance, powersave". */
static void put_all_cpus(const struct facts *f, const char *key, const char *file)
{
	char list[128] = "";
	for (size_t i = 0; i < f->cpus->n; i++) {
		char line[64];
		size_t used = strlen(list);
		if (jp_tree_line(f->tree, line, sizeof line, CPU_DIR "/cpu%d/cpufreq/%s", f->cpus->number[i], file) !=
				JP_OK ||
			listed(list, line))
			continue;
		snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", line);
	}
	if (list[0])
		f->put(f->arg, key, list);
}

static void put_cpus(const struct facts *f)
{
	char text[64];
	size_t p = 0, e = 0;
	if (f->cpus->n > 0) {
		snprintf(text, sizeof text, "%zu", f->cpus->n);
		f->put(f->arg, "cpus", text);
	}
	for (int cpu = 0; cpu < JP_CPU_NUMBERS && f->cpus->hybrid; cpu++) {
		p += f->cpus->kind[cpu] == 'P';
		e += f->cpus->kind[cpu] == 'E';
	}
	snprintf(text, sizeof text, "%zu P, %zu E", p, e);
	if (f->cpus->hybrid)
		f->put(f->arg, "core_types", text);
}

void jp_facts_put(const struct jp_tree *tree, const struct jp_cpus *cpus,
	void (*put)(void *arg, const char *key, const char *value), void *arg)
{
	struct facts f = {tree, cpus, put, arg};
	put_file(&f, "kernel", "/proc/sys/kernel/osrelease");
	put_preemption(&f);
	put_cpu_model(&f);
	put_cpus(&f);
	put_all_cpus(&f, "cpufreq_driver", "scaling_driver");
	put_all_cpus(&f, "governor", "scaling_governor");
	put_file(&f, "cpuidle_driver", CPU_DIR "/cpuidle/current_driver");
	put_file(&f, "cpuidle_governor", CPU_DIR "/cpuidle/current_governor");
}
