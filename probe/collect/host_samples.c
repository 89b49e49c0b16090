/* The machine's figures of a window. */
#include "host_samples.h"

#include <math.h>
#include <stddef.h>

/* Below this a rate of the host says more about its clock's grain than about the machine. */
#define MIN_NS 100000000LL

void jp_host_samples_begin(struct jp_host_samples *s, struct jp_sense *sense, int64_t at_ns)
{
	struct jp_host first;
	*s = (struct jp_host_samples){.sense = sense, .at_ns = at_ns};
	jp_sense_sample(sense, at_ns, NULL, &first);
}

void jp_host_samples_take(
	struct jp_host_samples *s, int64_t at_ns, const struct jp_cpu_calls *calls, struct jp_host *out)
{
	if (at_ns - s->at_ns < MIN_NS) {
		for (double *d = (double *)out; d < (double *)(out + 1); d++)
			*d = NAN;
		return;
	}
	jp_sense_sample(s->sense, at_ns, calls, out);
	s->at_ns = at_ns;
	if (!isnan(out->power_w)) {
		s->power_sum += out->power_w;
		s->power_n++;
	}
}

double jp_host_samples_power(const struct jp_host_samples *s)
{
	return s->power_n > 0 ? s->power_sum / s->power_n : NAN;
}
