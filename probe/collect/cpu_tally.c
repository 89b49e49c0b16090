/* On which CPUs head and tail ran. */
#include "cpu_tally.h"

#include <math.h>
#include <string.h>

void jp_cpu_tally_add(struct jp_cpu_tally *t, enum jp_role role, int cpu)
{
	if (cpu < 0 || cpu >= JP_CPUS_MAX)
		return;
	t->both[cpu]++;
	t->window[role][cpu]++;
	t->run[role][cpu]++;
}

void jp_cpu_tally_next_window(struct jp_cpu_tally *t)
{
	memset(t->both, 0, sizeof t->both);
	memset(t->window, 0, sizeof t->window);
}

struct jp_cpu_calls jp_cpu_tally_both(const struct jp_cpu_tally *t)
{
	return (struct jp_cpu_calls){.calls = t->both, .n = JP_CPUS_MAX};
}

struct jp_ran jp_cpu_tally_mostly(const uint64_t calls[JP_CPUS_MAX])
{
	uint64_t all = 0;
	int most = 0;
	for (int cpu = 0; cpu < JP_CPUS_MAX; cpu++) {
		all += calls[cpu];
		if (calls[cpu] > calls[most])
			most = cpu;
	}
	if (!all)
		return (struct jp_ran){.cpu = -1, .pct = NAN};
	return (struct jp_ran){.cpu = most, .pct = 100 * (double)calls[most] / (double)all};
}
