#include "cycles.h"

#include <stdlib.h>
#include <string.h>

/* A worker that ended a run. */
struct finish {
	int64_t at_ns;
	size_t cycle;
	unsigned worker;
};

static void *array(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);
	if (!p)
		abort();
	return p;
}

int64_t cycles_period_ns(const struct cycles *c)
{
	return ((int64_t)c->nframes * 1000000000 + c->rate_hz / 2) / c->rate_hz;
}

struct cycles *cycles_new(enum jp_pair_mode mode, size_t n)
{
	struct cycles *c = array(1, sizeof *c);
	*c = (struct cycles){
		.mode = mode,
		.n = n,
		.nframes = 128,
		.rate_hz = 48000,
		.frame0 = 1000,
		.start_ns = 5000000000,
		.workers = 1,
	};
	c->wake_jitter_ns = array(n, sizeof(int64_t));
	c->head_delay_ns = array(n, sizeof(int64_t));
	c->wake_ns = array(n + 1, sizeof(int64_t));
	c->end_ns = array(n, sizeof(int64_t));
	for (size_t w = 0; w < CYCLES_WORKERS_MAX; w++) {
		c->work_ns[w] = array(n, sizeof(int64_t));
		for (size_t k = 0; k < n; k++)
			c->work_ns[w][k] = cycles_period_ns(c) * 3 / 10;
	}
	c->head = array(n, sizeof *c->head);
	c->tail = array(n * CYCLES_WORKERS_MAX, sizeof *c->tail);
	return c;
}

void cycles_free(struct cycles *c)
{
	free(c->wake_jitter_ns);
	free(c->head_delay_ns);
	free(c->wake_ns);
	free(c->end_ns);
	for (size_t w = 0; w < CYCLES_WORKERS_MAX; w++)
		free(c->work_ns[w]);
	free(c->head);
	free(c->tail);
	free(c);
}

uint32_t cycles_random(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*state * below) >> 32);
}

static void run_wakes(struct cycles *c)
{
	for (size_t k = 0; k <= c->n; k++) {
		int64_t at = c->start_ns + (int64_t)k * cycles_period_ns(c) + (k < c->n ? c->wake_jitter_ns[k] : 0);
		c->wake_ns[k] = at / 1000 * 1000;
	}
}

/* The cycle that is going on at a time, from the one before on. */
static size_t cycle_at(const struct cycles *c, int64_t at_ns, size_t from)
{
	while (from + 1 < c->n && c->wake_ns[from + 1] <= at_ns)
		from++;
	return from;
}

static void run_head(struct cycles *c)
{
	int64_t free_ns = 0;
	size_t now = 0;
	for (size_t k = 0; k < c->n; k++) {
		int64_t at = c->wake_ns[k] + CYCLES_DISPATCH_NS + c->head_delay_ns[k];
		at = at > free_ns ? at : free_ns;
		free_ns = at + 2000;
		now = cycle_at(c, at, now);
		int64_t nominal = c->start_ns + (int64_t)now * cycles_period_ns(c);
		c->head[c->n_head++] = (struct jp_record){
			.entry_ns = (uint64_t)at,
			.wake_us = (uint64_t)c->wake_ns[now] / 1000,
			.nominal_us = (uint64_t)nominal / 1000,
			.period_us = (uint32_t)((cycles_period_ns(c) + 500) / 1000),
			.frame = c->frame0 + (uint32_t)now * c->nframes,
			.nframes = c->nframes,
			.rate_hz = c->rate_hz,
			.cpu = 0,
			.role = JP_HEAD,
		};
	}
}

struct tail_state {
	int64_t last_ns; /* entry of the last call */
	size_t now;      /* its cycle */
	unsigned waits;  /* runs that must end before the next call */
	size_t wakes;    /* that have been seen */
};

/* A call that is still to come serves for this one, too. */
static int64_t call_tail(struct cycles *c, struct tail_state *t, int64_t caused_ns)
{
	if (t->last_ns >= caused_ns)
		return t->last_ns;
	int64_t at = t->last_ns = caused_ns + CYCLES_HOP_NS;
	t->now = cycle_at(c, at, t->now);
	c->tail[c->n_tail++] = (struct jp_record){
		.entry_ns = (uint64_t)at,
		.frame = c->frame0 + (uint32_t)t->now * c->nframes,
		.nframes = c->nframes,
		.cpu = 1,
		.role = JP_TAIL,
	};
	return at;
}

static int by_time(const void *a, const void *b)
{
	const struct finish *x = a, *y = b;
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return x->worker < y->worker ? -1 : x->worker > y->worker;
}

static size_t run_worker(const struct cycles *c, unsigned w, struct finish *out)
{
	size_t n = 0, k = 0;
	while (k < c->n) {
		bool waited = n && out[n - 1].at_ns + CYCLES_HOP_NS >= c->wake_ns[k];
		int64_t begin = waited ? out[n - 1].at_ns + CYCLES_HOP_NS : c->wake_ns[k] + CYCLES_DISPATCH_NS;
		k = cycle_at(c, begin, k);
		out[n++] = (struct finish){begin + c->work_ns[w][k], k, w};
		k++;
	}
	return n;
}

/* At each wake-up the tail begins to wait for one run of every worker. After that jackd2 calls it for each further run that
 * ends, PipeWire does not. */
static int64_t end_run(struct cycles *c, struct tail_state *t, int64_t at_ns)
{
	for (; t->wakes < c->n && c->wake_ns[t->wakes] <= at_ns; t->wakes++)
		t->waits = c->workers;
	bool more = t->waits == 0 && c->mode == JP_PAIR_QUEUED;
	bool calls = t->waits == 1 || more;
	t->waits -= t->waits > 0;
	if (calls)
		return call_tail(c, t, at_ns);
	return t->waits || t->last_ns >= at_ns ? at_ns + CYCLES_HOP_NS : JP_NS_UNKNOWN;
}

static void run_graph(struct cycles *c)
{
	struct finish *f = array(c->n * c->workers, sizeof *f);
	size_t n = 0, *done = array(c->n, sizeof *done);
	for (unsigned w = 0; w < c->workers; w++)
		n += run_worker(c, w, f + n);
	qsort(f, n, sizeof *f, by_time);
	struct tail_state t = {0};
	for (size_t k = 0; k < c->n; k++)
		c->end_ns[k] = JP_NS_UNKNOWN;
	for (size_t i = 0; i < n; i++) {
		int64_t at = end_run(c, &t, f[i].at_ns);
		if (++done[f[i].cycle] == c->workers)
			c->end_ns[f[i].cycle] = at;
	}
	free(done);
	free(f);
}

void cycles_run(struct cycles *c)
{
	c->n_head = c->n_tail = 0;
	run_wakes(c);
	run_head(c);
	run_graph(c);
}

static bool overran(const struct cycles *c, size_t k)
{
	return c->end_ns[k] != JP_NS_UNKNOWN && c->end_ns[k] - c->wake_ns[k] > cycles_period_ns(c);
}

size_t cycles_true_ends(const struct cycles *c)
{
	size_t n = 0;
	for (size_t k = 0; k < c->n; k++)
		n += c->end_ns[k] != JP_NS_UNKNOWN;
	return n;
}

size_t cycles_true_overruns(const struct cycles *c)
{
	size_t n = 0;
	for (size_t k = 0; k < c->n; k++)
		n += overran(c, k);
	return n;
}

void cycles_lose(struct jp_record *records, size_t *n, size_t at)
{
	memmove(records + at, records + at + 1, (*n - at - 1) * sizeof *records);
	--*n;
}

void paired_take(struct paired *out, struct jp_pair *pair, bool flush)
{
	struct jp_cycle c;
	while (jp_pair_next(pair, &c, flush)) {
		if (out->n == out->capacity) {
			out->capacity = out->capacity ? 2 * out->capacity : 256;
			out->cycle = realloc(out->cycle, out->capacity * sizeof c);
			if (!out->cycle)
				abort();
		}
		out->cycle[out->n++] = c;
	}
}

void paired_free(struct paired *p)
{
	free(p->cycle);
}

static size_t put_until(struct jp_pair *pair, const struct jp_record *r, size_t from, size_t n, int64_t until_ns)
{
	size_t to = from;
	while (to < n && (int64_t)r[to].entry_ns < until_ns)
		to++;
	jp_pair_put(pair, r + from, to - from);
	return to;
}

struct paired cycles_pair(struct jp_pair *pair, const struct cycles *c, int64_t poll_ns)
{
	struct paired out = {0};
	size_t head = 0, tail = 0;
	for (int64_t now = c->start_ns; head < c->n_head || tail < c->n_tail; now += poll_ns) {
		tail = put_until(pair, c->tail, tail, c->n_tail, now);
		head = put_until(pair, c->head, head, c->n_head, now + 1500); /* taken a little later */
		paired_take(&out, pair, false);
	}
	paired_take(&out, pair, true);
	return out;
}

size_t paired_flagged(const struct paired *p, unsigned flags)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		n += (p->cycle[i].flags & flags) != 0;
	return n;
}

size_t paired_overruns(const struct paired *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		n += jp_cycle_overran(&p->cycle[i]);
	return n;
}

uint64_t paired_lost(const struct paired *p)
{
	uint64_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		n += p->cycle[i].lost;
	return n;
}
