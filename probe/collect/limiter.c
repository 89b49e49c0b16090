/* Rate limit of events: one token bucket for each type. */
#include "limiter.h"

#include <string.h>

void jp_limiter_init(struct jp_limiter *l)
{
	memset(l, 0, sizeof *l);
}

bool jp_limiter_pass(struct jp_limiter *l, enum jp_event_type type, int64_t mono_ns, uint64_t *suppressed)
{
	double tokens = JP_LIMIT_BURST;
	if (l->type[type].used) {
		tokens = l->type[type].tokens + (double)(mono_ns - l->type[type].at_ns) * 1e-9 * JP_LIMIT_PER_SECOND;
		if (tokens > JP_LIMIT_BURST)
			tokens = JP_LIMIT_BURST;
	}
	l->type[type].used = true;
	l->type[type].at_ns = mono_ns;
	l->type[type].tokens = tokens;
	if (tokens < 1) {
		l->type[type].held++;
		return false;
	}
	l->type[type].tokens = tokens - 1;
	*suppressed = l->type[type].held;
	l->type[type].held = 0;
	return true;
}

uint64_t jp_limiter_take_held(struct jp_limiter *l, enum jp_event_type type)
{
	uint64_t held = l->type[type].held;
	l->type[type].held = 0;
	return held;
}
