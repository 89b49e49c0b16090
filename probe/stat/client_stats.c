/* Figures per client. Each client has four small log-linear histograms: busy and wait, of the window and since start. */
#include <jackprobe/client_stats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 16 ns steps, 128 of them, then 128 to each doubling, up to 64 s. */
enum {
	UNIT_BITS = 4,
	HALF_BITS = 7,
	HALF = 1 << HALF_BITS,
	BOTH = 2 * HALF,
	TOP_BITS = 36,
	COUNTS = (TOP_BITS - UNIT_BITS - HALF_BITS + 1) * HALF,
};

struct small {
	uint32_t count[COUNTS];
	uint64_t n;
	int64_t max;
};

struct span {
	struct small busy, wait;
	int64_t cycles, late, blamed;
	struct jp_blame worst;
};

struct client {
	char name[JP_NAME_MAX];
	uint64_t ran; /* clock of executions at its last one: who has not run for longest */
	int64_t usual_busy, usual_wait;
	struct span window, total;
};

struct jp_client_stats {
	struct client *client[JP_CLIENTS_MAX];
	size_t n;
	uint64_t ran;
};

_Static_assert(sizeof(struct client) <= 65536, "a client takes at most 64 KiB");

static size_t index_of(int64_t ns)
{
	uint64_t v = ns > 0 ? (uint64_t)ns >> UNIT_BITS : 0;
	if (v < BOTH)
		return (size_t)v;
	int shift = 63 - __builtin_clzll(v) - HALF_BITS;
	size_t i = (size_t)shift * HALF + (size_t)(v >> shift);
	return i < COUNTS ? i : COUNTS - 1;
}

/* Middle of the range of an index. */
static int64_t value_of(size_t i)
{
	size_t shift = i < BOTH ? 0 : i / HALF - 1;
	uint64_t low = (i - shift * HALF) << shift, width = (uint64_t)1 << shift;
	return (int64_t)((low << UNIT_BITS) + (width << UNIT_BITS) / 2);
}

static void small_add(struct small *s, int64_t ns)
{
	uint32_t *count = &s->count[index_of(ns)];
	if (*count == UINT32_MAX)
		return;
	++*count;
	s->n++;
	if (s->n == 1 || ns > s->max)
		s->max = ns;
}

/* Nearest rank. */
static int64_t small_percentile(const struct small *s, double p)
{
	uint64_t rank = (uint64_t)ceil(p / 100 * (double)s->n), seen = 0;
	for (size_t i = 0; i < COUNTS; i++) {
		seen += s->count[i];
		if (seen >= rank && seen)
			return value_of(i) < s->max ? value_of(i) : s->max;
	}
	return JP_NS_UNKNOWN;
}

static double small_us(const struct small *s, double p)
{
	return s->n ? (double)small_percentile(s, p) / 1000 : NAN;
}

struct jp_client_stats *jp_client_stats_new(void)
{
	return calloc(1, sizeof(struct jp_client_stats));
}

void jp_client_stats_free(struct jp_client_stats *cs)
{
	for (size_t i = 0; cs && i < cs->n; i++)
		free(cs->client[i]);
	free(cs);
}

static int place_for_new(struct jp_client_stats *cs)
{
	if (cs->n < JP_CLIENTS_MAX) {
		cs->client[cs->n] = malloc(sizeof(struct client));
		return cs->client[cs->n] ? (int)cs->n++ : -1;
	}
	int oldest = 0;
	for (int i = 1; i < JP_CLIENTS_MAX; i++)
		if (cs->client[i]->ran < cs->client[oldest]->ran)
			oldest = i;
	return oldest;
}

int jp_client_stats_find(struct jp_client_stats *cs, const char *name)
{
	for (size_t i = 0; i < cs->n; i++)
		if (!strncmp(cs->client[i]->name, name, JP_NAME_MAX - 1))
			return (int)i;
	int place = place_for_new(cs);
	if (place < 0)
		return -1;
	struct client *c = cs->client[place];
	memset(c, 0, sizeof *c);
	snprintf(c->name, sizeof c->name, "%s", name);
	c->usual_busy = c->usual_wait = JP_NS_UNKNOWN;
	c->ran = ++cs->ran;
	return place;
}

static void span_add(struct span *s, int64_t busy_ns, int64_t wait_ns, bool late)
{
	s->cycles++;
	s->late += late;
	if (busy_ns != JP_NS_UNKNOWN)
		small_add(&s->busy, busy_ns);
	if (wait_ns != JP_NS_UNKNOWN)
		small_add(&s->wait, wait_ns);
}

void jp_client_stats_add(struct jp_client_stats *cs, int client, const struct jp_exec *exec, bool late)
{
	struct client *c = cs->client[client];
	c->ran = ++cs->ran;
	span_add(&c->window, jp_exec_busy_ns(exec), jp_exec_wait_ns(exec), late);
	span_add(&c->total, jp_exec_busy_ns(exec), jp_exec_wait_ns(exec), late);
}

void jp_client_stats_idle(struct jp_client_stats *cs, int client)
{
	cs->client[client]->window.late++;
	cs->client[client]->total.late++;
}

/* Without what is usual an excess is the whole time: that counts less. */
static bool is_worse(const struct jp_blame *a, const struct jp_blame *b)
{
	bool a_usual = a->usual_ns != JP_NS_UNKNOWN, b_usual = b->usual_ns != JP_NS_UNKNOWN;
	return a_usual != b_usual ? a_usual : a->excess_ns > b->excess_ns;
}

static void span_blame(struct span *s, const struct jp_blame *blame)
{
	if (!s->blamed++ || is_worse(blame, &s->worst))
		s->worst = *blame;
}

void jp_client_stats_blame(struct jp_client_stats *cs, int client, const struct jp_blame *blame)
{
	span_blame(&cs->client[client]->window, blame);
	span_blame(&cs->client[client]->total, blame);
}

static int64_t usual_of(const struct small *s, int64_t otherwise)
{
	return s->n >= JP_CLIENT_USUAL_MIN ? small_percentile(s, 50) : otherwise;
}

void jp_client_stats_usual(const struct jp_client_stats *cs, int client, int64_t *busy_ns, int64_t *wait_ns)
{
	const struct client *c = cs->client[client];
	*busy_ns = c->usual_busy != JP_NS_UNKNOWN ? c->usual_busy : usual_of(&c->window.busy, JP_NS_UNKNOWN);
	*wait_ns = c->usual_wait != JP_NS_UNKNOWN ? c->usual_wait : usual_of(&c->window.wait, JP_NS_UNKNOWN);
}

static void figures_of(const char *name, const struct span *s, struct jp_client_figures *out)
{
	memcpy(out->name, name, JP_NAME_MAX);
	out->cycles = s->cycles;
	out->late = s->late;
	out->blamed = s->blamed;
	out->worst = s->worst;
	out->wait_p50_us = small_us(&s->wait, 50);
	out->wait_p99_us = small_us(&s->wait, 99);
	out->busy_p50_us = small_us(&s->busy, 50);
	out->busy_p99_us = small_us(&s->busy, 99);
	out->busy_max_us = s->busy.n ? (double)s->busy.max / 1000 : NAN;
}

static int by_harm(const void *a, const void *b)
{
	const struct jp_client_figures *x = a, *y = b;
	if (x->blamed != y->blamed)
		return x->blamed < y->blamed ? 1 : -1;
	if (x->late != y->late)
		return x->late < y->late ? 1 : -1;
	double p = isnan(x->busy_p99_us) ? -1 : x->busy_p99_us, q = isnan(y->busy_p99_us) ? -1 : y->busy_p99_us;
	return p != q ? (p < q ? 1 : -1) : strcmp(x->name, y->name);
}

static size_t all_figures(const struct jp_client_stats *cs, size_t offset, struct jp_client_figures *out, size_t max)
{
	struct jp_client_figures *all = malloc(sizeof *all * (cs->n ? cs->n : 1));
	size_t n = 0;
	for (size_t i = 0; all && i < cs->n; i++) {
		const struct span *s = (const struct span *)(const void *)((const char *)cs->client[i] + offset);
		if (s->cycles || s->late || s->blamed)
			figures_of(cs->client[i]->name, s, &all[n++]);
	}
	if (n) {
		qsort(all, n, sizeof *all, by_harm);
		n = n < max ? n : max;
		memcpy(out, all, n * sizeof *all);
	}
	free(all);
	return n;
}

size_t jp_client_stats_window(struct jp_client_stats *cs, struct jp_client_figures *out, size_t max)
{
	size_t n = all_figures(cs, offsetof(struct client, window), out, max);
	for (size_t i = 0; i < cs->n; i++) {
		struct client *c = cs->client[i];
		c->usual_busy = usual_of(&c->window.busy, c->usual_busy);
		c->usual_wait = usual_of(&c->window.wait, c->usual_wait);
		if (c->window.cycles || c->window.late || c->window.blamed)
			memset(&c->window, 0, sizeof c->window);
	}
	return n;
}

size_t jp_client_stats_total(const struct jp_client_stats *cs, struct jp_client_figures *out, size_t max)
{
	return all_figures(cs, offsetof(struct client, total), out, max);
}

void jp_client_stats_new_epoch(struct jp_client_stats *cs)
{
	for (size_t i = 0; i < cs->n; i++) {
		struct client *c = cs->client[i];
		memset(&c->total.busy, 0, sizeof c->total.busy);
		memset(&c->total.wait, 0, sizeof c->total.wait);
		memset(&c->window.busy, 0, sizeof c->window.busy);
		memset(&c->window.wait, 0, sizeof c->window.wait);
		c->usual_busy = c->usual_wait = JP_NS_UNKNOWN;
	}
}
