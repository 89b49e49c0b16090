/* CPU frequency from cpufreq's files. The average over the last tick (cpuinfo_avg_freq, Linux 6.15) is preferred:
 * scaling_cur_freq may be what was asked for, an old value, or take 20 ms. */
#include "sense/freq.h"

#include <stdlib.h>

#define CPU_DIR "/sys/devices/system/cpu"
enum { LIMIT_NS = 500000 };
static const double max_mhz = 20000; /* above it is junk */

static const char *const files[] = {"cpuinfo_avg_freq", "scaling_cur_freq"};

struct cpu_file {
	struct jp_file file; /* kHz */
	int cpu;
};

struct cpufreq {
	struct jp_tree *tree;
	struct jp_pace pace;
	const char *name; /* one of files */
	struct cpu_file *cpu;
	size_t n;
};

static void cpufreq_close(void *self)
{
	struct cpufreq *c = self;
	for (size_t i = 0; i < c->n; i++)
		jp_file_close(&c->cpu[i].file, c->tree);
	free(c->cpu);
	free(c);
}

static enum jp_status open_files(struct cpufreq *c, const struct jp_cpus *cpus, const char *name)
{
	c->name = name;
	for (size_t i = 0; i < cpus->n; i++) {
		struct cpu_file *f = &c->cpu[c->n];
		enum jp_status status =
			jp_file_open(&f->file, c->tree, CPU_DIR "/cpu%d/cpufreq/%s", cpus->number[i], name);
		if (status == JP_NO_MEM)
			return status;
		f->cpu = cpus->number[i];
		c->n += status == JP_OK;
	}
	return c->n > 0 ? JP_OK : JP_MISSING;
}

static enum jp_status cpufreq_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	struct cpufreq *c = calloc(1, sizeof *c);
	struct cpu_file *cpu = calloc(env->cpus->n + 1, sizeof *cpu);
	if (!c || !cpu) {
		free(c);
		free(cpu);
		return JP_NO_MEM;
	}
	*c = (struct cpufreq){.tree = env->tree, .pace.limit_ns = LIMIT_NS, .cpu = cpu};
	enum jp_status status = JP_MISSING;
	for (size_t i = 0; i < sizeof files / sizeof *files && status == JP_MISSING; i++)
		status = open_files(c, env->cpus, files[i]);
	if (status == JP_OK) {
		*self = c;
		return JP_OK;
	}
	cpufreq_close(c);
	if (status == JP_NO_MEM)
		return status;
	return jp_why_set(why, status,
		"the CPU's frequency is not known: no counters of perf and no cpufreq directory (%s)",
		jp_tree_is_machine(env->tree) ? "a virtual machine shows neither" : "perf is not used with --sysroot");
}

static void cpufreq_sample(void *self, const struct jp_moment *now, double *mhz)
{
	struct cpufreq *c = self;
	(void)now;
	for (size_t i = 0; i < c->n; i++) {
		uint64_t khz;
		if (jp_file_u64(&c->cpu[i].file, c->tree, &c->pace, &khz) != JP_OK)
			continue;
		double value = (double)khz / 1e3;
		if (value > 0 && value < max_mhz)
			mhz[c->cpu[i].cpu] = value;
	}
}

static void cpufreq_status(const void *self, struct jp_sensor_status *out)
{
	const struct cpufreq *c = self;
	if (c->pace.dropped)
		jp_sensor_too_slow(out, c->name, &c->pace);
	else
		jp_sensor_is(out, "cpufreq %s", c->name);
}

const struct jp_freq_source jp_freq_cpufreq = {
	.open = cpufreq_open,
	.sample = cpufreq_sample,
	.status = cpufreq_status,
	.close = cpufreq_close,
};
