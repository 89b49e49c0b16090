/* CPU frequency from two counters that run only while the CPU does: one at its own clock (aperf, cycles), one at the clock
 * of the time-stamp counter (mperf, ref-cycles; Intel SDM vol. 3 "IA32_MPERF", turbostat(8)).
 * MHz = own / reference * rate of the time-stamp counter. */
#include "sense/core_events.h"
#include "sense/freq.h"
#include "sense/pmu.h"
#include "sys/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

enum { OWN, REFERENCE, PAIR };
static const double max_mhz = 20000;

struct cpu_pair {
	int cpu;
	int fd[PAIR]; /* the leader counts OWN */
	uint64_t last[PAIR];
	bool primed;
};

struct perf_freq {
	const char *source;
	struct cpu_pair *pair;
	size_t n;
	double base_mhz; /* NaN: not known yet */
	uint64_t tsc_start;
	int64_t start_ns; /* CLOCK_MONOTONIC */
};

static uint64_t tsc_now(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __rdtsc();
#else
	return 0;
#endif
}

/* The counter's rate does not change: measured once, over 50 ms or more. */
static void learn_base(struct perf_freq *p)
{
	int64_t now = jp_clock_now(CLOCK_MONOTONIC);
	uint64_t tsc = tsc_now();
	if (isnan(p->base_mhz) && now - p->start_ns >= 50000000 && tsc > p->tsc_start)
		p->base_mhz = (double)(tsc - p->tsc_start) * 1e3 / (double)(now - p->start_ns);
}

static void perf_freq_close(void *self)
{
	struct perf_freq *p = self;
	for (size_t i = 0; i < p->n; i++)
		for (int k = 0; k < PAIR; k++)
			close(p->pair[i].fd[k]);
	free(p->pair);
	free(p);
}

/* @return 0 or errno; a CPU that is offline (ENODEV) is left out. */
static int add_cpu(struct perf_freq *p, int cpu, const struct perf_event_attr attr[PAIR])
{
	struct cpu_pair *pair = &p->pair[p->n];
	*pair = (struct cpu_pair){.cpu = cpu};
	pair->fd[OWN] = jp_pmu_open(&attr[OWN], cpu, -1);
	if (pair->fd[OWN] < 0)
		return errno == ENODEV ? 0 : errno;
	pair->fd[REFERENCE] = jp_pmu_open(&attr[REFERENCE], cpu, pair->fd[OWN]);
	if (pair->fd[REFERENCE] < 0) {
		int err = errno;
		close(pair->fd[OWN]);
		return err;
	}
	p->n++;
	return 0;
}

static uint64_t reference_sum(const struct perf_freq *p)
{
	uint64_t sum = 0, values[PAIR];
	for (size_t i = 0; i < p->n; i++)
		if (jp_pmu_read(p->pair[i].fd[OWN], values, PAIR))
			sum += values[REFERENCE];
	return sum;
}

/* A hypervisor may let counters be opened that never count: the CPU we run on must have moved between two looks. */
static bool counts(const struct perf_freq *p)
{
	uint64_t first = reference_sum(p);
	return reference_sum(p) > first;
}

static struct perf_freq *perf_freq_new(const struct jp_sense_env *env, const char *source)
{
	struct perf_freq *p = calloc(1, sizeof *p);
	struct cpu_pair *pair = calloc(env->cpus->n + 1, sizeof *pair);
	if (!p || !pair) {
		free(p);
		free(pair);
		return NULL;
	}
	*p = (struct perf_freq){.source = source, .pair = pair, .base_mhz = NAN};
	p->start_ns = jp_clock_now(CLOCK_MONOTONIC);
	p->tsc_start = tsc_now();
	return p;
}

/* Hand it out when its counters count, else close it and say why. @param err errno of opening, 0 = fine */
static enum jp_status perf_freq_done(
	struct perf_freq *p, const struct jp_sense_env *env, int err, void **self, struct jp_why *why)
{
	char what[80];
	if (err == 0 && p->n > 0 && tsc_now() != 0 && counts(p)) {
		*self = p;
		return JP_OK;
	}
	snprintf(what, sizeof what, "counters of %s", p->source);
	perf_freq_close(p);
	if (err)
		return jp_pmu_why(env->tree, err, what, why);
	return jp_why_set(why, JP_UNSUPPORTED, "%s do not count on this machine", what);
}

static enum jp_status msr_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	struct perf_event_attr attr[PAIR] = {0};
	int err = 0;
	if (!jp_tree_is_machine(env->tree) || jp_pmu_event(env->tree, "msr", "aperf", &attr[OWN]) != JP_OK ||
		jp_pmu_event(env->tree, "msr", "mperf", &attr[REFERENCE]) != JP_OK)
		return jp_why_set(why, JP_UNSUPPORTED, "perf has no aperf and mperf here");
	struct perf_freq *p = perf_freq_new(env, "perf msr aperf/mperf");
	if (!p)
		return JP_NO_MEM;
	for (size_t i = 0; i < env->cpus->n && err == 0; i++)
		err = add_cpu(p, env->cpus->number[i], attr);
	return perf_freq_done(p, env, err, self, why);
}

struct core {
	struct perf_freq *p;
	const struct perf_event_attr *attr;
	int err;
};

static void add_listed_cpu(void *arg, int cpu)
{
	struct core *c = arg;
	if (c->err == 0)
		c->err = add_cpu(c->p, cpu, c->attr);
}

static int add_core_pmu(
	struct perf_freq *p, const struct jp_core_events *pfm, const struct jp_sense_env *env, const char *pmu)
{
	char list[512];
	struct perf_event_attr attr[PAIR] = {0};
	struct core core = {p, attr, 0};
	if (!jp_core_event(pfm, env->tree, pmu, JP_CORE_CYCLES, &attr[OWN]) ||
		!jp_core_event(pfm, env->tree, pmu, JP_CORE_REF_CYCLES, &attr[REFERENCE]))
		return 0;
	if (jp_tree_line(env->tree, list, sizeof list, "/sys/bus/event_source/devices/%s/cpus", pmu) == JP_OK)
		jp_cpulist(list, (int)env->cpus->limit, add_listed_cpu, &core);
	else
		for (size_t i = 0; i < env->cpus->n; i++)
			add_listed_cpu(&core, env->cpus->number[i]);
	return core.err;
}

static enum jp_status cycles_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	int err = 0;
	if (!jp_tree_is_machine(env->tree))
		return jp_why_set(why, JP_UNSUPPORTED, "perf counts only on the machine itself");
	struct perf_freq *p = perf_freq_new(env, "perf cycles/ref-cycles");
	if (!p)
		return JP_NO_MEM;
	struct jp_core_events *pfm = jp_core_events_begin();
	for (size_t i = 0; i < JP_CORE_PMUS && err == 0; i++)
		err = add_core_pmu(p, pfm, env, jp_core_pmus[i]);
	jp_core_events_end(pfm);
	return perf_freq_done(p, env, err, self, why);
}

/* A CPU that slept the whole time has no frequency. */
static double pair_ratio(struct cpu_pair *pair)
{
	uint64_t now[PAIR];
	double ratio = NAN;
	bool good = jp_pmu_read(pair->fd[OWN], now, PAIR);
	if (good && pair->primed && now[REFERENCE] > pair->last[REFERENCE] && now[OWN] >= pair->last[OWN])
		ratio = (double)(now[OWN] - pair->last[OWN]) / (double)(now[REFERENCE] - pair->last[REFERENCE]);
	if (good)
		memcpy(pair->last, now, sizeof now);
	pair->primed = good;
	return ratio;
}

static void perf_freq_sample(void *self, const struct jp_moment *now, double *mhz)
{
	struct perf_freq *p = self;
	(void)now;
	learn_base(p);
	for (size_t i = 0; i < p->n; i++) {
		double value = pair_ratio(&p->pair[i]) * p->base_mhz;
		if (value > 0 && value < max_mhz)
			mhz[p->pair[i].cpu] = value;
	}
}

static void perf_freq_status(const void *self, struct jp_sensor_status *out)
{
	const struct perf_freq *p = self;
	jp_sensor_is(out, "%s", p->source);
}

const struct jp_freq_source jp_freq_msr = {
	.open = msr_open,
	.sample = perf_freq_sample,
	.status = perf_freq_status,
	.close = perf_freq_close,
};

const struct jp_freq_source jp_freq_cycles = {
	.open = cycles_open,
	.sample = perf_freq_sample,
	.status = perf_freq_status,
	.close = perf_freq_close,
};
