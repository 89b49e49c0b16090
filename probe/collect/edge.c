/* Ends of windows. */
#include "edge.h"

#include <jackprobe/cycle.h>

void jp_edge_init(struct jp_edge *e, int64_t start_ns, int64_t interval_ns)
{
	*e = (struct jp_edge){.interval_ns = interval_ns, .next_ns = start_ns + interval_ns, .due_ns = JP_NS_UNKNOWN};
}

int64_t jp_edge_limit(const struct jp_edge *e)
{
	return e->due_ns != JP_NS_UNKNOWN ? e->due_ns : e->next_ns;
}

bool jp_edge_reach(struct jp_edge *e, int64_t now_ns)
{
	if (now_ns < e->next_ns || e->due_ns != JP_NS_UNKNOWN)
		return false;
	int64_t passed = (now_ns - e->next_ns) / e->interval_ns;
	e->due_ns = e->next_ns + passed * e->interval_ns;
	e->next_ns = e->due_ns + e->interval_ns;
	return true;
}

bool jp_edge_ripe(const struct jp_edge *e, int64_t now_ns, bool complete)
{
	return e->due_ns != JP_NS_UNKNOWN &&
	       (complete || now_ns - e->due_ns >= JP_EDGE_BOUND_NS || now_ns >= e->next_ns);
}

void jp_edge_closed(struct jp_edge *e)
{
	e->due_ns = JP_NS_UNKNOWN;
}
