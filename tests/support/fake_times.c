#include "support/fake_times.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct jp_times *fake_times_new(bool tells_wake)
{
	struct jp_times *t = calloc(1, sizeof *t);
	cr_assert(t);
	t->refs = (struct jp_timing_refs){.head = 90, .tail = 91, .driver = 0, .hardware = -1};
	t->tells_wake = tells_wake;
	t->horizon_ns = JP_NS_UNKNOWN;
	return t;
}

void fake_times_look(struct jp_times *t, const struct jp_exec *look)
{
	cr_assert_lt(t->n, FAKE_TIMES_LOOKS);
	t->looks[t->n++] = *look;
}

void fake_times_cable(struct jp_times *t, int32_t from, int32_t to)
{
	cr_assert_lt(t->n_cables, FAKE_TIMES_CABLES);
	t->cables[t->n_cables++] = (struct jp_blame_cable){from, to};
}

struct jp_timing_refs jp_timing_refs(const struct jp_times *t)
{
	return t->refs;
}

size_t jp_timing_take(struct jp_times *t, struct jp_exec *out, size_t max)
{
	size_t n = t->n - t->first < max ? t->n - t->first : max;
	memcpy(out, &t->looks[t->first], n * sizeof *out);
	t->first += n;
	return n;
}

uint64_t jp_timing_dropped(const struct jp_times *t)
{
	return t->dropped;
}

bool jp_timing_name(struct jp_times *t, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX])
{
	return jp_names_get(&t->names, ref, at_ns, out);
}

int64_t jp_timing_cables(
	struct jp_times *t, const struct jp_exec *execs, size_t n, struct jp_blame_cable *out, size_t max)
{
	(void)execs;
	(void)n;
	size_t have = t->n_cables < 0 ? 0 : (size_t)t->n_cables;
	memcpy(out, t->cables, (have < max ? have : max) * sizeof *out);
	return t->n_cables;
}

int64_t jp_timing_horizon(struct jp_times *t, int64_t now_ns)
{
	return t->horizon_ns < now_ns ? t->horizon_ns : now_ns;
}

bool jp_timing_tells_wake(const struct jp_times *t)
{
	return t->tells_wake;
}

void jp_timing_look_twice(struct jp_times *t, int64_t period_ns, int64_t dispatch_ns)
{
	t->twice_period_ns = period_ns;
	t->twice_dispatch_ns = dispatch_ns;
}

void jp_timing_stop(struct jp_times *t)
{
	t->stopped = true;
}

/* --- the session's side: linked, and never called here ----------------------------------------------------------------- */

enum jp_status jp_timing_open_jack2(jack_client_t *head, jack_client_t *tail, struct jp_slots *slots, clockid_t clock,
	struct jp_times **out, struct jp_why *why)
{
	(void)head;
	(void)tail;
	(void)slots;
	(void)clock;
	(void)out;
	return jp_why_set(why, JP_UNSUPPORTED, "a test's record cannot be opened");
}

enum jp_status jp_timing_open_pipewire(const char *head, const char *tail, struct jp_times **out, struct jp_why *why)
{
	(void)head;
	(void)tail;
	(void)out;
	return jp_why_set(why, JP_UNSUPPORTED, "a test's record cannot be opened");
}

void jp_timing_close(struct jp_times *t)
{
	free(t);
}

void jp_timing_refresh(struct jp_times *t, int64_t since_ns)
{
	(void)t;
	(void)since_ns;
}

bool jp_timing_wants_cables(const struct jp_times *t)
{
	return t->tells_wake;
}

void jp_timing_cabled(struct jp_times *t, const char *const *names, size_t n_names, const struct jp_blame_cable *cables,
	size_t n_cables)
{
	(void)t;
	(void)names;
	(void)n_names;
	(void)cables;
	(void)n_cables;
}

void jp_timing_text(const struct jp_times *t, char *out, size_t size)
{
	snprintf(out, size, "a test's record, %zu looks", t->n);
}
