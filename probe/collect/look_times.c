/* When the slots were looked at. */
#include "look_times.h"

#include <jackprobe/cycle.h>

void jp_look_times_put(struct jp_look_times *t, int64_t at_ns)
{
	if (at_ns == t->slow_ns || (t->n && t->look[(t->n - 1) % JP_LOOK_TIMES].at_ns == at_ns))
		return;
	t->look[t->n % JP_LOOK_TIMES].at_ns = at_ns;
	t->look[t->n++ % JP_LOOK_TIMES].late = false;
}

void jp_look_times_late(struct jp_look_times *t, int64_t at_ns)
{
	jp_look_times_put(t, at_ns);
	if (t->n && t->look[(t->n - 1) % JP_LOOK_TIMES].at_ns == at_ns)
		t->look[(t->n - 1) % JP_LOOK_TIMES].late = true;
}

void jp_look_times_slow(struct jp_look_times *t, int64_t at_ns)
{
	t->slow_ns = at_ns;
}

int64_t jp_look_times_before(const struct jp_look_times *t, int64_t at_ns, bool late)
{
	for (uint64_t back = 1; back <= t->n && back <= JP_LOOK_TIMES; back++) {
		uint64_t i = (t->n - back) % JP_LOOK_TIMES;
		if (at_ns - t->look[i].at_ns > JP_LOOK_APART_NS && (t->look[i].late || !late))
			return t->look[i].at_ns;
	}
	return JP_NS_UNKNOWN;
}
