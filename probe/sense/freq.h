/** @file freq.h
 * Sources of CPU frequency behind the one sensor. */
#ifndef JP_SENSE_FREQ_H
#define JP_SENSE_FREQ_H

#include "sense/sensor.h"

struct jp_freq_source {
	/** As jp_sensor.open. */
	enum jp_status (*open)(const struct jp_sense_env *env, void **self, struct jp_why *why);
	/** Fill in mhz[CPU number] for the CPUs that are known; the rest is NaN before. */
	void (*sample)(void *self, const struct jp_moment *now, double *mhz);
	void (*status)(const void *self, struct jp_sensor_status *out);
	void (*close)(void *self);
};

/** Mean clock of a CPU while it ran, from aperf / mperf. */
extern const struct jp_freq_source jp_freq_msr;
/** The same from cycles / ref-cycles of the core PMUs. */
extern const struct jp_freq_source jp_freq_cycles;
/** What cpufreq says. */
extern const struct jp_freq_source jp_freq_cpufreq;

/** Mean, least and greatest of the known ones, and the mean of the CPUs with calls weighted by them (NaN when one of these is
 * unknown). Pure. */
void jp_freq_figures(const double *mhz, size_t n, const struct jp_cpu_calls *calls, struct jp_host *out);

#endif
