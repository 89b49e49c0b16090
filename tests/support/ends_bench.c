#include "support/ends_bench.h"

#include <criterion/criterion.h>
#include <stdlib.h>

int64_t ends_ns(int us)
{
	return us == U ? JP_NS_UNKNOWN : (int64_t)us * 1000;
}

struct ends_bench ends_start(bool tells_wake, bool tail)
{
	struct ends_bench b = {jp_ends_new(), fake_times_new(tells_wake), 200};
	b.times->refs.hardware = HARDWARE;
	b.times->refs.tail = tail ? TAIL : -1;
	fake_times_cable(b.times, SYNTH, TAIL);
	jp_ends_use(b.ends, b.times, 0);
	return b;
}

void ends_end(struct ends_bench *b)
{
	jp_ends_free(b->ends);
	free(b->times);
}

void ends_look(struct ends_bench *b, int ref, int signalled, int awake, int finished, int seen)
{
	struct jp_exec e = {
		ends_ns(signalled), ends_ns(awake), ends_ns(finished), ends_ns(seen), ref, JP_EXEC_FINISHED};
	fake_times_look(b->times, &e);
}

static void put(struct ends_bench *b, int k, int head_us, int tail_us, uint16_t flags)
{
	int wake = 1000 * k;
	struct jp_cycle c = {.frame = 48 * (uint64_t)k, .nframes = 48, .rate_hz = 48000, .flags = flags};
	c.wake_ns = ends_ns(wake);
	c.nominal_ns = ends_ns(wake - 10);
	c.head_ns = ends_ns(head_us);
	c.wake_source = b->times->tells_wake ? JP_WAKE_NOMINAL : JP_WAKE_DRIVER;
	c.tail_ns = c.end_ns = ends_ns(tail_us);
	c.end_source = tail_us == U ? JP_END_UNKNOWN : JP_END_TAIL;
	jp_ends_put(b->ends, &c);
}

void ends_put(struct ends_bench *b, int k, int tail, uint16_t flags)
{
	put(b, k, 1000 * k + 30, tail == U ? U : 1000 * k + tail, flags);
}

void ends_put_at(struct ends_bench *b, int k, int head_us, int tail_us)
{
	put(b, k, head_us, tail_us, 0);
}

void ends_record(struct ends_bench *b, enum jp_role role, int k)
{
	struct jp_record r = {
		.entry_ns = (uint64_t)ends_ns(1000 * k + 31), .cost_ns = k > 1 ? 2000 : 0, .role = (uint8_t)role};
	jp_ends_records(b->ends, &r, 1);
}

enum jp_status ends_poll(struct ends_bench *b, int now, struct jp_why *why)
{
	b->times->horizon_ns = ends_ns(now);
	return jp_ends_poll(b->ends, ends_ns(now), why);
}

void ends_poll_fine(struct ends_bench *b, int now)
{
	struct jp_why why = {.text = ""};
	cr_assert_eq(ends_poll(b, now, &why), JP_OK, "%s", why.text);
}

void ends_calm(struct ends_bench *b, int k)
{
	int wake = 1000 * k;
	ends_look(b, DRIVER, U, U, wake + 4, wake + 30);
	ends_look(b, SYNTH, wake + 4, wake + 25, wake + 290, wake + 325);
	ends_look(b, METER, wake + 4, wake + 27, wake + b->meter, wake + 325);
	ends_look(b, HARDWARE, wake + 4, wake + 40, wake + 900, wake + 950);
	if (b->times->refs.tail >= 0)
		ends_look(b, TAIL, wake + 300, wake + 320, wake + 330, wake + 1030);
	ends_put(b, k, b->times->refs.tail >= 0 ? 325 : U, b->times->refs.tail >= 0 ? 0 : JP_CYCLE_NO_TAIL);
}

bool ends_next(struct ends_bench *b, bool flush, struct ends_got *out)
{
	const struct jp_exec_cycle *execs;
	if (!jp_ends_next(b->ends, flush, &out->cycle, &execs))
		return false;
	out->judged = execs;
	out->n = execs ? execs->n : 0;
	return true;
}

struct ends_got ends_must(struct ends_bench *b, bool flush)
{
	struct ends_got got = {.judged = false};
	cr_assert(ends_next(b, flush, &got), "no cycle");
	return got;
}

void ends_expect_end(const char *about, struct jp_cycle c, int end_us, enum jp_end_source source)
{
	int k = (int)(c.frame / 48);
	int64_t wanted = end_us == U ? JP_NS_UNKNOWN : ends_ns(1000 * k + end_us);
	cr_expect_eq(c.end_ns, wanted, "%s: cycle %d ends at %ld", about, k, (long)(c.end_ns / 1000 - 1000 * k));
	cr_expect_eq(c.end_source, source, "%s: cycle %d, source %d", about, k, c.end_source);
}

void ends_calm_until(struct ends_bench *b, int k)
{
	for (int i = 1; i <= k; i++)
		ends_calm(b, i);
	ends_poll_fine(b, 1000 * k + 900);
	for (int i = 1; i < k; i++) {
		struct ends_got got = ends_must(b, false);
		cr_assert_eq(got.cycle.frame, 48u * (unsigned)i);
		cr_assert_eq(got.n, 2u);
	}
}
