/* Who could have ended a cycle, and was he seen? */
#include "complete.h"

#include <string.h>

static struct jp_complete_client *client(struct jp_complete *c, int32_t ref)
{
	return &c->client[(uint32_t)ref % JP_COMPLETE_REFS];
}

static void raise_top(struct jp_complete *c, int32_t ref)
{
	int32_t above = (int32_t)((uint32_t)ref % JP_COMPLETE_REFS) + 1;
	if (above > c->top)
		c->top = above;
}

/* --- cables ------------------------------------------------------------------------------------------------------- */

/* Take the cables out that begin (or end) where none ends (or begins). What stays is in a loop, or between two: there one
 * cable does not order its clients, and nobody tells which. @return how many are taken out; they stand at the end. */
static size_t peel(struct jp_blame_cable *cable, size_t n, bool forward)
{
	bool fed[JP_COMPLETE_REFS] = {false};
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		fed[(uint32_t)(forward ? cable[i].to : cable[i].from) % JP_COMPLETE_REFS] = true;
	for (size_t i = 0; i < n; i++) {
		if (!fed[(uint32_t)(forward ? cable[i].from : cable[i].to) % JP_COMPLETE_REFS])
			continue;
		struct jp_blame_cable swap = cable[kept];
		cable[kept++] = cable[i];
		cable[i] = swap;
	}
	return n - kept;
}

void jp_complete_order(struct jp_complete *c, const struct jp_blame_cable *cables, size_t n)
{
	size_t looped = n = n < JP_COMPLETE_CABLES ? n : JP_COMPLETE_CABLES, out;
	if (n && cables)
		memcpy(c->cable, cables, n * sizeof *cables);
	do {
		out = peel(c->cable, looped, true);
		looped -= out;
	} while (out);
	do {
		out = peel(c->cable, looped, false);
		looped -= out;
	} while (out);
	c->n_cables = n - looped;
	if (looped && c->n_cables)
		memmove(c->cable, c->cable + looped, c->n_cables * sizeof *c->cable);
}

void jp_complete_cables(struct jp_complete *c, const struct jp_blame_cable *cables, size_t n, int32_t tail)
{
	for (int32_t ref = 0; ref < c->top; ref++)
		client(c, ref)->covered = false;
	for (size_t i = 0; i < n; i++) {
		if (tail < 0 || cables[i].to != tail)
			continue;
		client(c, cables[i].from)->covered = true;
		raise_top(c, cables[i].from);
	}
	c->cables_known = cables != NULL;
	jp_complete_order(c, cables, n);
}

/* --- a cycle ------------------------------------------------------------------------------------------------------ */

static bool known(int64_t ns)
{
	return ns != JP_NS_UNKNOWN;
}

/* Did it run in the cycle before, and was done with that before this one began? Then what it does in this one is of this one. */
static bool in_step(const struct jp_complete *c, const struct jp_complete_client *a, int64_t wake_ns)
{
	return a->ran && a->ran + 1 == c->cycle && known(a->finished_ns) && a->finished_ns < wake_ns;
}

static void note(struct jp_complete *c, const struct jp_exec *e, int64_t release_ns)
{
	struct jp_complete_client *a = client(c, e->ref);
	bool ended = known(e->finished_ns);
	raise_top(c, e->ref);
	a->ref = e->ref;
	a->ran = c->cycle;
	if (ended)
		a->seen = c->cycle;
	else
		a->open = c->cycle;
	a->awake_ns = known(e->awake_ns) ? e->awake_ns : e->finished_ns;
	a->finished_ns = e->finished_ns;
	if (ended && known(release_ns) && e->finished_ns > release_ns)
		a->behind = c->cycle;
}

/* Known of clients only that have run. */
static void note_idle(struct jp_complete *c, const struct jp_exec *e)
{
	struct jp_complete_client *a = client(c, e->ref);
	if (a->ran && a->ref == e->ref)
		a->idle = c->cycle;
}

/* Who began before somebody had ended whom it waits for did what was left of the cycle before. */
static void note_outrun(struct jp_complete *c)
{
	for (size_t i = 0; i < c->n_cables; i++) {
		const struct jp_complete_client *a = client(c, c->cable[i].from);
		struct jp_complete_client *b = client(c, c->cable[i].to);
		if (a->seen != c->cycle || b->ran != c->cycle || a->finished_ns <= b->awake_ns)
			continue;
		if (b->outrun != c->cycle || a->finished_ns > b->due_ns)
			b->due_ns = a->finished_ns;
		b->outrun = c->cycle;
	}
}

/* When it had finished at the latest: before a client began, not before an instant, that waits for it. JP_NS_UNKNOWN when there is none. */
static int64_t followed(struct jp_complete *c, const struct jp_complete_client *a, int64_t since_ns)
{
	int64_t by = JP_NS_UNKNOWN;
	for (size_t i = 0; i < c->n_cables && a->steady; i++) {
		if (client(c, c->cable[i].from) != a)
			continue;
		const struct jp_complete_client *b = client(c, c->cable[i].to);
		bool began = b->steady && (b->seen == c->cycle || b->open == c->cycle) && b->awake_ns >= since_ns;
		if (began && (!known(by) || b->awake_ns < by))
			by = b->awake_ns;
	}
	return by;
}

/* What is missing of it was not done before that instant. */
static int64_t due_of(const struct jp_complete *c, const struct jp_complete_client *a)
{
	if (a->outrun == c->cycle)
		return a->due_ns;
	return a->ran == c->cycle ? a->awake_ns : JP_NS_UNKNOWN;
}

static bool is_covered(const struct jp_complete *c, const struct jp_complete_client *a)
{
	if (c->cables_known)
		return a->covered;
	if (a->outrun == c->cycle || a->open == c->cycle) /* PipeWire's counts have melted: the tail's, too */
		return false;
	return !a->behind || a->behind + JP_COMPLETE_MEMORY < c->cycle;
}

static bool expected(const struct jp_complete *c, const struct jp_complete_client *a)
{
	uint64_t last = a->ran > a->idle ? a->ran : a->idle;
	return last && last + JP_COMPLETE_ABSENT >= c->cycle;
}

size_t jp_complete_who(const struct jp_complete *c, struct jp_exec *out, size_t max)
{
	size_t n = 0;
	for (int32_t i = 0; i < c->top && n < max; i++)
		if (expected(c, &c->client[i]))
			out[n++] = (struct jp_exec){.ref = c->client[i].ref, .awake_ns = c->client[i].awake_ns};
	return n;
}

/* One who is expected and was not, or not wholly, seen. What went by unseen ended before what he did next. */
static enum jp_known make_good(struct jp_complete *c, int32_t ref, const struct jp_exec_cycle *set, int64_t release_ns,
	const struct jp_exec_merge *merge)
{
	struct jp_complete_client *a = client(c, ref);
	int64_t due = due_of(c, a), by = followed(c, a, due);
	int64_t next = merge ? jp_exec_merge_next_finish(merge, ref) : JP_NS_UNKNOWN;
	bool covered = known(release_ns) && (is_covered(c, a) || (known(next) && next <= release_ns));
	covered = covered && release_ns >= due; /* the tail waits for nobody who began after its release */
	a->finished_ns = known(by) || !covered ? by : release_ns;
	if (known(by))
		a->ran = c->cycle;
	int64_t latest = known(by) ? by : next;
	if (latest > c->missing_ns) /* unknown is the smallest */
		c->missing_ns = latest;
	c->untold += !known(latest);
	if (known(by) || (known(next) && next <= set->last_finish_ns))
		return JP_KNOWN_ALL;
	return covered ? JP_KNOWN_TAIL : JP_KNOWN_NOT;
}

enum jp_known jp_complete_cycle(
	struct jp_complete *c, const struct jp_exec_cycle *set, int64_t release_ns, const struct jp_exec_merge *merge)
{
	enum jp_known result = JP_KNOWN_ALL;
	if (!c->cycle++ && !known(release_ns)) /* who runs is not known before the end of the first */
		result = JP_KNOWN_NOT;
	c->missing_ns = JP_NS_UNKNOWN;
	c->untold = 0;
	for (int32_t ref = 0; ref < c->top; ref++)
		client(c, ref)->steady = in_step(c, client(c, ref), set->wake_ns);
	for (size_t i = 0; i < set->n; i++)
		note(c, &set->execs[i], release_ns);
	for (size_t i = 0; i < set->n_idle; i++)
		note_idle(c, &set->idle[i]);
	note_outrun(c);
	for (int32_t ref = 0; ref < c->top; ref++) {
		const struct jp_complete_client *a = client(c, ref);
		bool whole = a->seen == c->cycle && a->open != c->cycle && a->outrun != c->cycle;
		if (!expected(c, a) || whole)
			continue;
		enum jp_known his = make_good(c, ref, set, release_ns, merge);
		result = his < result ? his : result;
	}
	if (c->untold)
		c->missing_ns = JP_NS_UNKNOWN;
	return result;
}

bool jp_complete_covered(const struct jp_complete *c)
{
	for (int32_t ref = 0; ref < c->top; ref++)
		if (expected(c, &c->client[ref]) && !is_covered(c, &c->client[ref]))
			return false;
	return true;
}
