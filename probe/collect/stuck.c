/* Who holds the graph up, and for how long. */
#include "stuck.h"

#include "sink/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_held(const struct jp_stuck *s, int32_t ref)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->client[i].ref == ref)
			return true;
	return false;
}

static bool was_missing(const struct jp_stuck *s, int32_t ref)
{
	for (size_t i = 0; i < s->n_before; i++)
		if (s->before[i] == ref)
			return true;
	return false;
}

void jp_stuck_sort(struct jp_stuck *s, struct jp_stuck_missing *missing, size_t n)
{
	bool lasts = false;
	for (size_t i = 0; i < n; i++)
		lasts |= is_held(s, missing[i].ref);
	for (size_t i = 0; i < n; i++) {
		bool waits = lasts && was_missing(s, missing[i].ref);
		missing[i].holds_up = is_held(s, missing[i].ref) || (missing[i].first && !waits);
	}
	s->n_before = n < JP_STUCK_MISSING ? n : JP_STUCK_MISSING;
	for (size_t i = 0; i < s->n_before; i++)
		s->before[i] = missing[i].ref;
}

static struct jp_stuck_client *find(struct jp_stuck *s, int32_t ref, int64_t wake_ns)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->client[i].ref == ref)
			return &s->client[i];
	if (s->n == JP_STUCK_MAX)
		return NULL;
	s->client[s->n] = (struct jp_stuck_client){.ref = ref, .wake_ns = wake_ns};
	return &s->client[s->n++];
}

void jp_stuck_held(
	struct jp_stuck *s, const struct jp_stuck_missing *m, const char *name, int64_t wake_ns, int64_t until_ns)
{
	struct jp_stuck_client *c = find(s, m->ref, wake_ns);
	if (!c)
		return;
	snprintf(c->name, sizeof c->name, "%s", name);
	c->seen = true;
	c->absent = 0;
	c->running = m->running;
	c->until_ns = until_ns;
	c->cycles++;
}

void jp_stuck_ran(struct jp_stuck *s, int32_t ref)
{
	for (size_t i = 0; i < s->n; i++)
		s->client[i].ran |= s->client[i].ref == ref;
}

static struct jp_stuck_sum *sum_of(struct jp_stuck *s, const char name[static JP_NAME_MAX])
{
	for (size_t i = 0; i < s->n_sums; i++)
		if (!strcmp(s->sum[i].name, name))
			return &s->sum[i];
	if (s->n_sums == JP_STUCK_NAMES)
		return NULL;
	struct jp_stuck_sum *sum = &s->sum[s->n_sums++];
	*sum = (struct jp_stuck_sum){.times = 0};
	memcpy(sum->name, name, JP_NAME_MAX);
	return sum;
}

static void tell(struct jp_stuck_client *c, bool over, int64_t until_ns, struct jp_stuck_news *out)
{
	*out = (struct jp_stuck_news){.over = over, .running = c->running, .wake_ns = c->wake_ns, .cycles = c->cycles};
	out->for_ns = until_ns - c->wake_ns;
	memcpy(out->client, c->name, sizeof c->name);
}

/* It was not told to be held up by this one in this cycle. @return true when there is something to tell of it. */
static bool end(struct jp_stuck *s, size_t i, int64_t wake_ns, struct jp_stuck_news *out)
{
	struct jp_stuck_client *c = &s->client[i];
	bool told = c->told;
	struct jp_stuck_sum *sum = told ? sum_of(s, c->name) : NULL;
	int64_t until_ns = c->ran ? wake_ns : c->until_ns;
	if (told)
		tell(c, true, until_ns, out);
	if (sum) {
		sum->times++;
		sum->cycles += c->cycles;
		sum->for_ns += until_ns - c->wake_ns;
	}
	*c = s->client[--s->n];
	return told;
}

bool jp_stuck_next(struct jp_stuck *s, int64_t wake_ns, struct jp_stuck_news *out)
{
	for (size_t i = 0; i < s->n;) {
		struct jp_stuck_client *c = &s->client[i];
		bool over = c->ran || (!c->seen && c->absent >= JP_STUCK_ABSENT);
		if (over) {
			if (end(s, i, wake_ns, out))
				return true;
			continue;
		}
		if (!c->told && c->until_ns - c->wake_ns >= JP_STUCK_NS) {
			c->told = true;
			tell(c, false, c->until_ns, out);
			return true;
		}
		i++;
	}
	for (size_t i = 0; i < s->n; i++) {
		s->client[i].absent += !s->client[i].seen;
		s->client[i].seen = false;
	}
	return false;
}

/* @param sum what is over; may be NULL. @param c what still lasts; may be NULL. */
static void add(struct jp_print *p, const char *name, const struct jp_stuck_sum *sum, const struct jp_stuck_client *c)
{
	uint64_t times = (sum ? sum->times : 0) + (c ? 1 : 0), cycles = (sum ? sum->cycles : 0) + (c ? c->cycles : 0);
	int64_t for_ns = (sum ? sum->for_ns : 0) + (c ? c->until_ns - c->wake_ns : 0);
	jp_print(p, JP_PLAIN, "%s%s", p->len ? ", " : "", name);
	if (times > 1)
		jp_print(p, JP_PLAIN, " %" PRIu64 " times", times);
	jp_print(p, JP_PLAIN, " for %s s (%" PRIu64 " cycle%s)", jp_num((double)for_ns / 1e9, 2).text, cycles,
		cycles == 1 ? "" : "s");
}

static const struct jp_stuck_client *lasting(const struct jp_stuck *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->client[i].told && (!name || !strcmp(s->client[i].name, name)))
			return &s->client[i];
	return NULL;
}

bool jp_stuck_text(const struct jp_stuck *s, char *out, size_t size)
{
	struct jp_print p = {.buf = out, .size = size, .utf8 = true};
	out[0] = 0;
	for (size_t i = 0; i < s->n_sums; i++)
		add(&p, s->sum[i].name, &s->sum[i], lasting(s, s->sum[i].name));
	for (size_t i = 0; i < s->n; i++) {
		bool summed = false;
		for (size_t k = 0; k < s->n_sums; k++)
			summed |= !strcmp(s->sum[k].name, s->client[i].name);
		if (s->client[i].told && !summed)
			add(&p, s->client[i].name, NULL, &s->client[i]);
	}
	return out[0];
}
