/* Raw looks -> executions. */
#include "exec_merge.h"

#include "collect/exec_state.h"

#include <stdlib.h>

/* Released so long before it began, a client was held up by its execution before. */
#define HELD_NS 100000
/* Released so shortly after a look at late ones that showed it running, it had ended in between: the middle is close enough. */
#define BETWEEN_NS 250000
/* A time so far in the future of the look is a torn read. */
#define TORN_NS 60000000000

static bool known(int64_t ns)
{
	return ns != JP_NS_UNKNOWN;
}

struct jp_exec_merge *jp_exec_merge_new(int64_t patience_ns)
{
	struct jp_exec_merge *m = calloc(1, sizeof *m);
	if (m) {
		m->patience_ns = patience_ns;
		m->border_ns = m->horizon_ns = m->release_ns = m->before_release_ns = JP_NS_UNKNOWN;
		m->released_ns = JP_NS_UNKNOWN;
	}
	return m;
}

void jp_exec_merge_free(struct jp_exec_merge *m)
{
	if (!m)
		return;
	jp_exec_list_free(&m->looks);
	jp_exec_list_free(&m->done);
	jp_exec_list_free(&m->out);
	jp_exec_list_free(&m->still);
	jp_exec_list_free(&m->idle);
	free(m);
}

void jp_exec_merge_reports(struct jp_exec_merge *m)
{
	m->reports = true;
}

void jp_exec_merge_period(struct jp_exec_merge *m, int64_t period_ns)
{
	m->period_ns = period_ns;
}

void jp_exec_merge_role(struct jp_exec_merge *m, int32_t ref, enum jp_exec_role role)
{
	struct jp_exec_ref *r = jp_exec_refs_find(&m->refs, ref);
	if (r && r->role != role) {
		r->role = (uint8_t)role;
		jp_exec_ref_forget(r);
	}
}

enum jp_status jp_exec_merge_put(struct jp_exec_merge *m, const struct jp_exec *raw, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!jp_exec_list_add(&m->looks, &raw[i])) {
			m->lost += n - i;
			return JP_FULL;
		}
	}
	return JP_OK;
}

/* One execution is known as far as it ever will be. */
static void emit(struct jp_exec_merge *m, const struct jp_exec_ref *r, const struct jp_exec *e)
{
	if (r->role == JP_EXEC_CLIENT) {
		if (!jp_exec_list_add(&m->done, e))
			m->lost++;
		return;
	}
	jp_exec_history_put(&m->history[r->role], e);
}

void jp_exec_end_open(
	struct jp_exec_merge *m, struct jp_exec_ref *r, int64_t finished_ns, enum jp_exec_state state, int64_t seen_ns)
{
	r->open.finished_ns = finished_ns;
	r->open.state = (int16_t)state;
	r->open.seen_ns = seen_ns;
	r->is_open = false;
	emit(m, r, &r->open);
}

/* When was it seen running last? Looks show everything, so what the look before this one did not end was still going on then. */
static int64_t seen_running(const struct jp_exec_merge *m, const struct jp_exec_ref *r, const struct jp_exec *look)
{
	int64_t since = m->reports ? JP_NS_UNKNOWN : jp_look_times_before(&m->looked, look->seen_ns, false);
	bool told = !m->reports || r->open.state == JP_EXEC_RUNNING;
	int64_t began = told ? r->open.seen_ns : r->open.awake_ns;
	return since > began ? since : began;
}

/* It has ended, and nobody saw when. */
static void end_unseen(struct jp_exec_merge *m, struct jp_exec_ref *r, const struct jp_exec *look)
{
	m->lost++;
	jp_exec_end_open(m, r, JP_NS_UNKNOWN, JP_EXEC_FINISHED, seen_running(m, r, look));
}

/* May the finish that stands in the slot, beside a new beginning, be that of an execution that nobody saw begin? It may when the
 * driver may have released the graph, unseen, before it. */
static bool may_be_anothers(const struct jp_exec_merge *m, const struct jp_exec *look)
{
	int64_t period = m->period_ns, before = m->before_release_ns;
	bool hidden = period > 0 && known(before) && m->release_ns - before > period + period / 2;
	return hidden && !m->sync && !m->reports && look->awake_ns > look->finished_ns &&
	       look->finished_ns > before + period - period / 4;
}

/* The finish that stands in the slot: of the open execution, or of one that nobody saw begin. */
static void take_finish(struct jp_exec_merge *m, struct jp_exec_ref *r, const struct jp_exec *look)
{
	int64_t f = look->finished_ns;
	if (!known(f) || (known(r->last_finish_ns) && f <= r->last_finish_ns))
		return;
	bool first = !known(r->last_finish_ns);
	r->last_finish_ns = f;
	if (r->is_open && f >= r->open.awake_ns && may_be_anothers(m, look))
		end_unseen(m, r, look);
	if (r->is_open && f >= r->open.awake_ns) {
		jp_exec_end_open(m, r, f, JP_EXEC_FINISHED, look->seen_ns);
	} else if (!first && f < look->awake_ns) {
		struct jp_exec headless = *look;
		headless.signalled_ns = headless.awake_ns = JP_NS_UNKNOWN;
		headless.state = JP_EXEC_FINISHED;
		m->lost++;
		emit(m, r, &headless);
	}
}

/* Was it seen running after the driver had released a later cycle, and has that been the last release before the next beginning? Looks
 * show everything, so what the look before this one did not end was still going on then. */
static bool ran_over(const struct jp_exec_merge *m, const struct jp_exec_ref *r, const struct jp_exec *look)
{
	if (m->reports)
		return r->open.state == JP_EXEC_RUNNING && r->open.seen_ns < look->seen_ns;
	int64_t since = jp_look_times_before(&m->looked, look->seen_ns, false);
	bool newer = m->release_ns > since; /* than that look */
	int64_t release = newer ? m->before_release_ns : m->release_ns;
	if (!known(since) || since < r->open.seen_ns || (newer && m->release_ns <= look->awake_ns))
		return false;
	return known(release) && release > r->open.awake_ns && release <= since;
}

/* What released the execution that begins in this look: it stands there, or, on PipeWire, stood there in an earlier report. On jackd2
 * an earlier look may have shown the finish of one only of those that it waited for. */
static int64_t release_of(const struct jp_exec_merge *m, const struct jp_exec_ref *r, const struct jp_exec *look)
{
	if (known(look->signalled_ns) && look->signalled_ns <= look->awake_ns)
		return look->signalled_ns;
	return m->reports && known(r->next_signal_ns) && r->next_signal_ns <= look->awake_ns ? r->next_signal_ns
											     : JP_NS_UNKNOWN;
}

/* When the open execution ended, of which nobody saw the end and the next one has begun: a client that was held up by it goes on at
 * once; one that was not waited already when it was released. */
static int64_t end_before(
	const struct jp_exec_merge *m, const struct jp_exec_ref *r, const struct jp_exec *look, int64_t released)
{
	if (!known(released))
		return JP_NS_UNKNOWN;
	if (look->awake_ns - released > HELD_NS)
		return ran_over(m, r, look) ? look->awake_ns : JP_NS_UNKNOWN;
	int64_t since = jp_look_times_before(&m->looked, look->seen_ns, true);
	bool seen = !m->reports && known(since) && since > r->open.awake_ns && since >= r->open.seen_ns;
	return seen && released > since && released - since <= BETWEEN_NS ? since + (released - since) / 2
									  : JP_NS_UNKNOWN;
}

/* The beginning that stands in the slot, when it is a new one. */
static void take_awake(struct jp_exec_merge *m, struct jp_exec_ref *r, const struct jp_exec *look)
{
	if (!known(look->awake_ns) || (known(r->last_awake_ns) && look->awake_ns <= r->last_awake_ns))
		return;
	int64_t released = release_of(m, r, look);
	/* PipeWire reports a beginning, now and then, of a client that was released twice and ran once. */
	if (r->is_open && m->reports && !known(r->open.signalled_ns)) {
		r->is_open = false;
		m->lost++;
	}
	if (r->is_open) {
		int64_t end = end_before(m, r, look, released);
		if (known(end))
			jp_exec_end_open(m, r, end, JP_EXEC_FINISHED, look->seen_ns);
		else
			end_unseen(m, r, look);
	}
	r->last_awake_ns = look->awake_ns;
	r->open = *look;
	r->open.signalled_ns = released;
	r->is_open = true;
	r->next_signal_ns = JP_NS_UNKNOWN;
}

/* The driver has no execution: what it leaves is when it released the graph. */
static void take_release(struct jp_exec_merge *m, struct jp_exec_ref *r, const struct jp_exec *look)
{
	if (!known(look->finished_ns) || look->finished_ns == r->last_finish_ns)
		return;
	r->last_finish_ns = look->finished_ns;
	m->before_release_ns = m->release_ns;
	m->release_ns = look->finished_ns;
	m->sync = known(look->awake_ns) && known(m->before_release_ns) && look->awake_ns >= m->before_release_ns;
	emit(m, r, look);
}

static bool torn(int64_t ns, int64_t seen_ns)
{
	return known(ns) && ns > seen_ns + TORN_NS;
}

/* Finish and beginning in one microsecond while it runs: the finish is that of the execution before. */
static bool is_whole(const struct jp_exec *look)
{
	if (!known(look->finished_ns) || !known(look->awake_ns))
		return false;
	return look->finished_ns > look->awake_ns ||
	       (look->finished_ns == look->awake_ns && look->state != JP_EXEC_RUNNING);
}

/* PipeWire has a state for who was released and has not begun; what it reports as his beginning is none then. */
static bool waits_in_report(const struct jp_exec_merge *m, const struct jp_exec *look)
{
	return m->reports && look->state == JP_EXEC_TRIGGERED && known(look->signalled_ns) &&
	       known(look->finished_ns) && look->finished_ns < look->signalled_ns;
}

/* A client that has run before was released and did nothing. On jackd2 the head says so. */
static void note_still(struct jp_exec_merge *m, const struct jp_exec_ref *r, const struct jp_exec *look)
{
	struct jp_exec e = *look;
	bool told = waits_in_report(m, look);
	bool ran = known(r->last_awake_ns) && known(look->awake_ns); /* whoever has the number now */
	if (r->role != JP_EXEC_CLIENT || !ran || (!told && look->state != JP_EXEC_STILL))
		return;
	bool began = r->is_open || (known(look->finished_ns) && look->awake_ns > look->finished_ns);
	e.state = began && !told ? JP_EXEC_RUNNING : JP_EXEC_TRIGGERED;
	m->lost += !jp_exec_list_add(&m->still, &e);
}

static void take(struct jp_exec_merge *m, const struct jp_exec *look)
{
	if (look->ref == JP_EXEC_LOOK)
		return;
	struct jp_exec_ref *r = jp_exec_refs_find(&m->refs, look->ref);
	if (r && r->role == JP_EXEC_NOBODY)
		return;
	if (!r || torn(look->awake_ns, look->seen_ns) || torn(look->finished_ns, look->seen_ns)) {
		m->lost++;
		return;
	}
	if (r->role == JP_EXEC_DRIVER) {
		take_release(m, r, look);
		return;
	}
	note_still(m, r, look);
	bool whole = is_whole(look);
	if (whole)
		take_awake(m, r, look);
	take_finish(m, r, look);
	if (!whole && !waits_in_report(m, look))
		take_awake(m, r, look);
	if (known(look->signalled_ns) && known(r->last_awake_ns) && look->signalled_ns > r->last_awake_ns)
		r->next_signal_ns = look->signalled_ns;
}

static int by_seen(const void *a, const void *b)
{
	const struct jp_exec *x = a, *y = b;
	if (x->seen_ns != y->seen_ns)
		return x->seen_ns < y->seen_ns ? -1 : 1;
	return x->ref < y->ref ? -1 : x->ref > y->ref;
}

/* What one says of its look comes first. */
static void note_look(struct jp_exec_merge *m, const struct jp_exec *look)
{
	if (look->ref != JP_EXEC_LOOK)
		jp_look_times_put(&m->looked, look->seen_ns);
	else if (look->state == JP_EXEC_UNKNOWN)
		jp_look_times_slow(&m->looked, look->seen_ns);
	else
		jp_look_times_late(&m->looked, look->seen_ns);
}

void jp_exec_merge_advance(struct jp_exec_merge *m, int64_t horizon_ns)
{
	if (m->looks.n)
		qsort(m->looks.item, m->looks.n, sizeof *m->looks.item, by_seen);
	size_t n = 0;
	for (; n < m->looks.n && m->looks.item[n].seen_ns <= horizon_ns; n++) {
		const struct jp_exec *look = &m->looks.item[n];
		note_look(m, look);
		take(m, look);
	}
	jp_exec_list_drop_first(&m->looks, n);
	m->horizon_ns = horizon_ns;
}

bool jp_exec_merge_during(const struct jp_exec_merge *m, enum jp_exec_role role, int64_t at_ns, struct jp_exec *out)
{
	return jp_exec_history_during(&m->history[role], at_ns, out);
}

int64_t jp_exec_merge_next_finish(const struct jp_exec_merge *m, int32_t ref)
{
	int64_t first = JP_NS_UNKNOWN;
	for (size_t i = 0; i < m->done.n; i++) {
		int64_t at = m->done.item[i].finished_ns;
		if (m->done.item[i].ref == ref && known(at) && (!known(first) || at < first))
			first = at;
	}
	return first;
}

uint64_t jp_exec_merge_lost(const struct jp_exec_merge *m)
{
	return m->lost;
}
