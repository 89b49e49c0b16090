/* A scripted graph: what head and tail of a server would record, and the truth about every cycle. A plain simulation of
 * one driver, some workers between head and tail, and either server's way with late wake-ups, as it was measured: one
 * wake-up waits for a late worker, further ones melt into it, and a run works on the cycle in which it begins. */
#ifndef TEST_CYCLES_H
#define TEST_CYCLES_H

#include <jackprobe/pair.h>

enum { CYCLES_WORKERS_MAX = 4 };

struct cycles {
	enum jp_pair_mode mode; /* QUEUED: like jackd2 in async mode; COALESCED: like PipeWire */
	size_t n;               /* cycles */
	uint32_t nframes, rate_hz, frame0;
	int64_t start_ns;
	unsigned workers;
	/* the script, per cycle; ns */
	int64_t *wake_jitter_ns;
	int64_t *head_delay_ns; /* beyond the normal dispatch */
	int64_t *work_ns[CYCLES_WORKERS_MAX];
	/* what comes of it */
	int64_t *wake_ns; /* per cycle */
	int64_t *
		end_ns; /* per cycle: entry of the tail's call that the last worker caused; JP_NS_UNKNOWN = no such call */
	struct jp_record *head, *tail;
	size_t n_head, n_tail;
};

/* From wake-up to run; from the end of a run to the tail's call and, when a wake-up waits, to the next run: at the same
 * time, so that which of two cycles a tail at the very edge belongs to is no question. */
enum { CYCLES_DISPATCH_NS = 20000, CYCLES_HOP_NS = 10000 };

/* A graph of one worker that needs 30 % of a 128-frame period at 48 kHz. Change the script, then run. */
struct cycles *cycles_new(enum jp_pair_mode mode, size_t n);
void cycles_free(struct cycles *c);
void cycles_run(struct cycles *c);

int64_t cycles_period_ns(const struct cycles *c);
/* Cycles with an end that lies beyond their period. */
size_t cycles_true_overruns(const struct cycles *c);
/* Cycles with an end. */
size_t cycles_true_ends(const struct cycles *c);
/* Small generator of numbers, the same on every machine: 0 <= result < below. */
uint32_t cycles_random(uint32_t *state, uint32_t below);

/* Take one record out, as if it had been dropped. */
void cycles_lose(struct jp_record *records, size_t *n, size_t at);

/* What the pairing made of the records. */
struct paired {
	struct jp_cycle *cycle;
	size_t n, capacity;
};

/* Put the records in as a collector would, poll by poll, tails first, and collect all cycles, the last ones by flush.
 */
struct paired cycles_pair(struct jp_pair *pair, const struct cycles *c, int64_t poll_ns);
/* All that is to be had now. */
void paired_take(struct paired *out, struct jp_pair *pair, bool flush);
void paired_free(struct paired *p);
/* Cycles with any of the flags. */
size_t paired_flagged(const struct paired *p, unsigned flags);
size_t paired_overruns(const struct paired *p);
uint64_t paired_lost(const struct paired *p);

#endif
