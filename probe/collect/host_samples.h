/** @file host_samples.h
 * The machine's figures, one sample a window, and the mean power of the run. Thread: the collector's. */
#ifndef JP_HOST_SAMPLES_H
#define JP_HOST_SAMPLES_H

#include <jackprobe/sense.h>

struct jp_host_samples {
	struct jp_sense *sense; /**< the caller's, who keeps it */
	int64_t at_ns;          /**< CLOCK_MONOTONIC of the last sample */
	double power_sum, power_n;
};

/** The first sample: it only sets what later ones are differences to. @param sense outlives the samples. */
void jp_host_samples_begin(struct jp_host_samples *s, struct jp_sense *sense, int64_t at_ns);
/** Take one. @param calls where head and tail ran since the last one. @param out NAN = unknown; all of it when the last sample was
 * taken a moment ago. */
void jp_host_samples_take(
	struct jp_host_samples *s, int64_t at_ns, const struct jp_cpu_calls *calls, struct jp_host *out);
/** Mean of the samples' power, W; NAN = no sample knew it. */
double jp_host_samples_power(const struct jp_host_samples *s);

#endif
