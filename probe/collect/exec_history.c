/* What head, tail and driver did lately. */
#include "exec_history.h"

enum { GRAIN_NS = 999 }; /* jackd2 cuts its times to microseconds */

void jp_exec_history_put(struct jp_exec_history *h, const struct jp_exec *e)
{
	h->item[h->n++ % JP_EXEC_HISTORY] = *e;
}

static uint64_t kept(const struct jp_exec_history *h)
{
	return h->n < JP_EXEC_HISTORY ? h->n : JP_EXEC_HISTORY;
}

/* @param back 0 = the youngest */
static const struct jp_exec *at(const struct jp_exec_history *h, uint64_t back)
{
	return &h->item[(h->n - 1 - back) % JP_EXEC_HISTORY];
}

bool jp_exec_history_during(const struct jp_exec_history *h, int64_t at_ns, struct jp_exec *out)
{
	for (uint64_t i = 0; i < kept(h); i++) {
		const struct jp_exec *e = at(h, i);
		if (e->awake_ns == JP_NS_UNKNOWN || e->awake_ns > at_ns)
			continue;
		if (e->finished_ns == JP_NS_UNKNOWN || e->finished_ns + GRAIN_NS < at_ns)
			return false;
		*out = *e;
		return true;
	}
	return false;
}

int64_t jp_exec_history_first(const struct jp_exec_history *h, int64_t from_ns, int64_t to_ns)
{
	int64_t first = JP_NS_UNKNOWN;
	for (uint64_t i = 0; i < kept(h) && at(h, i)->finished_ns >= from_ns; i++)
		if (at(h, i)->finished_ns < to_ns)
			first = at(h, i)->finished_ns;
	return first;
}

int64_t jp_exec_history_last(const struct jp_exec_history *h, int64_t from_ns, int64_t to_ns)
{
	for (uint64_t i = 0; i < kept(h); i++)
		if (at(h, i)->finished_ns < to_ns)
			return at(h, i)->finished_ns >= from_ns ? at(h, i)->finished_ns : JP_NS_UNKNOWN;
	return JP_NS_UNKNOWN;
}
