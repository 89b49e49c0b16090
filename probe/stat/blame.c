/* Who made a cycle late: critical path first, then the step that took more than usual. */
#include <jackprobe/blame.h>

#include <string.h>

/* A finish and the release it causes are one clock reading on jackd2; PipeWire reads twice. */
enum { SAME_NS = 1500 };

struct path {
	const struct jp_blame_cycle *cycle;
	uint8_t on[JP_BLAME_EXECS_MAX]; /* visited: a feedback loop ends the walk */
	size_t n;
	int64_t overrun_ns;
	int64_t gap_ns; /* the longest between an end and the release that waited for it */
	struct jp_blame best;
	const struct jp_blame_exec *straddler; /* at work when the deadline passed */
};

const char *jp_blame_text(enum jp_blame_kind kind)
{
	switch (kind) {
	case JP_BLAME_UNKNOWN:
		return "unknown";
	case JP_BLAME_BUSY:
		return "busy";
	case JP_BLAME_WOKE_LATE:
		return "woke late";
	case JP_BLAME_DRIVER:
	case JP_BLAME_RELEASE:
		return "driver";
	}
	return "unknown";
}

static bool known(int64_t ns)
{
	return ns != JP_NS_UNKNOWN;
}

static int64_t or_zero(int64_t ns)
{
	return known(ns) ? ns : 0;
}

/* Began, and when it ended is known or it did not. */
static bool usable(const struct jp_blame_exec *e)
{
	return known(e->exec.awake_ns) && (known(e->exec.finished_ns) || e->exec.state != JP_EXEC_FINISHED);
}

/* Began and ended, and nobody saw when it ended: not before it was seen running last. */
static bool is_veiled(const struct jp_blame_exec *e)
{
	return known(e->exec.awake_ns) && !known(e->exec.finished_ns) && e->exec.state == JP_EXEC_FINISHED;
}

static int64_t ran_until(const struct jp_blame_exec *e)
{
	return e->exec.seen_ns > e->exec.awake_ns ? e->exec.seen_ns : e->exec.awake_ns;
}

static bool unfinished(const struct jp_blame_exec *e)
{
	return !known(e->exec.finished_ns) || e->exec.finished_ns < e->exec.awake_ns;
}

static int64_t finish_of(const struct jp_blame_exec *e)
{
	return unfinished(e) ? INT64_MAX : e->exec.finished_ns;
}

static bool cabled(const struct jp_blame_cycle *c, int32_t from, int32_t to)
{
	for (size_t i = 0; i < c->n_cables; i++)
		if (c->cables[i].from == from && c->cables[i].to == to)
			return true;
	return false;
}

/* Did not begin or not end in this cycle. */
bool jp_blame_is_missing(const struct jp_blame_exec *e)
{
	return !e->ours && !known(e->exec.finished_ns) && e->exec.state != JP_EXEC_FINISHED;
}

/* Is it known of another one that it had not ended by the end of the period? */
static bool was_open(const struct jp_blame_cycle *c, const struct jp_blame_exec *e)
{
	int64_t until = is_veiled(e) ? ran_until(e) : e->exec.finished_ns;
	return jp_blame_is_missing(e) || (!e->ours && until > c->wake_ns + c->period_ns);
}

bool jp_blame_holds_up(const struct jp_blame_cycle *c, size_t i)
{
	const struct jp_blame_exec *it = &c->execs[i];
	if (!jp_blame_is_missing(it))
		return false;
	for (size_t k = 0; k < c->n_execs; k++) {
		bool other = c->execs[k].exec.ref != it->exec.ref && was_open(c, &c->execs[k]);
		if (other && (!c->cables || cabled(c, c->execs[k].exec.ref, it->exec.ref)))
			return false;
	}
	return true;
}

/* Released, and did not begin. */
static bool is_idle(const struct jp_blame_exec *e)
{
	return !known(e->exec.awake_ns) && !known(e->exec.finished_ns) && e->exec.state == JP_EXEC_TRIGGERED;
}

/* The last to finish. One that never finished is last unless everything went on without it: then somebody downstream is the
 * end of the path and leads back to it. So is one that was still running when the others had finished. */
static const struct jp_blame_exec *last_of(const struct jp_blame_cycle *c, size_t n)
{
	const struct jp_blame_exec *last = NULL, *open = NULL, *idle = NULL, *veiled = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct jp_blame_exec *e = &c->execs[i];
		if (is_idle(e) && jp_blame_holds_up(c, i))
			idle = e;
		if (!e->ours && is_veiled(e) && (!veiled || ran_until(e) > ran_until(veiled)))
			veiled = e;
		if (e->ours || !usable(e))
			continue;
		if (unfinished(e)) {
			if (!open || e->exec.awake_ns < open->exec.awake_ns)
				open = e;
		} else if (!last || e->exec.finished_ns > last->exec.finished_ns) {
			last = e;
		}
	}
	bool went_on = last && last->exec.finished_ns >= c->end_ns - SAME_NS;
	open = open ? open : idle;
	if (open && !went_on)
		return open;
	return veiled && (!last || ran_until(veiled) > last->exec.finished_ns) ? veiled : last;
}

enum fit {
	FIT_NONE,
	FIT_OPEN,   /* never finished, and upstream (or cables not known) */
	FIT_CHANCE, /* finish and release are one, but no cable is known between the two */
	FIT_TIMES,  /* a cable and no contradiction, or finish and release are one */
	FIT_BOTH,   /* a cable, and finish and release are one */
	FIT_LATER, /* a cable, and it ended after that release: the one that stands there was not the last of several */
};

static int64_t apart_of(const struct jp_blame_exec *from, const struct jp_blame_exec *to)
{
	int64_t apart = jp_ns_between(from->exec.finished_ns, to->exec.signalled_ns);
	return !known(apart) || apart >= 0 ? apart : -apart;
}

/* How well the end of `from` explains the release of `to`. */
static enum fit explains(
	const struct jp_blame_cycle *c, const struct jp_blame_exec *from, const struct jp_blame_exec *to)
{
	bool cable = cabled(c, from->exec.ref, to->exec.ref);
	bool chance = c->cables && !cable;
	if (is_idle(to))
		return cable && usable(from) && !from->ours && !unfinished(from) ? FIT_TIMES : FIT_NONE;
	if (is_veiled(from) && cable && !from->ours) {
		int64_t until = ran_until(from); /* an unknown release is the smallest */
		return until > to->exec.signalled_ns && until <= to->exec.awake_ns ? FIT_LATER : FIT_NONE;
	}
	if (!usable(from) || from->ours)
		return FIT_NONE;
	if (unfinished(from))
		return !chance && from->exec.awake_ns < to->exec.awake_ns ? FIT_OPEN : FIT_NONE;
	int64_t apart = apart_of(from, to);
	if (known(apart) && apart <= SAME_NS)
		return cable ? FIT_BOTH : (chance ? FIT_CHANCE : FIT_TIMES);
	if (!cable || from->exec.finished_ns > to->exec.awake_ns)
		return FIT_NONE;
	return known(to->exec.signalled_ns) && from->exec.finished_ns > to->exec.signalled_ns ? FIT_LATER : FIT_TIMES;
}

static bool closer(
	const struct jp_blame_exec *a, const struct jp_blame_exec *b, const struct jp_blame_exec *to, enum fit fit)
{
	int64_t x = apart_of(a, to), y = apart_of(b, to);
	if (fit != FIT_LATER && known(x) && known(y))
		return x < y;
	return finish_of(a) > finish_of(b);
}

static const struct jp_blame_exec *before(struct path *p, const struct jp_blame_exec *to)
{
	const struct jp_blame_exec *found = NULL;
	enum fit best = FIT_NONE;
	for (size_t i = 0; i < p->n; i++) {
		const struct jp_blame_exec *from = &p->cycle->execs[i];
		enum fit fit = from == to || p->on[i] ? FIT_NONE : explains(p->cycle, from, to);
		if (fit > best || (fit && fit == best && closer(from, found, to, fit))) {
			found = from;
			best = fit;
		}
	}
	return found;
}

static void offer(struct path *p, enum jp_blame_kind kind, const struct jp_blame_exec *e, int64_t value, int64_t usual)
{
	int64_t excess = value - or_zero(usual);
	if (p->best.kind != JP_BLAME_UNKNOWN && excess <= p->best.excess_ns)
		return;
	p->best = (struct jp_blame){kind, e ? e->exec.ref : -1, value, usual, excess};
}

/* When one that did not begin was released: by the last that it waits for. */
static int64_t release_of(const struct jp_blame_cycle *c, const struct jp_blame_exec *e)
{
	int64_t release = known(c->released_ns) && c->released_ns > c->wake_ns ? c->released_ns : c->wake_ns;
	for (size_t i = 0; i < c->n_execs; i++) {
		const struct jp_exec *x = &c->execs[i].exec;
		if (known(x->finished_ns) && x->finished_ns > release && cabled(c, x->ref, e->exec.ref))
			release = x->finished_ns;
	}
	return release;
}

/* When a step of the path ended: at the cycle's end at most. One whose end nobody saw, and that was late for certain, when the one
 * that waited for it could begin; else not later than is known. @param after the step behind it; NULL = it is the last. */
static int64_t end_of(const struct path *p, const struct jp_blame_exec *e, const struct jp_blame_exec *after)
{
	if (!is_veiled(e))
		return unfinished(e) ? p->cycle->end_ns : e->exec.finished_ns;
	int64_t until = ran_until(e), end = p->cycle->end_ns;
	if (until <= p->cycle->wake_ns + p->cycle->period_ns)
		return until;
	if (after)
		end = after->exec.awake_ns - or_zero(after->usual_wait_ns);
	return end > until ? end : until;
}

/* From its release to its wake-up. Of one that waited for somebody whose end nobody saw it is not known. */
static int64_t wait_of(const struct path *p, const struct jp_blame_exec *from, const struct jp_blame_exec *e)
{
	if (from && is_veiled(from))
		return JP_NS_UNKNOWN;
	bool later = from && explains(p->cycle, from, e) == FIT_LATER;
	return later ? jp_ns_between(from->exec.finished_ns, e->exec.awake_ns) : jp_exec_wait_ns(&e->exec);
}

/* From the end of a step to the release of the one that waited for it. The server's own, or of one that nobody saw. */
static void note_gap(struct path *p, const struct jp_blame_exec *from, const struct jp_blame_exec *e)
{
	int64_t gap =
		from && !unfinished(from) ? jp_ns_between(from->exec.finished_ns, e->exec.signalled_ns) : JP_NS_UNKNOWN;
	if (known(gap) && gap > p->gap_ns)
		p->gap_ns = gap;
}

/* One step of the path: its work, held against what is usual. Work of an earlier cycle that kept it from waking in this one is its own
 * too. */
static void weigh(struct path *p, const struct jp_blame_exec *from, const struct jp_blame_exec *e,
	const struct jp_blame_exec *after)
{
	const struct jp_exec *x = &e->exec;
	int64_t deadline = p->cycle->wake_ns + p->cycle->period_ns;
	if (is_idle(e)) {
		offer(p, JP_BLAME_WOKE_LATE, e, p->cycle->end_ns - release_of(p->cycle, e), e->usual_wait_ns);
		return;
	}
	int64_t finish = end_of(p, e, after);
	int64_t started = x->awake_ns, wait = wait_of(p, from, e);
	bool held = known(e->before_finished_ns) && known(x->signalled_ns) && e->before_finished_ns > x->signalled_ns;
	if (held) {
		started = x->signalled_ns;
		wait = x->awake_ns - e->before_finished_ns;
	}
	offer(p, JP_BLAME_BUSY, e, finish - started, e->usual_busy_ns);
	if (known(wait))
		offer(p, JP_BLAME_WOKE_LATE, e, wait, e->usual_wait_ns);
	if (started <= deadline && finish > deadline)
		p->straddler = e;
}

/* Would the cycle have been in time without the worst step's excess? */
static bool explained(const struct path *p)
{
	return p->best.kind != JP_BLAME_UNKNOWN && known(p->best.usual_ns) && p->best.excess_ns >= p->overrun_ns;
}

/* The driver: the time until it released the graph; and its lateness, which is no part of the cycle's end and says why only when
 * nothing in the cycle does. */
static void weigh_driver(struct path *p)
{
	const struct jp_blame_cycle *c = p->cycle;
	int64_t nominal = known(c->lateness_ns) ? c->wake_ns - c->lateness_ns : JP_NS_UNKNOWN;
	/* Of a cycle whose predecessor nobody saw: by a whole period and more a driver is late that had to wait. */
	bool held = known(c->before_end_ns) ? known(nominal) && c->before_end_ns > nominal
					    : known(c->lateness_ns) && c->lateness_ns >= c->period_ns;
	if (known(c->released_ns) && c->released_ns > c->wake_ns)
		offer(p, JP_BLAME_RELEASE, NULL, c->released_ns - c->wake_ns, c->usual_dispatch_ns);
	if (known(c->lateness_ns) && c->lateness_ns > p->overrun_ns && !held && !explained(p))
		offer(p, JP_BLAME_DRIVER, NULL, c->lateness_ns, 0);
}

static void judge(const struct path *p, struct jp_blame *out)
{
	const struct jp_blame_exec *s = p->straddler;
	int64_t most = p->best.kind != JP_BLAME_UNKNOWN ? p->best.excess_ns : 0;
	if (p->gap_ns > most && p->gap_ns * 2 >= p->overrun_ns)
		return; /* nobody's step */
	if (p->best.kind != JP_BLAME_UNKNOWN && p->best.excess_ns * 2 >= p->overrun_ns) {
		*out = p->best;
	} else if (s) {
		int64_t busy = unfinished(s) ? JP_NS_UNKNOWN : jp_exec_busy_ns(&s->exec);
		int64_t excess = known(busy) && known(s->usual_busy_ns) ? busy - s->usual_busy_ns : JP_NS_UNKNOWN;
		*out = (struct jp_blame){JP_BLAME_BUSY, s->exec.ref, busy, s->usual_busy_ns, excess};
	}
}

void jp_blame_find(const struct jp_blame_cycle *cycle, struct jp_blame *out)
{
	*out = (struct jp_blame){JP_BLAME_UNKNOWN, -1, JP_NS_UNKNOWN, JP_NS_UNKNOWN, JP_NS_UNKNOWN};
	if (!known(cycle->wake_ns) || !known(cycle->end_ns) || !known(cycle->period_ns) ||
		cycle->end_ns - cycle->wake_ns <= cycle->period_ns)
		return;
	struct path p = {.cycle = cycle, .overrun_ns = cycle->end_ns - cycle->wake_ns - cycle->period_ns};
	p.n = cycle->n_execs < JP_BLAME_EXECS_MAX ? cycle->n_execs : JP_BLAME_EXECS_MAX;
	const struct jp_blame_exec *after = NULL, *from = NULL;
	for (const struct jp_blame_exec *e = last_of(cycle, p.n); e; after = e, e = from) {
		p.on[e - cycle->execs] = 1;
		from = before(&p, e);
		weigh(&p, from, e, after);
		note_gap(&p, from, e);
	}
	weigh_driver(&p);
	judge(&p, out);
}
