/* What the pure part of a cycle costs: pairing and statistics, and the figures of a window. One line each. */
#include <jackprobe/window.h>
#include <stdio.h>
#include <support/cycles.h>
#include <time.h>

enum { CYCLES = 4096, ROUNDS = 500, BATCH = 64, SPANS = 2000 };

/* CPU time: the machine may be shared. */
static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The same records again, one round later. */
static void move_on(struct cycles *c)
{
	uint64_t us = (uint64_t)cycles_period_ns(c) * CYCLES / 1000;
	for (size_t i = 0; i < c->n_head; i++) {
		c->head[i].entry_ns += us * 1000;
		c->head[i].wake_us += us;
		c->head[i].nominal_us += us;
		c->head[i].frame += CYCLES * c->nframes;
	}
	for (size_t i = 0; i < c->n_tail; i++) {
		c->tail[i].entry_ns += us * 1000;
		c->tail[i].frame += CYCLES * c->nframes;
	}
}

static size_t one_round(struct jp_pair *pair, struct jp_window *window, const struct cycles *c)
{
	size_t n = 0;
	struct jp_cycle cycle;
	for (size_t at = 0; at < CYCLES; at += BATCH) {
		jp_pair_put(pair, c->tail + at, BATCH);
		jp_pair_put(pair, c->head + at, BATCH);
		for (; jp_pair_next(pair, &cycle, false); n++)
			jp_window_add(window, &cycle, 0);
	}
	return n;
}

static struct cycles *script(void)
{
	struct cycles *c = cycles_new(JP_PAIR_QUEUED, CYCLES);
	uint32_t state = 1;
	for (size_t k = 0; k < CYCLES; k++) {
		c->wake_jitter_ns[k] = cycles_random(&state, 60000);
		c->work_ns[0][k] = 200000 + cycles_random(&state, 1500000);
	}
	cycles_run(c);
	return c;
}

int main(void)
{
	struct cycles *c = script();
	struct jp_pair *pair = jp_pair_new(&(struct jp_pair_config){JP_PAIR_QUEUED, JP_WAKE_DRIVER});
	struct jp_window *window = jp_window_new();
	if (!pair || !window)
		return 1;
	size_t n = 0;
	double spent = 0;
	for (int i = 0; i < ROUNDS; i++) {
		double start = now_s();
		n += one_round(pair, window, c);
		spent += now_s() - start;
		move_on(c);
	}
	printf("pair + window: %.1f M cycles/s, %.0f ns a cycle\n", (double)n / spent / 1e6, spent / (double)n * 1e9);
	struct jp_span span;
	double start = now_s(), sum = 0;
	for (int i = 0; i < SPANS; i++) {
		jp_window_span(window, &span);
		sum += span.cycle_end.p99_us;
	}
	printf("jp_window_span: %.1f us (p99 %.1f us of %zu cycles)\n", (now_s() - start) / SPANS * 1e6, sum / SPANS,
		n);
	jp_window_free(window);
	jp_pair_free(pair);
	cycles_free(c);
	return 0;
}
