/* Blame on scripted graphs. Times in us after the wake; the period is 1000 us. */
#include <jackprobe/blame.h>

#include <criterion/criterion.h>
#include <string.h>

enum { WAKE_US = 5000000, PERIOD_US = 1000, NEVER = -1, MAX = 8 };

/* Clients by letter; a step with ref 0 ends the list. */
struct step {
	char ref;
	int signalled, awake, finished;
	int usual_busy, usual_wait;
	int before_finished; /* 0 = nothing to tell */
	bool ours;
};

#define STEP(ref, signalled, awake, finished, busy, wait)                                                              \
	{                                                                                                              \
		ref, signalled, awake, finished, busy, wait, 0, false                                                  \
	}

struct script {
	const char *about;
	struct step steps[MAX];
	const char *cables; /* "AB BC": from A to B, from B to C */
	int lateness;       /* us */
	int released;
	int before_end; /* 0 = nothing to tell */
	enum jp_blame_kind kind;
	int culprit; /* letter, -1 */
};

static int64_t at(int us)
{
	return us == NEVER ? JP_NS_UNKNOWN : ((int64_t)WAKE_US + us) * 1000;
}

static int64_t span(int us)
{
	return us == NEVER ? JP_NS_UNKNOWN : (int64_t)us * 1000;
}

static size_t cables_of(const char *text, struct jp_blame_cable *out)
{
	size_t n = 0;
	for (const char *p = text; p && *p; p += p[2] ? 3 : 2)
		out[n++] = (struct jp_blame_cable){p[0], p[1]};
	return n;
}

static size_t execs_of(const struct step *steps, struct jp_blame_exec *out, int64_t *end_ns)
{
	size_t n = 0;
	*end_ns = at(0);
	for (; n < MAX && steps[n].ref; n++) {
		const struct step *s = &steps[n];
		out[n] = (struct jp_blame_exec){
			.exec = {at(s->signalled), at(s->awake), at(s->finished), at(s->finished), s->ref,
				s->finished == NEVER ? JP_EXEC_RUNNING : JP_EXEC_FINISHED},
			.usual_busy_ns = span(s->usual_busy),
			.usual_wait_ns = span(s->usual_wait),
			.before_finished_ns = s->before_finished ? at(s->before_finished) : JP_NS_UNKNOWN,
			.ours = s->ours,
		};
		if (!s->ours && at(s->finished) > *end_ns)
			*end_ns = at(s->finished);
	}
	return n;
}

static void run(const struct script *s, bool with_cables)
{
	struct jp_blame_exec execs[MAX];
	struct jp_blame_cable cables[16];
	struct jp_blame_cycle c = {.wake_ns = at(0), .period_ns = span(PERIOD_US), .execs = execs};
	c.n_execs = execs_of(s->steps, execs, &c.end_ns);
	c.cables = with_cables ? cables : NULL;
	c.n_cables = with_cables ? cables_of(s->cables, cables) : 0;
	c.lateness_ns = span(s->lateness);
	c.released_ns = at(s->released);
	c.usual_dispatch_ns = span(5);
	c.before_end_ns = s->before_end ? at(s->before_end) : JP_NS_UNKNOWN;
	struct jp_blame b;
	jp_blame_find(&c, &b);
	const char *how = with_cables ? "with cables" : "without cables";
	cr_assert_eq(b.kind, s->kind, "%s, %s: %s", s->about, how, jp_blame_text(b.kind));
	cr_assert_eq(b.ref, s->culprit, "%s, %s: %c", s->about, how, b.ref);
}

static const struct script scripts[] = {
	{"chain, the first is busy and finishes in time, the last crosses the deadline",
		{STEP('A', 5, 25, 950, 100, 20), STEP('B', 950, 970, 1020, 50, 20),
			STEP('C', 1020, 1040, 1100, 60, 20)},
		"AB BC", 0, 5, 0, JP_BLAME_BUSY, 'A'},
	{"chain, the middle is busy",
		{STEP('A', 5, 25, 125, 100, 20), STEP('B', 125, 145, 1900, 50, 20),
			STEP('C', 1900, 1920, 1980, 60, 20)},
		"AB BC", 0, 5, 0, JP_BLAME_BUSY, 'B'},
	{"chain, the last woke late", {STEP('A', 5, 25, 125, 100, 20), STEP('B', 125, 1145, 1195, 50, 20)}, "AB", 0, 5,
		0, JP_BLAME_WOKE_LATE, 'B'},
	{"chain, the first woke late", {STEP('A', 5, 1025, 1125, 100, 20), STEP('B', 1125, 1145, 1195, 50, 20)}, "AB",
		0, 5, 0, JP_BLAME_WOKE_LATE, 'A'},
	{"diamond, the slower branch, though the other one is longer at work",
		{STEP('A', 5, 25, 125, 100, 20), STEP('B', 125, 150, 900, 740, 20), STEP('C', 125, 145, 1245, 50, 20),
			STEP('D', 1245, 1265, 1300, 35, 20)},
		"AB AC BD CD", 0, 5, 0, JP_BLAME_BUSY, 'C'},
	{"parallel, the one that ends last, not the one with the most work",
		{STEP('A', 5, 25, 995, 960, 20), STEP('B', 5, 30, 1100, 400, 20)}, NULL, 0, 5, 0, JP_BLAME_BUSY, 'B'},
	{"parallel, a heavy but usual one is no culprit",
		{STEP('A', 5, 25, 925, 900, 20), STEP('B', 5, 30, 80, 50, 20), STEP('C', 80, 100, 1300, 60, 20)}, "BC",
		0, 5, 0, JP_BLAME_BUSY, 'C'},
	{"feedback loop",
		{STEP('A', 5, 25, 125, 100, 20), STEP('B', 125, 145, 1400, 100, 20),
			STEP('C', 1400, 1420, 1450, 30, 20)},
		"AB BC CA", 0, 5, 0, JP_BLAME_BUSY, 'B'},
	{"two late ones in a chain: the worse", {STEP('A', 5, 25, 525, 100, 20), STEP('B', 525, 545, 1500, 100, 20)},
		"AB", 0, 5, 0, JP_BLAME_BUSY, 'B'},
	{"two late ones in parallel: the one that ended last",
		{STEP('A', 5, 25, 1900, 100, 20), STEP('B', 5, 30, 2000, 1000, 20)}, NULL, 0, 5, 0, JP_BLAME_BUSY, 'B'},
	{"late driver, everybody a little slower", {STEP('A', 5, 25, 525, 480, 20), STEP('B', 525, 545, 1030, 470, 20)},
		"AB", 900, 5, 0, JP_BLAME_DRIVER, -1},
	{"late driver, but the cycle, which counts from its wake-up, was one client's work",
		{STEP('A', 5, 25, 1525, 100, 20)}, NULL, 7000, 5, 0, JP_BLAME_BUSY, 'A'},
	{"driver that released the graph late",
		{STEP('A', 705, 725, 1025, 300, 20), STEP('B', 1025, 1045, 1145, 100, 20)}, "AB", 0, 705, 0,
		JP_BLAME_RELEASE, -1},
	{"sync mode: the driver was held up by the cycle before, this cycle's own culprit counts",
		{STEP('A', 5, 25, 625, 100, 20), STEP('B', 625, 645, 1245, 590, 20)}, "AB", 900, 5, -2, JP_BLAME_BUSY,
		'A'},
	{"client that vanished, its successor was let go much later",
		{STEP('A', 5, 25, 125, 100, 20), STEP('B', 125, 145, NEVER, 50, 20),
			STEP('C', 3000, 3020, 3080, 60, 20)},
		"AB BC", 0, 5, 0, JP_BLAME_BUSY, 'B'},
	{"still at the work of the cycle before",
		{{'A', 5, 805, 1105, 300, 20, 800, false}, STEP('B', 1105, 1125, 1175, 50, 20)}, "AB", 0, 5, 0,
		JP_BLAME_BUSY, 'A'},
	{"too much work for the period: who was at it when time was up",
		{STEP('A', 5, 25, 425, 400, 20), STEP('B', 425, 445, 845, 400, 20), STEP('C', 845, 865, 1265, 400, 20)},
		"AB BC", 0, 5, 0, JP_BLAME_BUSY, 'C'},
	{"nothing known of it, the first time it is seen", {STEP('A', 5, 25, 3025, NEVER, NEVER)}, NULL, NEVER, NEVER,
		0, JP_BLAME_BUSY, 'A'},
	{"the tail is no culprit", {STEP('A', 5, 25, 1125, 100, 20), {'T', 1125, 1500, 3000, 1, 20, 0, true}}, "AT", 0,
		5, 0, JP_BLAME_BUSY, 'A'},
	{"no overrun", {STEP('A', 5, 25, 995, 100, 20)}, NULL, 0, 5, 0, JP_BLAME_UNKNOWN, -1},
};

Test(blame, finds_the_culprit_by_releases_and_cables)
{
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		run(&scripts[i], true);
		run(&scripts[i], false);
	}
}

/* A parallel client that happens to finish in the microsecond of a release. */
/* The thread of A was held up between its end and the release of B, as PipeWire reports it; A woke 80 us later than usual. */
Test(blame, time_between_an_end_and_a_release_is_nobodys)
{
	const struct script late_release = {"released late",
		{STEP('A', 5, 105, 205, 100, 20), STEP('B', 895, 915, 1045, 50, 20)}, "AB", 0, 5, 0, JP_BLAME_UNKNOWN,
		-1};
	const struct script usual_release = {"released as usual",
		{STEP('A', 5, 805, 905, 100, 20), STEP('B', 955, 975, 1045, 50, 20)}, "AB", 0, 5, 0, JP_BLAME_WOKE_LATE,
		'A'};
	run(&late_release, true);
	run(&usual_release, true);
}

Test(blame, a_cable_beats_a_coincidence)
{
	static const struct script s = {"coincidence",
		{STEP('A', 5, 25, 900, 100, 20), STEP('X', 5, 30, 900, 800, 20), STEP('B', 900, 920, 1200, 250, 20)},
		"AB", 0, 5, 0, JP_BLAME_BUSY, 'A'};
	run(&s, true);
}

/* C was released by A, then by B; what stands there is the first. */
Test(blame, a_later_end_beats_an_earlier_release)
{
	static const struct script s = {"several releases",
		{STEP('A', 5, 25, 125, 100, 20), STEP('B', 5, 925, 1025, 100, 20), STEP('C', 125, 1040, 1090, 50, 20)},
		"AC BC", 0, 5, 0, JP_BLAME_WOKE_LATE, 'B'};
	run(&s, true);
}

Test(blame, nothing_seen_is_unknown)
{
	struct jp_blame_cycle c = {.wake_ns = at(0), .end_ns = at(1500), .period_ns = span(PERIOD_US)};
	c.lateness_ns = c.released_ns = c.usual_dispatch_ns = c.before_end_ns = JP_NS_UNKNOWN;
	struct jp_blame b;
	jp_blame_find(&c, &b);
	cr_assert_eq(b.kind, JP_BLAME_UNKNOWN);
	cr_assert_eq(b.ref, -1);
	c.end_ns = JP_NS_UNKNOWN;
	jp_blame_find(&c, &b);
	cr_assert_eq(b.kind, JP_BLAME_UNKNOWN);
}

Test(blame, tells_what_was_usual)
{
	struct jp_blame_exec e = {.exec = {at(5), at(25), at(3125), at(3125), 7, 3}, .usual_busy_ns = span(400)};
	e.usual_wait_ns = e.before_finished_ns = JP_NS_UNKNOWN;
	struct jp_blame_cycle c = {.wake_ns = at(0), .end_ns = at(3125), .period_ns = span(PERIOD_US), .execs = &e};
	c.n_execs = 1;
	c.lateness_ns = c.released_ns = c.usual_dispatch_ns = c.before_end_ns = JP_NS_UNKNOWN;
	struct jp_blame b;
	jp_blame_find(&c, &b);
	cr_assert_eq(b.ref, 7);
	cr_assert_eq(b.value_ns, span(3100));
	cr_assert_eq(b.usual_ns, span(400));
	cr_assert_eq(b.excess_ns, span(2700));
	cr_assert_str_eq(jp_blame_text(JP_BLAME_WOKE_LATE), "woke late");
}

static struct jp_blame_exec missing(int32_t ref, enum jp_exec_state state)
{
	struct jp_blame_exec e = {.usual_busy_ns = span(50), .usual_wait_ns = span(20)};
	e.exec = (struct jp_exec){JP_NS_UNKNOWN, JP_NS_UNKNOWN, JP_NS_UNKNOWN, at(9000), ref, state};
	e.before_finished_ns = JP_NS_UNKNOWN;
	return e;
}

/* Nobody saw when it ended; it was seen running last at that time. */
static struct jp_blame_exec veiled(int32_t ref, int awake, int until)
{
	struct jp_blame_exec e = {.usual_busy_ns = span(50), .usual_wait_ns = span(20)};
	e.exec = (struct jp_exec){at(5), at(awake), JP_NS_UNKNOWN, at(until), ref, JP_EXEC_FINISHED};
	e.before_finished_ns = JP_NS_UNKNOWN;
	return e;
}

/* C waits for A and X; the release that stands there is A's. X still ran long after the period, or nobody knows more than that it ran at 600. */
Test(blame, who_waited_for_one_whose_end_nobody_saw_is_not_blamed)
{
	static const struct {
		int until, end;
		enum jp_blame_kind kind;
		int culprit, busy;
	} rows[] = {
		{2600, 3050, JP_BLAME_BUSY, 'X', 3000 - 20 - 100}, {600, 3050, JP_BLAME_UNKNOWN, -1, NEVER},
		{150, 3050, JP_BLAME_WOKE_LATE, 'C', 2800}, /* A was the last for all that is known */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct jp_blame_cable cables[4];
		struct jp_blame_exec execs[3] = {{.exec = {at(5), at(25), at(200), at(200), 'A', JP_EXEC_FINISHED}},
			veiled('X', 100, rows[i].until),
			{.exec = {at(200), at(3000), at(3050), at(3050), 'C', JP_EXEC_FINISHED}}};
		for (int k = 0; k < 3; k++) {
			execs[k].usual_busy_ns = span(k == 0 ? 175 : 50);
			execs[k].usual_wait_ns = span(20);
			execs[k].before_finished_ns = JP_NS_UNKNOWN;
		}
		struct jp_blame_cycle c = {.wake_ns = at(0), .end_ns = at(rows[i].end), .execs = execs, .n_execs = 3};
		c.period_ns = span(PERIOD_US);
		c.lateness_ns = c.usual_dispatch_ns = c.before_end_ns = JP_NS_UNKNOWN;
		c.released_ns = at(5);
		c.cables = cables;
		c.n_cables = cables_of("AC XC", cables);
		struct jp_blame b;
		jp_blame_find(&c, &b);
		cr_expect_eq(b.kind, rows[i].kind, "row %zu: %s", i, jp_blame_text(b.kind));
		cr_expect_eq(b.ref, rows[i].culprit, "row %zu: %c", i, b.ref);
		cr_expect_eq(b.value_ns, span(rows[i].busy), "row %zu: %ld", i, (long)b.value_ns);
	}
}

/* D did not begin in the cycle: it waited for X, whose end nobody saw. */
Test(blame, who_did_not_begin_may_have_waited_for_one_whose_end_nobody_saw)
{
	struct jp_blame_cable cables[4];
	struct jp_blame_exec execs[3] = {{.exec = {at(5), at(25), at(200), at(200), 'A', JP_EXEC_FINISHED}},
		veiled('X', 100, 2600), missing('D', JP_EXEC_TRIGGERED)};
	execs[0].usual_busy_ns = span(175);
	execs[0].usual_wait_ns = execs[0].before_finished_ns = JP_NS_UNKNOWN;
	struct jp_blame_cycle c = {.wake_ns = at(0), .end_ns = at(3050), .execs = execs, .n_execs = 3};
	c.period_ns = span(PERIOD_US);
	c.lateness_ns = c.usual_dispatch_ns = c.before_end_ns = JP_NS_UNKNOWN;
	c.released_ns = at(5);
	c.cables = cables;
	c.n_cables = cables_of("AD XD", cables);
	struct jp_blame b;
	cr_expect_not(jp_blame_holds_up(&c, 2));
	jp_blame_find(&c, &b);
	cr_expect_eq(b.kind, JP_BLAME_BUSY, "%s", jp_blame_text(b.kind));
	cr_expect_eq(b.ref, 'X', "%c", b.ref);
	cr_expect_eq(b.value_ns, span(2950), "up to the cycle's end");
	execs[1].exec.seen_ns = at(600);
	cr_expect(jp_blame_holds_up(&c, 2), "nothing tells that X was late");
}

/* B and C were released (C by the driver, though it waits for B) and did nothing; the tail was let go in the end. */
Test(blame, who_was_released_and_did_not_begin_held_the_cycle_up)
{
	struct jp_blame_cable cables[4];
	struct jp_blame_exec execs[3] = {{.exec = {at(5), at(25), at(125), at(125), 'A', JP_EXEC_FINISHED}},
		missing('C', JP_EXEC_TRIGGERED), missing('B', JP_EXEC_TRIGGERED)};
	execs[0].usual_busy_ns = execs[0].usual_wait_ns = execs[0].before_finished_ns = JP_NS_UNKNOWN;
	struct jp_blame_cycle c = {.wake_ns = at(0), .end_ns = at(8125), .period_ns = span(PERIOD_US), .execs = execs};
	c.n_execs = 3;
	c.lateness_ns = c.usual_dispatch_ns = c.before_end_ns = JP_NS_UNKNOWN;
	c.released_ns = at(5);
	c.cables = cables;
	c.n_cables = cables_of("AB BC", cables);
	struct jp_blame b;
	jp_blame_find(&c, &b);
	cr_assert_eq(b.kind, JP_BLAME_WOKE_LATE, "%s", jp_blame_text(b.kind));
	cr_assert_eq(b.ref, 'B', "%c", b.ref);
	cr_assert_eq(b.value_ns, span(8000), "since A ended");
	cr_assert_eq(b.usual_ns, span(20));
	cr_assert(jp_blame_holds_up(&c, 2));
	cr_assert_not(jp_blame_holds_up(&c, 1), "it waits for B");
	cr_assert_not(jp_blame_holds_up(&c, 0), "it ended");
	/* Somebody ended last: the path leads back from him. */
	c.end_ns = at(125);
	c.period_ns = span(100);
	jp_blame_find(&c, &b);
	cr_assert_eq(b.ref, 'A', "%c", b.ref);
	c.period_ns = span(PERIOD_US);
	c.cables = NULL;
	cr_assert_not(jp_blame_holds_up(&c, 2), "one of two, and nobody knows who waits for whom");
	c.n_execs = 2;
	cr_assert(jp_blame_holds_up(&c, 1), "the only one");
}

/* B did not begin because A ended behind the end of the period: it merely waited. One that ended in time does not excuse it, but may be
 * worse. */
Test(blame, who_did_not_begin_may_have_waited_for_one_that_was_late)
{
	struct jp_blame_cable cables[2];
	struct jp_blame_exec execs[2] = {
		{.exec = {at(5), at(25), at(1425), at(1425), 'A', JP_EXEC_FINISHED}}, missing('B', JP_EXEC_TRIGGERED)};
	execs[0].usual_busy_ns = span(100);
	execs[0].usual_wait_ns = execs[0].before_finished_ns = JP_NS_UNKNOWN;
	struct jp_blame_cycle c = {.wake_ns = at(0), .end_ns = at(3000), .period_ns = span(PERIOD_US), .execs = execs};
	c.n_execs = 2;
	c.lateness_ns = c.usual_dispatch_ns = c.before_end_ns = c.released_ns = JP_NS_UNKNOWN;
	c.cables = cables;
	c.n_cables = cables_of("AB", cables);
	struct jp_blame b;
	cr_assert_not(jp_blame_holds_up(&c, 1));
	jp_blame_find(&c, &b);
	cr_assert_eq(b.ref, 'A', "%c", b.ref);
	execs[0].exec.finished_ns = at(925);
	c.end_ns = at(1300);
	cr_assert(jp_blame_holds_up(&c, 1));
	jp_blame_find(&c, &b);
	cr_assert_eq(b.ref, 'A', "%c was 800 us over, B came 355 us late", b.ref);
	cr_assert_eq(b.excess_ns, span(800));
	c.end_ns = at(3000);
	jp_blame_find(&c, &b);
	cr_assert_eq(b.ref, 'B', "%c", b.ref);
}

/* B is still at an earlier cycle's work: C, which waits for it, is not to blame, nor is B for what it did not begin in this cycle. */
Test(blame, who_waits_for_one_at_work_since_an_earlier_cycle_is_not_blamed)
{
	struct jp_blame_cable cables[4];
	struct jp_blame_exec execs[2] = {missing('C', JP_EXEC_TRIGGERED), missing('B', JP_EXEC_RUNNING)};
	struct jp_blame_cycle c = {.wake_ns = at(0), .end_ns = at(8125), .period_ns = span(PERIOD_US), .execs = execs};
	c.n_execs = 2;
	c.lateness_ns = c.usual_dispatch_ns = c.before_end_ns = c.released_ns = JP_NS_UNKNOWN;
	c.cables = cables;
	c.n_cables = cables_of("BC", cables);
	struct jp_blame b;
	jp_blame_find(&c, &b);
	cr_assert_eq(b.kind, JP_BLAME_UNKNOWN);
	cr_assert(jp_blame_holds_up(&c, 1));
	cr_assert_not(jp_blame_holds_up(&c, 0));
}
