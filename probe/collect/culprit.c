/* Figures per client, and who is to blame. */
#include "culprit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CABLES_MAX = 4096, SEEN = 1024, DISPATCHES = 64 };

/* What is remembered of a reference number. */
struct seen {
	int32_t ref;
	int64_t finished_ns; /* of its last execution */
	uint64_t idle;       /* last cycle that it held up without beginning; 0 = none, or it has not run yet */
};

struct jp_culprit {
	struct jp_client_stats *stats;
	struct seen seen[SEEN]; /* by ref modulo SEEN */
	int64_t before_end_ns;  /* end of the cycle before, or an instant before which it did not end */
	int64_t dispatch_ns[DISPATCHES];
	uint64_t n_dispatches;
	uint64_t count[JP_BLAME_KINDS];
	uint64_t cycle; /* counts from 1 */
	struct jp_blame_exec execs[JP_BLAME_EXECS_MAX];
	struct jp_exec raw[JP_BLAME_EXECS_MAX]; /* the same, without what is usual */
	int client[JP_BLAME_EXECS_MAX];         /* whose each is, in stats; -1 = nobody's */
	struct jp_stuck stuck;
	struct {
		uint64_t frame;
		int64_t end_ns; /* cycle end; JP_NS_UNKNOWN = none yet */
		char name[JP_NAME_MAX];
	} worst; /* overrun of the epoch */
	struct jp_blame_cable cables[CABLES_MAX];
};

struct jp_culprit *jp_culprit_new(void)
{
	struct jp_culprit *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	c->stats = jp_client_stats_new();
	if (!c->stats) {
		free(c);
		return NULL;
	}
	jp_culprit_new_epoch(c);
	return c;
}

void jp_culprit_free(struct jp_culprit *c)
{
	if (!c)
		return;
	jp_client_stats_free(c->stats);
	free(c);
}

void jp_culprit_new_epoch(struct jp_culprit *c)
{
	jp_client_stats_new_epoch(c->stats);
	for (size_t i = 0; i < SEEN; i++)
		c->seen[i] = (struct seen){-1, JP_NS_UNKNOWN, 0};
	c->before_end_ns = JP_NS_UNKNOWN;
	c->n_dispatches = 0;
	c->worst.end_ns = JP_NS_UNKNOWN;
}

struct jp_client_stats *jp_culprit_stats(struct jp_culprit *c)
{
	return c->stats;
}

const uint64_t *jp_culprit_counts(const struct jp_culprit *c)
{
	return c->count;
}

static struct seen *seen_of(struct jp_culprit *c, int32_t ref)
{
	struct seen *s = &c->seen[(uint32_t)ref % SEEN];
	if (s->ref != ref)
		*s = (struct seen){ref, JP_NS_UNKNOWN, 0};
	return s;
}

/* Late: it ended after the period of the cycle that it began in, was seen running then, or never ended. */
static bool is_late(const struct jp_exec *e, int64_t deadline_ns)
{
	if (e->finished_ns == JP_NS_UNKNOWN)
		return e->state == JP_EXEC_RUNNING || (e->awake_ns != JP_NS_UNKNOWN && e->seen_ns > deadline_ns);
	return e->finished_ns > deadline_ns;
}

/* Was it late in the cycle before, in which it did not begin? Only now is it known that it was not about to leave. */
static void count_idle(struct jp_culprit *c, struct seen *s, int client)
{
	if (s->idle && s->idle + 1 == c->cycle && client >= 0)
		jp_client_stats_idle(c->stats, client);
	s->idle = 0;
}

/* One execution: what was usual before it, then it is counted. */
static void add_exec(
	struct jp_culprit *c, struct jp_times *timing, const struct jp_exec *e, int64_t deadline_ns, size_t i)
{
	char name[JP_NAME_MAX];
	struct jp_blame_exec *b = &c->execs[i];
	struct seen *s = seen_of(c, e->ref);
	*b = (struct jp_blame_exec){.exec = *e, .before_finished_ns = s->finished_ns};
	b->usual_busy_ns = b->usual_wait_ns = JP_NS_UNKNOWN;
	if (e->finished_ns != JP_NS_UNKNOWN)
		s->finished_ns = e->finished_ns;
	jp_timing_name(timing, e->ref, jp_exec_time_ns(e), name);
	c->client[i] = jp_client_stats_find(c->stats, name);
	count_idle(c, s, c->client[i]);
	if (c->client[i] < 0)
		return;
	jp_client_stats_usual(c->stats, c->client[i], &b->usual_busy_ns, &b->usual_wait_ns);
	jp_client_stats_add(c->stats, c->client[i], e, is_late(e, deadline_ns));
}

/* One that did nothing. */
static void add_idle(struct jp_culprit *c, struct jp_times *timing, const struct jp_exec *e, size_t i)
{
	char name[JP_NAME_MAX];
	struct jp_blame_exec *b = &c->execs[i];
	*b = (struct jp_blame_exec){.exec = *e, .before_finished_ns = JP_NS_UNKNOWN};
	b->exec.signalled_ns = b->exec.awake_ns = b->exec.finished_ns = JP_NS_UNKNOWN;
	b->usual_busy_ns = b->usual_wait_ns = JP_NS_UNKNOWN;
	jp_timing_name(timing, e->ref, e->seen_ns, name);
	c->client[i] = jp_client_stats_find(c->stats, name);
	if (c->client[i] >= 0)
		jp_client_stats_usual(c->stats, c->client[i], &b->usual_busy_ns, &b->usual_wait_ns);
}

static int by_size(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

static int64_t usual_dispatch(const struct jp_culprit *c)
{
	int64_t sorted[DISPATCHES];
	size_t n = c->n_dispatches < DISPATCHES ? (size_t)c->n_dispatches : DISPATCHES;
	if (n < JP_CLIENT_USUAL_MIN)
		return JP_NS_UNKNOWN;
	memcpy(sorted, c->dispatch_ns, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_size);
	return sorted[n / 2];
}

/* All that is known of a cycle whose executions stand in c->execs. */
static struct jp_blame_cycle whole(struct jp_culprit *c, struct jp_times *timing, const struct jp_cycle *cycle,
	const struct jp_exec_cycle *set, size_t n)
{
	struct jp_blame_cycle b = {.wake_ns = cycle->wake_ns, .end_ns = cycle->end_ns, .execs = c->execs, .n_execs = n};
	b.period_ns = jp_cycle_period_ns(cycle);
	b.lateness_ns = jp_ns_between(cycle->nominal_ns, cycle->wake_ns);
	b.released_ns = set->released_ns;
	b.usual_dispatch_ns = usual_dispatch(c);
	b.before_end_ns = c->before_end_ns;
	for (size_t i = 0; i < n; i++)
		c->raw[i] = c->execs[i].exec;
	int64_t cables = jp_timing_cables(timing, c->raw, n, c->cables, CABLES_MAX);
	b.cables = cables >= 0 ? c->cables : NULL;
	b.n_cables = cables >= 0 ? (size_t)cables : 0;
	return b;
}

static void judge(struct jp_culprit *c, struct jp_times *timing, const struct jp_blame_cycle *b, struct jp_verdict *v)
{
	jp_blame_find(b, &v->blame);
	v->client[0] = 0;
	c->count[v->blame.kind]++;
	for (size_t i = 0; v->blame.ref >= 0 && i < b->n_execs; i++) {
		if (c->execs[i].exec.ref != v->blame.ref || c->client[i] < 0)
			continue;
		jp_timing_name(timing, v->blame.ref, jp_exec_time_ns(&c->execs[i].exec), v->client);
		jp_client_stats_blame(c->stats, c->client[i], &v->blame);
		break;
	}
}

static void note_worst(struct jp_culprit *c, const struct jp_cycle *cycle, const struct jp_verdict *v)
{
	if (jp_cycle_end_ns(cycle) <= c->worst.end_ns)
		return;
	c->worst.end_ns = jp_cycle_end_ns(cycle);
	c->worst.frame = cycle->frame;
	bool server = v->blame.kind == JP_BLAME_DRIVER || v->blame.kind == JP_BLAME_RELEASE;
	snprintf(c->worst.name, sizeof c->worst.name, "%s", server ? jp_blame_text(v->blame.kind) : v->client);
}

const char *jp_culprit_of(const struct jp_culprit *c, uint64_t frame)
{
	return c->worst.end_ns != JP_NS_UNKNOWN && c->worst.frame == frame ? c->worst.name : "";
}

/* One that did not begin. A client that has not run yet has only been activated. */
static void note_idle(struct jp_culprit *c, int32_t ref, int client)
{
	struct seen *s = seen_of(c, ref);
	count_idle(c, s, client);
	if (s->finished_ns != JP_NS_UNKNOWN)
		s->idle = c->cycle;
}

/* Who holds the cycle up, to be told when that lasts. @param n_ran executions; those behind did nothing. */
static void note_stuck(struct jp_culprit *c, struct jp_times *timing, const struct jp_blame_cycle *b, size_t n_ran)
{
	char name[JP_NAME_MAX];
	struct jp_stuck_missing missing[JP_STUCK_MISSING];
	size_t place[JP_STUCK_MISSING], n = 0;
	for (size_t i = 0; i < b->n_execs && n < JP_STUCK_MISSING; i++) {
		const struct jp_exec *e = &c->execs[i].exec;
		if (!jp_blame_is_missing(&c->execs[i]))
			continue;
		place[n] = i;
		missing[n++] = (struct jp_stuck_missing){
			.ref = e->ref, .first = jp_blame_holds_up(b, i), .running = e->state == JP_EXEC_RUNNING};
	}
	jp_stuck_sort(&c->stuck, missing, n);
	for (size_t k = 0; k < n; k++) {
		size_t i = place[k];
		if (!missing[k].holds_up)
			continue;
		jp_timing_name(timing, missing[k].ref, jp_exec_time_ns(&c->execs[i].exec), name);
		if (i >= n_ran)
			note_idle(c, missing[k].ref, c->client[i]);
		jp_stuck_held(&c->stuck, &missing[k], name, b->wake_ns, b->wake_ns + b->period_ns);
	}
}

/* When the graph was done with a cycle; where its end is not known, not before the latest that is (unknown is the smallest). */
static int64_t done_with(const struct jp_cycle *cycle, const struct jp_exec_cycle *execs)
{
	if (cycle->end_ns != JP_NS_UNKNOWN)
		return cycle->end_ns;
	return cycle->tail_ns > execs->last_finish_ns ? cycle->tail_ns : execs->last_finish_ns;
}

bool jp_culprit_cycle(struct jp_culprit *c, struct jp_times *timing, const struct jp_cycle *cycle,
	const struct jp_exec_cycle *execs, struct jp_verdict *verdict)
{
	if (cycle->flags & (JP_CYCLE_FREEWHEEL | JP_CYCLE_SUSPEND))
		return false;
	size_t n = execs->n < JP_BLAME_EXECS_MAX ? execs->n : JP_BLAME_EXECS_MAX;
	int64_t deadline = cycle->wake_ns + jp_cycle_period_ns(cycle);
	c->cycle++;
	for (size_t i = 0; i < n; i++)
		add_exec(c, timing, &execs->execs[i], deadline, i);
	size_t n_ran = n;
	for (size_t i = 0; i < execs->n_idle && n < JP_BLAME_EXECS_MAX; i++)
		add_idle(c, timing, &execs->idle[i], n++);
	for (size_t i = 0; i < n_ran && c->stuck.n; i++)
		if (execs->execs[i].finished_ns != JP_NS_UNKNOWN)
			jp_stuck_ran(&c->stuck, execs->execs[i].ref);
	bool overran = jp_cycle_overran(cycle);
	if (overran || execs->n_idle || execs->unfinished) {
		struct jp_blame_cycle b = whole(c, timing, cycle, execs, n);
		if (overran) {
			judge(c, timing, &b, verdict);
			note_worst(c, cycle, verdict);
		}
		note_stuck(c, timing, &b, n_ran);
	} else {
		jp_stuck_sort(&c->stuck, NULL, 0);
	}
	if (execs->released_ns != JP_NS_UNKNOWN)
		c->dispatch_ns[c->n_dispatches++ % DISPATCHES] = execs->released_ns - cycle->wake_ns;
	c->before_end_ns = done_with(cycle, execs);
	return overran;
}

bool jp_culprit_stuck(struct jp_culprit *c, const struct jp_cycle *cycle, struct jp_stuck_news *out)
{
	return jp_stuck_next(&c->stuck, cycle->wake_ns, out);
}

bool jp_culprit_stuck_text(const struct jp_culprit *c, char *out, size_t size)
{
	return jp_stuck_text(&c->stuck, out, size);
}

void jp_culprit_unseen(struct jp_culprit *c, struct jp_verdict *verdict)
{
	*verdict = (struct jp_verdict){.blame = {JP_BLAME_UNKNOWN, -1, JP_NS_UNKNOWN, JP_NS_UNKNOWN, JP_NS_UNKNOWN}};
	c->count[JP_BLAME_UNKNOWN]++;
}

static double ms(int64_t ns)
{
	return (double)ns / 1e6;
}

static const char *what_of(enum jp_blame_kind kind)
{
	if (kind == JP_BLAME_DRIVER)
		return "driver woke late";
	return kind == JP_BLAME_RELEASE ? "driver released late" : jp_blame_text(kind);
}

void jp_verdict_text(const struct jp_verdict *v, int64_t over_ns, char *out, size_t size)
{
	const struct jp_blame *b = &v->blame;
	char usual[48] = "";
	bool merely = b->kind == JP_BLAME_BUSY && (b->excess_ns == JP_NS_UNKNOWN || b->excess_ns < over_ns / 2);
	out[0] = 0;
	if (b->kind == JP_BLAME_UNKNOWN || b->value_ns == JP_NS_UNKNOWN)
		return;
	if (b->usual_ns != JP_NS_UNKNOWN)
		snprintf(usual, sizeof usual, ", usually %.2f ms", ms(b->usual_ns));
	snprintf(out, size, "%s%s %.2f ms%s%s", merely ? "at work when time was up (" : "", what_of(b->kind),
		ms(b->value_ns), usual, merely ? ")" : "");
}
