/* The server's record of ourselves against our own stamps. */
#include "exec_check.h"

#include <inttypes.h>
#include <string.h>

enum { GRAIN_NS = 1000 }; /* the server cuts its times to microseconds */

void jp_exec_check_gap(struct jp_exec_check *c)
{
	for (int role = JP_HEAD; role <= JP_TAIL; role++) {
		c->first[role] = c->n[role];
		c->entry_ns[role] = c->exit_ns[role] = 0;
		c->misses[role] = 0;
	}
}

void jp_exec_check_reports(struct jp_exec_check *c, bool reports)
{
	c->reports = reports;
	jp_exec_check_gap(c);
}

/* A record tells how long the call before it took: that one is complete now. */
static void put_one(struct jp_exec_check *c, const struct jp_record *r)
{
	int role = r->role;
	if (r->flags & JP_REC_FREEWHEEL) {
		c->entry_ns[role] = c->exit_ns[role] = 0;
		return;
	}
	if (c->entry_ns[role] && r->cost_ns) {
		struct jp_exec_call call = {.entry_ns = c->entry_ns[role], .before_ns = JP_NS_UNKNOWN};
		call.exit_ns = call.entry_ns + r->cost_ns;
		if (c->exit_ns[role])
			call.before_ns = c->exit_ns[role];
		if (c->n[role] - c->first[role] < JP_EXEC_CHECK_CALLS)
			c->calls[role][c->n[role]++ % JP_EXEC_CHECK_CALLS] = call;
		c->exit_ns[role] = call.exit_ns;
	}
	c->entry_ns[role] = (int64_t)r->entry_ns;
}

void jp_exec_check_put(struct jp_exec_check *c, const struct jp_record *records, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_one(c, &records[i]);
}

/* A call without an execution. */
static enum jp_status miss(struct jp_exec_check *c, int role, const struct jp_exec_call *call, struct jp_why *why)
{
	const char *who = role == JP_HEAD ? "head" : "tail";
	if (!c->misses[role]++)
		c->silent_ns[role] = call->entry_ns;
	if (c->reports && call->entry_ns - c->silent_ns[role] > JP_EXEC_CHECK_SILENCE_S * INT64_C(1000000000))
		return jp_why_set(why, JP_BAD_DATA,
			"the server has reported no calls of our %s for %d s: per-client times are off", who,
			JP_EXEC_CHECK_SILENCE_S);
	if (!c->reports && c->misses[role] >= JP_EXEC_CHECK_MISSES)
		return jp_why_set(why, JP_BAD_DATA,
			"the server's record does not show %d calls of our %s in a row: per-client times are off",
			JP_EXEC_CHECK_MISSES, who);
	return JP_OK;
}

static enum jp_status check_one(struct jp_exec_check *c, int role, const struct jp_exec_call *call,
	const struct jp_exec_merge *m, struct jp_why *why)
{
	struct jp_exec e;
	if (!jp_exec_merge_during(m, role == JP_HEAD ? JP_EXEC_HEAD : JP_EXEC_TAIL, call->entry_ns, &e))
		return miss(c, role, call, why);
	c->misses[role] = 0;
	if (c->reports || (e.finished_ns + GRAIN_NS > call->exit_ns &&
				  (call->before_ns == JP_NS_UNKNOWN || e.awake_ns + GRAIN_NS > call->before_ns)))
		return JP_OK;
	return jp_why_set(why, JP_BAD_DATA,
		"the server's record of our %s (%" PRId64 " to %" PRId64
		" ns of its call) contradicts its own stamps: per-client times are off",
		role == JP_HEAD ? "head" : "tail", e.awake_ns - call->entry_ns, e.finished_ns - call->entry_ns);
}

enum jp_status jp_exec_check_run(
	struct jp_exec_check *c, const struct jp_exec_merge *m, int64_t until_ns, struct jp_why *why)
{
	enum jp_status status = JP_OK;
	for (int role = JP_HEAD; role <= JP_TAIL; role++) {
		while (status == JP_OK && c->first[role] < c->n[role]) {
			const struct jp_exec_call *call = &c->calls[role][c->first[role] % JP_EXEC_CHECK_CALLS];
			if (call->entry_ns > until_ns)
				break;
			status = check_one(c, role, call, m, why);
			c->first[role]++;
		}
	}
	return status;
}
