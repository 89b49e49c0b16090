/* CPU frequency: the first source that has it. */
#include "sense/freq.h"

#include <stdlib.h>
#include <string.h>

static const struct jp_freq_source *const sources[] = {&jp_freq_msr, &jp_freq_cycles, &jp_freq_cpufreq};
enum { SOURCES = sizeof sources / sizeof sources[0] };

struct frequency {
	const struct jp_freq_source *source;
	void *self;
	double *mhz; /* by CPU number */
	size_t n;
};

void jp_freq_figures(const double *mhz, size_t n, const struct jp_cpu_calls *calls, struct jp_host *out)
{
	double sum = 0, weighted = 0, weights = 0;
	size_t known = 0;
	for (size_t i = 0; i < n; i++) {
		if (isnan(mhz[i]))
			continue;
		sum += mhz[i];
		known++;
		out->freq_min_mhz = fmin(out->freq_min_mhz, mhz[i]);
		out->freq_max_mhz = fmax(out->freq_max_mhz, mhz[i]);
	}
	if (known > 0)
		out->freq_mean_mhz = sum / (double)known;
	for (size_t i = 0; calls && i < calls->n; i++) {
		if (calls->calls[i] == 0)
			continue;
		weighted += (double)calls->calls[i] * (i < n ? mhz[i] : NAN);
		weights += (double)calls->calls[i];
	}
	if (weights > 0)
		out->rt_freq_mhz = weighted / weights;
}

/* The reason to give is that of the last source; a source closed to this user has a remedy, so it comes first. */
static enum jp_status find_source(struct frequency *f, const struct jp_sense_env *env, struct jp_why *why)
{
	struct jp_why denied = {""}, own = {""};
	enum jp_status status = JP_MISSING;
	for (size_t i = 0; i < SOURCES; i++) {
		f->source = sources[i];
		status = f->source->open(env, &f->self, &own);
		if (status == JP_OK || status == JP_NO_MEM)
			return status;
		if (status == JP_DENIED && !denied.text[0])
			denied = own;
	}
	return jp_why_set(why, status, "%s", denied.text[0] ? denied.text : own.text);
}

static enum jp_status frequency_open(const struct jp_sense_env *env, void **self, struct jp_why *why)
{
	struct frequency *f = calloc(1, sizeof *f);
	double *mhz = calloc(env->cpus->limit + 1, sizeof *mhz);
	enum jp_status status = JP_NO_MEM;
	if (f && mhz) {
		*f = (struct frequency){.mhz = mhz, .n = env->cpus->limit};
		status = find_source(f, env, why);
	}
	if (status == JP_OK) {
		*self = f;
		return JP_OK;
	}
	free(mhz);
	free(f);
	return status;
}

static void frequency_sample(void *self, const struct jp_moment *now, struct jp_host *out, double *extra)
{
	struct frequency *f = self;
	(void)extra;
	for (size_t i = 0; i < f->n; i++)
		f->mhz[i] = NAN;
	f->source->sample(f->self, now, f->mhz);
	jp_freq_figures(f->mhz, f->n, now->calls, out);
}

static void frequency_status(const void *self, struct jp_sensor_status *out)
{
	const struct frequency *f = self;
	f->source->status(f->self, out);
}

static void frequency_close(void *self)
{
	struct frequency *f = self;
	f->source->close(f->self);
	free(f->mhz);
	free(f);
}

const struct jp_sensor jp_sensor_frequency = {
	.name = "frequency",
	.open = frequency_open,
	.sample = frequency_sample,
	.status = frequency_status,
	.close = frequency_close,
};
