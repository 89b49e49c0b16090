/* Raw looks -> executions -> cycles. */
#include "exec_merge.h"

#include "collect/exec_history.h"
#include "collect/exec_list.h"
#include "collect/exec_refs.h"

#include <stdlib.h>
#include <string.h>

/* Released so long before it began, a client was held up by its execution before. */
#define HELD_NS 100000
/* A time so far in the future of the look is a torn read. */
#define TORN_NS 60000000000

struct wake {
	int64_t wake_ns, look_ns;
};

struct jp_exec_merge {
	int64_t patience_ns, horizon_ns;
	struct jp_exec_refs refs;
	struct jp_exec_list looks, done, out;
	struct wake wakes[JP_EXEC_CYCLES_MAX];
	uint64_t first_wake, n_wakes; /* ever taken, ever put */
	struct jp_exec_history history[JP_EXEC_ROLES];
	/* The driver's latest release and the look that showed it, and the one before. */
	int64_t release_ns, release_seen_ns, before_release_ns;
	bool reports;
	uint64_t lost;
};

static bool known(int64_t ns)
{
	return ns != JP_NS_UNKNOWN;
}

struct jp_exec_merge *jp_exec_merge_new(int64_t patience_ns)
{
	struct jp_exec_merge *m = calloc(1, sizeof *m);
	if (m) {
		m->patience_ns = patience_ns;
		m->horizon_ns = m->release_ns = m->before_release_ns = m->release_seen_ns = JP_NS_UNKNOWN;
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
	free(m);
}

void jp_exec_merge_reports(struct jp_exec_merge *m)
{
	m->reports = true;
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

enum jp_status jp_exec_merge_wake(struct jp_exec_merge *m, int64_t wake_ns, int64_t look_ns)
{
	if (m->n_wakes - m->first_wake == JP_EXEC_CYCLES_MAX) {
		m->first_wake++;
		m->lost++;
	}
	if (m->n_wakes > m->first_wake && m->wakes[(m->n_wakes - 1) % JP_EXEC_CYCLES_MAX].wake_ns >= wake_ns)
		return JP_OK;
	m->wakes[m->n_wakes++ % JP_EXEC_CYCLES_MAX] = (struct wake){wake_ns, look_ns};
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

/* @param state JP_EXEC_FINISHED, though perhaps nobody saw when; JP_EXEC_RUNNING: never ended. */
static void end_open(
	struct jp_exec_merge *m, struct jp_exec_ref *r, int64_t finished_ns, enum jp_exec_state state, int64_t seen_ns)
{
	r->open.finished_ns = finished_ns;
	r->open.state = (int16_t)state;
	r->open.seen_ns = seen_ns;
	r->is_open = false;
	emit(m, r, &r->open);
}

/* The finish that stands in the slot: of the open execution, or of one that nobody saw begin. */
static void take_finish(struct jp_exec_merge *m, struct jp_exec_ref *r, const struct jp_exec *look)
{
	int64_t f = look->finished_ns;
	if (!known(f) || (known(r->last_finish_ns) && f <= r->last_finish_ns))
		return;
	bool first = !known(r->last_finish_ns);
	r->last_finish_ns = f;
	if (r->is_open && f >= r->open.awake_ns) {
		end_open(m, r, f, JP_EXEC_FINISHED, look->seen_ns);
	} else if (!first && f < look->awake_ns) {
		struct jp_exec headless = *look;
		headless.signalled_ns = headless.awake_ns = JP_NS_UNKNOWN;
		headless.state = JP_EXEC_FINISHED;
		m->lost++;
		emit(m, r, &headless);
	}
}

/* Was it seen running after the driver had released a later cycle? Looks show everything, so what an earlier look did not end
 * was still going on then. */
static bool ran_over(const struct jp_exec_merge *m, const struct jp_exec_ref *r, const struct jp_exec *look)
{
	if (m->reports)
		return r->open.state == JP_EXEC_RUNNING && r->open.seen_ns < look->seen_ns;
	int64_t release = m->release_seen_ns < look->seen_ns ? m->release_ns : m->before_release_ns;
	return known(release) && release > r->open.awake_ns;
}

/* What released the execution that begins in this look: it stands there, or, on PipeWire, stood there in an earlier report. On jackd2
 * an earlier look may have shown the finish of one only of those that it waited for. */
static int64_t release_of(const struct jp_exec_merge *m, const struct jp_exec_ref *r, const struct jp_exec *look)
{
	if (known(look->signalled_ns) && look->signalled_ns <= look->awake_ns)
		return look->signalled_ns;
	return m->reports && known(r->next_signal_ns) && r->next_signal_ns <= look->awake_ns ? r->next_signal_ns : JP_NS_UNKNOWN;
}

/* The beginning that stands in the slot, when it is a new one. */
static void take_awake(struct jp_exec_merge *m, struct jp_exec_ref *r, const struct jp_exec *look)
{
	if (!known(look->awake_ns) || (known(r->last_awake_ns) && look->awake_ns <= r->last_awake_ns))
		return;
	int64_t released = release_of(m, r, look);
	if (r->is_open) {
		bool held = known(released) && look->awake_ns - released > HELD_NS && ran_over(m, r, look);
		m->lost += !held;
		end_open(m, r, held ? look->awake_ns : JP_NS_UNKNOWN, JP_EXEC_FINISHED, look->seen_ns);
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
	m->release_seen_ns = look->seen_ns;
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

static void take(struct jp_exec_merge *m, const struct jp_exec *look)
{
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
	bool whole = is_whole(look);
	if (whole)
		take_awake(m, r, look);
	take_finish(m, r, look);
	if (!whole)
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

void jp_exec_merge_advance(struct jp_exec_merge *m, int64_t horizon_ns)
{
	if (m->looks.n)
		qsort(m->looks.item, m->looks.n, sizeof *m->looks.item, by_seen);
	size_t n = 0;
	while (n < m->looks.n && m->looks.item[n].seen_ns <= horizon_ns)
		take(m, &m->looks.item[n++]);
	jp_exec_list_drop_first(&m->looks, n);
	m->horizon_ns = horizon_ns;
}

static int64_t time_of(const struct jp_exec *e)
{
	return known(e->awake_ns) ? e->awake_ns : e->finished_ns;
}

/* Whose cycle it is. jackd2 gives a client that wakes behind the next wake-up that cycle's data, PipeWire still those of the
 * cycle that released it. */
static int64_t key_of(const struct jp_exec_merge *m, const struct jp_exec *e)
{
	return m->reports && known(e->signalled_ns) ? e->signalled_ns : time_of(e);
}

/* Is it known of a client that it has something to do in that time, and has not ended yet? */
static bool is_busy(const struct jp_exec_merge *m, const struct jp_exec_ref *r, int64_t from_ns, int64_t to_ns)
{
	int64_t key = r->is_open ? key_of(m, &r->open) : JP_NS_UNKNOWN;
	if (m->reports && !(key >= from_ns && key < to_ns))
		key = r->next_signal_ns;
	return r->role == JP_EXEC_CLIENT && key >= from_ns && key < to_ns && m->horizon_ns - key < m->patience_ns;
}

/* Nothing of the cycle goes on, or it has gone on for too long. */
static bool settled(struct jp_exec_merge *m, int64_t from_ns, int64_t to_ns)
{
	for (size_t i = 0; i < m->refs.n; i++)
		if (is_busy(m, &m->refs.item[i], from_ns, to_ns))
			return false;
	for (size_t i = 0; i < m->refs.n; i++) {
		struct jp_exec_ref *r = &m->refs.item[i];
		if (r->is_open && r->role == JP_EXEC_CLIENT && key_of(m, &r->open) < to_ns)
			end_open(m, r, JP_NS_UNKNOWN, JP_EXEC_RUNNING, m->horizon_ns);
	}
	return true;
}

static int by_time(const void *a, const void *b)
{
	int64_t x = time_of(a), y = time_of(b);
	return x < y ? -1 : x > y;
}

/* Move what belongs before to_ns out of the list of done ones; what is older than the cycle is no cycle's. */
static void gather(struct jp_exec_merge *m, int64_t from_ns, int64_t to_ns)
{
	size_t kept = 0;
	m->out.n = 0;
	for (size_t i = 0; i < m->done.n; i++) {
		const struct jp_exec *e = &m->done.item[i];
		if (key_of(m, e) >= to_ns)
			m->done.item[kept++] = *e;
		else if (key_of(m, e) >= from_ns && !jp_exec_list_add(&m->out, e))
			m->lost++;
	}
	m->done.n = kept;
	if (m->out.n)
		qsort(m->out.item, m->out.n, sizeof *m->out.item, by_time);
}

/* Where the cycle's executions end. A release after its head had begun is that of a cycle whose head nobody saw. */
static int64_t limit_of(const struct jp_exec_merge *m, const struct wake *this, int64_t next_ns)
{
	int64_t other = jp_exec_history_first(&m->history[JP_EXEC_DRIVER], this->look_ns, next_ns);
	return known(other) ? other : next_ns;
}

bool jp_exec_merge_next(struct jp_exec_merge *m, struct jp_exec_cycle *out)
{
	if (m->n_wakes - m->first_wake < 2)
		return false;
	struct wake this = m->wakes[m->first_wake % JP_EXEC_CYCLES_MAX];
	struct wake next = m->wakes[(m->first_wake + 1) % JP_EXEC_CYCLES_MAX];
	if (m->horizon_ns < next.look_ns || !settled(m, this.wake_ns, next.wake_ns))
		return false;
	m->first_wake++;
	gather(m, this.wake_ns, limit_of(m, &this, next.wake_ns));
	*out = (struct jp_exec_cycle){.wake_ns = this.wake_ns, .execs = m->out.item, .n = m->out.n};
	out->released_ns = jp_exec_history_last(&m->history[JP_EXEC_DRIVER], this.wake_ns, this.look_ns);
	out->last_finish_ns = JP_NS_UNKNOWN;
	for (size_t i = 0; i < out->n; i++) {
		int64_t f = out->execs[i].finished_ns;
		out->unfinished += out->execs[i].state == JP_EXEC_RUNNING;
		if (known(f) && f > out->last_finish_ns)
			out->last_finish_ns = f;
	}
	return true;
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

void jp_exec_merge_break(struct jp_exec_merge *m)
{
	for (size_t i = 0; i < m->refs.n; i++)
		jp_exec_ref_forget(&m->refs.item[i]);
	m->looks.n = m->done.n = m->out.n = 0;
	m->first_wake = m->n_wakes;
	m->release_ns = m->before_release_ns = m->release_seen_ns = JP_NS_UNKNOWN;
	for (size_t i = 0; i < JP_EXEC_ROLES; i++)
		m->history[i].n = 0;
}

uint64_t jp_exec_merge_lost(const struct jp_exec_merge *m)
{
	return m->lost;
}
