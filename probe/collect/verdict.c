/* Whose end is a tail call?
 *
 * The rules follow from how the servers count. At each driver wake-up every client's count of pending inputs is reset; a
 * client runs when its count reaches zero, and on jackd2 once more for every input that comes after that. A client that
 * is woken while it still runs runs once more afterwards; further wake-ups melt into that one (jackd2: a binary semaphore), or
 * all melt (PipeWire's tail). With N clients in front of the tail and some of them late from the interval before:
 *  - no call in the interval: at least one client has not finished;
 *  - more calls than usual: the late ones have finished and so has the interval's own cycle; the last call is its end, the call
 *    before it comes when all late ones have finished or after (which of the calls it was exactly cannot be told from
 *    outside: this one is never too early);
 *  - a single call: the late cycle's end. Whether the interval's own cycle is late in turn or has melted into the late
 *    one shows in what follows: as long as cycles run late no interval has calls left over, and when they catch up one has. */
#include "verdict.h"

#include <stdlib.h>

enum {
	FITS_ENOUGH = 32,  /* tails in a row that look like the own one: the wake-ups melted */
	SUSPECTS_MAX = 64, /* so many are judged by what most of them look like */
	MANY = 8,          /* from so many on single ones that are out of line do not decide */
	DRIFT = 16,        /* that part of a period in half their number */
};

void jp_verdict_resync(struct jp_pair *p)
{
	p->resyncs++;
	p->resynced = true;
}

static struct jp_open *open_at(const struct jp_pair *p, size_t i)
{
	return jp_fifo_at(&p->open, i);
}

static void give(struct jp_open *to, const struct jp_record *tail, bool late)
{
	to->cycle.tail_ns = (int64_t)tail->entry_ns;
	to->cycle.tail_cpu = tail->cpu;
	if (late)
		to->cycle.flags |= JP_CYCLE_LATE;
	if (tail->flags & JP_REC_FREEWHEEL)
		to->cycle.flags |= JP_CYCLE_FREEWHEEL;
}

/* A late tail is the oldest open cycle's; that one may have been given up. */
static void give_oldest(struct jp_pair *p, const struct jp_record *tail)
{
	if (p->open.count)
		give(open_at(p, 0), tail, true);
}

/* Move the present interval behind the open ones. */
static void keep_now(struct jp_pair *p, bool with_tail)
{
	if (with_tail)
		give(&p->now, &p->last, false);
	struct jp_open *slot = jp_fifo_push(&p->open);
	if (slot)
		*slot = p->now;
	p->has_now = false;
	p->tails = 0;
}

static void enter(struct jp_pair *p, enum jp_pairing_phase phase, size_t undecided)
{
	p->phase = phase;
	p->ready = p->open.count - undecided;
	p->fits = p->fits_total = 0;
}

static int64_t own_end(const struct jp_pair *p)
{
	return p->now.cycle.wake_ns == JP_NS_UNKNOWN ? JP_NS_UNKNOWN : (int64_t)p->last.entry_ns - p->now.cycle.wake_ns;
}

static void learn_typical(struct jp_pair *p)
{
	int64_t end = own_end(p);
	p->usual = p->tails < p->calls ? p->tails : p->calls;
	p->calls = p->tails;
	if (end == JP_NS_UNKNOWN)
		return;
	p->typical_ns = p->typical_ns > 0 ? p->typical_ns + ((double)end - p->typical_ns) / 16 : (double)end;
}

/* Does a cycle's tail call look like its own end? */
static bool fits(const struct jp_pair *p, const struct jp_cycle *c)
{
	int64_t end = jp_ns_between(c->wake_ns, c->tail_ns), period = jp_cycle_period_ns(c);
	if (end == JP_NS_UNKNOWN || period == JP_NS_UNKNOWN || p->typical_ns <= 0)
		return false;
	double off = (double)end - p->typical_ns;
	return off < (double)period / 4 && off > -(double)period / 4;
}

/* Mean time from wake-up to tail of those suspects in a range that fit; JP_NS_UNKNOWN when there is none. */
static int64_t mean_end(const struct jp_pair *p, size_t from, size_t to)
{
	int64_t sum = 0, n = 0;
	for (size_t i = from; i < to; i++) {
		const struct jp_cycle *c = &open_at(p, i)->cycle;
		if (!fits(p, c))
			continue;
		sum += jp_ns_between(c->wake_ns, c->tail_ns);
		n++;
	}
	return n ? sum / n : JP_NS_UNKNOWN;
}

/* Have the suspects' tails moved on against the wake-ups? A graph that takes a little longer than a period does that. Halves are
 * compared, not single ones: on a busy machine any of these may be out of line. */
static bool drifts(const struct jp_pair *p)
{
	size_t n = p->open.count;
	int64_t early = mean_end(p, 1, n / 2), late = mean_end(p, n / 2, n);
	int64_t period = jp_cycle_period_ns(&open_at(p, n - 1)->cycle);
	if (early == JP_NS_UNKNOWN || late == JP_NS_UNKNOWN || period == JP_NS_UNKNOWN)
		return true;
	return DRIFT * llabs(late - early) > period;
}

static void close_clear(struct jp_pair *p)
{
	if (p->tails) {
		learn_typical(p);
		keep_now(p, true);
		enter(p, JP_PAIRING_CLEAR, 0);
	} else {
		keep_now(p, false);
		enter(p, JP_PAIRING_LATE, 1);
	}
}

static void close_late(struct jp_pair *p)
{
	if (!p->tails) {
		keep_now(p, false);
		return;
	}
	if (p->tails > p->usual) {
		give_oldest(p, &p->before);
		keep_now(p, true);
		enter(p, JP_PAIRING_TENTATIVE, 1);
		return;
	}
	if (!p->synced) { /* no pair yet: our own start cut the heads off from their tails, they are not late */
		learn_typical(p);
		keep_now(p, true);
		enter(p, JP_PAIRING_CLEAR, 0);
		return;
	}
	give_oldest(p, &p->last);
	keep_now(p, false);
	if (p->config.mode == JP_PAIR_QUEUED)
		enter(p, JP_PAIRING_SUSPECT, 1);
	else
		enter(p, JP_PAIRING_CLEAR, 0);
}

static void close_tentative(struct jp_pair *p)
{
	if (!p->tails) {
		keep_now(p, false);
		enter(p, JP_PAIRING_LATE, 1);
	} else if (p->tails > p->usual) {
		give_oldest(p, &p->before);
		keep_now(p, true);
		enter(p, JP_PAIRING_TENTATIVE, 1);
	} else {
		keep_now(p, true);
		enter(p, JP_PAIRING_CLEAR, 0);
	}
}

/* The suspects were late: each has the tail of the one before it. */
static void shift_suspects(struct jp_pair *p)
{
	for (size_t i = 0; i < p->open.count; i++) {
		static const struct jp_cycle none = {.tail_ns = JP_NS_UNKNOWN, .tail_cpu = -1};
		bool is_last = i + 1 == p->open.count;
		const struct jp_cycle *from = is_last ? &none : &open_at(p, i + 1)->cycle;
		struct jp_cycle *to = &open_at(p, i)->cycle;
		to->tail_ns = from->tail_ns;
		to->tail_cpu = from->tail_cpu;
		to->flags |= JP_CYCLE_LATE;
	}
}

static bool most_fit(const struct jp_pair *p)
{
	return 4 * (size_t)p->fits_total >= 3 * p->open.count;
}

/* One more interval with a single call. */
static void judge_suspects(struct jp_pair *p)
{
	keep_now(p, true);
	bool fit = fits(p, &open_at(p, p->open.count - 1)->cycle);
	p->fits = fit ? p->fits + 1 : 0;
	p->fits_total += fit;
	bool full = p->open.count >= SUSPECTS_MAX;
	if ((p->fits >= FITS_ENOUGH || (full && most_fit(p))) && !drifts(p)) {
		jp_verdict_resync(p);
		enter(p, JP_PAIRING_CLEAR, 0);
	} else if (full) {
		shift_suspects(p);
		enter(p, JP_PAIRING_SUSPECT, 1);
	}
}

static void close_suspect(struct jp_pair *p)
{
	size_t suspects = p->open.count;
	if (p->tails > p->usual) {
		shift_suspects(p);
		give(open_at(p, p->open.count - 1), &p->before, true);
		keep_now(p, true);
		enter(p, JP_PAIRING_TENTATIVE, 1);
		return;
	}
	if (!p->tails) {
		bool late = suspects < MANY ? suspects <= 2 || p->fits < suspects - 1 : !most_fit(p) || drifts(p);
		if (late)
			shift_suspects(p);
		else
			jp_verdict_resync(p);
		keep_now(p, false);
		enter(p, JP_PAIRING_LATE, late ? 2 : 1);
		return;
	}
	judge_suspects(p);
}

void jp_verdict_close(struct jp_pair *p)
{
	switch (p->phase) {
	case JP_PAIRING_CLEAR:
		close_clear(p);
		break;
	case JP_PAIRING_LATE:
		close_late(p);
		break;
	case JP_PAIRING_TENTATIVE:
		close_tentative(p);
		break;
	case JP_PAIRING_SUSPECT:
		close_suspect(p);
		break;
	}
}

bool jp_verdict_stray(struct jp_pair *p, const struct jp_record *tail)
{
	bool late = p->phase == JP_PAIRING_LATE && p->open.count;
	if (late)
		give_oldest(p, tail);
	enter(p, JP_PAIRING_CLEAR, 0);
	return late;
}

void jp_verdict_end(struct jp_pair *p)
{
	enter(p, JP_PAIRING_CLEAR, 0);
}
