/* Executions -> cycles. */
#include "collect/exec_state.h"

#include <stdlib.h>

static bool known(int64_t ns)
{
	return ns != JP_NS_UNKNOWN;
}

enum jp_status jp_exec_merge_wake(struct jp_exec_merge *m, int64_t wake_ns, int64_t look_ns)
{
	if (m->n_wakes - m->first_wake == JP_EXEC_CYCLES_MAX) {
		m->first_wake++;
		m->lost++;
	}
	if (m->n_wakes > m->first_wake && m->wakes[(m->n_wakes - 1) % JP_EXEC_CYCLES_MAX].wake_ns >= wake_ns)
		return JP_OK;
	m->wakes[m->n_wakes++ % JP_EXEC_CYCLES_MAX] = (struct jp_exec_wake){wake_ns, look_ns};
	return JP_OK;
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
			jp_exec_end_open(m, r, JP_NS_UNKNOWN, JP_EXEC_RUNNING, m->horizon_ns);
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

static bool has_ref(const struct jp_exec_list *l, int32_t ref)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->item[i].ref == ref)
			return true;
	return false;
}

static const struct jp_exec_wake *wake_at(const struct jp_exec_merge *m, uint64_t i)
{
	return &m->wakes[i % JP_EXEC_CYCLES_MAX];
}

static int64_t release_before(const struct jp_exec_merge *m, uint64_t i, int64_t before_ns)
{
	return jp_exec_history_last(&m->history[JP_EXEC_DRIVER], wake_at(m, i)->wake_ns, before_ns);
}

/* When the driver released the graph in a cycle: the last time before the head looked. PipeWire's head may be called after the next
 * release only: that one is the next cycle's then. */
static int64_t release_of(const struct jp_exec_merge *m, uint64_t i)
{
	int64_t release = release_before(m, i, wake_at(m, i)->look_ns);
	bool next = m->reports && known(release) && i + 1 < m->n_wakes;
	if (next && release_before(m, i + 1, wake_at(m, i + 1)->look_ns) == release)
		release = release_before(m, i, release);
	return release != m->released_ns ? release : JP_NS_UNKNOWN;
}

/* Where a cycle's executions begin: PipeWire's wake-ups are when the timer was due, its release is when it came. */
static int64_t begin_of(const struct jp_exec_merge *m, uint64_t i)
{
	int64_t release = m->reports ? release_of(m, i) : JP_NS_UNKNOWN;
	return known(release) ? release : wake_at(m, i)->wake_ns;
}

/* Is the wake-up behind the next one needed, and not there? */
static bool too_few(const struct jp_exec_merge *m)
{
	uint64_t n = m->n_wakes - m->first_wake;
	if (n < 2)
		return true;
	const struct jp_exec_wake *next = wake_at(m, m->first_wake + 1);
	bool behind = m->reports && m->period_ns > 0 && next->look_ns >= next->wake_ns + m->period_ns;
	return behind && n < 3 && m->horizon_ns - next->look_ns < m->patience_ns;
}

/* The first release in the cycle of a client's second execution, if that was behind the deadline and the next wake-up came much
 * later still: there was a wake-up between that nobody saw, or that ran late clients once more. JP_NS_UNKNOWN = none. */
static int64_t second_round(
	const struct jp_exec_merge *m, const struct jp_exec_wake *this, int64_t from_ns, int64_t to_ns)
{
	int64_t first = JP_NS_UNKNOWN, deadline = this->wake_ns + m->period_ns;
	if (m->reports || m->period_ns <= 0 || 2 * (to_ns - this->wake_ns) < 3 * m->period_ns)
		return first;
	for (size_t i = 0; i < m->done.n; i++) {
		const struct jp_exec *b = &m->done.item[i];
		int64_t began = known(b->signalled_ns) ? b->signalled_ns : time_of(b);
		if (began < deadline || time_of(b) >= to_ns)
			continue;
		for (size_t k = 0; k < m->done.n; k++) {
			const struct jp_exec *a = &m->done.item[k];
			bool earlier = a->ref == b->ref && time_of(a) >= from_ns && time_of(a) < time_of(b);
			if (earlier && (!known(first) || began < first))
				first = began;
		}
	}
	return first;
}

/* Where the cycle's executions end. A release after its head had begun is that of a cycle whose head nobody saw. */
static int64_t limit_of(const struct jp_exec_merge *m, const struct jp_exec_wake *this, int64_t from_ns, int64_t to_ns)
{
	int64_t other = jp_exec_history_first(&m->history[JP_EXEC_DRIVER], this->look_ns, to_ns);
	int64_t second = second_round(m, this, from_ns, to_ns);
	int64_t limit = known(other) ? other : to_ns;
	return known(second) && second < limit ? second : limit;
}

/* Who did nothing in the cycle, though released. A look at jackd2's slots tells it of the cycle that ends with it, a report of the one that
 * the release is in. */
static void gather_idle(struct jp_exec_merge *m, int64_t from_ns, int64_t to_ns, int64_t look_ns)
{
	size_t kept = 0;
	m->idle.n = 0;
	for (size_t i = 0; i < m->still.n; i++) {
		const struct jp_exec *e = &m->still.item[i];
		int64_t key = m->reports ? e->signalled_ns : e->seen_ns;
		bool later = m->reports ? key >= to_ns : key > look_ns,
		     now = m->reports ? key >= from_ns : key == look_ns;
		if (later)
			m->still.item[kept++] = *e;
		else if (now && !has_ref(&m->out, e->ref) && !has_ref(&m->idle, e->ref))
			m->lost += !jp_exec_list_add(&m->idle, e);
	}
	m->still.n = kept;
}

bool jp_exec_merge_next(struct jp_exec_merge *m, struct jp_exec_cycle *out)
{
	if (too_few(m))
		return false;
	uint64_t first = m->first_wake;
	struct jp_exec_wake this = *wake_at(m, first), next = *wake_at(m, first + 1);
	if (m->horizon_ns < next.look_ns)
		return false;
	int64_t released = release_of(m, first);
	int64_t from = m->border_ns >= this.wake_ns ? m->border_ns : begin_of(m, first), to = begin_of(m, first + 1);
	if (!settled(m, from, to))
		return false;
	m->released_ns = released;
	m->first_wake++;
	m->border_ns = to;
	gather(m, from, limit_of(m, &this, from, to));
	gather_idle(m, from, to, next.look_ns);
	*out = (struct jp_exec_cycle){.wake_ns = this.wake_ns, .execs = m->out.item, .n = m->out.n};
	out->idle = m->idle.item;
	out->n_idle = m->idle.n;
	out->released_ns = released;
	out->last_finish_ns = JP_NS_UNKNOWN;
	for (size_t i = 0; i < out->n; i++) {
		int64_t f = out->execs[i].finished_ns;
		out->unfinished += out->execs[i].state == JP_EXEC_RUNNING;
		if (known(f) && f > out->last_finish_ns)
			out->last_finish_ns = f;
	}
	return true;
}
