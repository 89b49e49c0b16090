/* Stands in a graph the way jackprobe does, without anything behind it: prints every change of its standing, and at the end
 * what the callbacks recorded. The checks in this folder run it against real servers.
 *
 *   standing SECONDS [head-tail|strict|head] [auto|once|none] [NAME] [SERVER]
 *
 * Ends early on SIGTERM; exit status 3 when the session could not be stopped in time. */
#include "cli/watch_options.h"
#include "graph/session.h"
#include "rt/xrun.h"
#include "sys/clock.h"
#include "sys/signals.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 100 }; /* records of each role: then it says so */

static volatile sig_atomic_t ended;

static void on_term(int sig)
{
	(void)sig;
	ended = 1;
}

struct seen {
	uint64_t records[2], freewheel[2], xruns, dropped;
	uint64_t cost_sum[2], cost_max[2], costs[2];
	uint64_t wake_missing, nominal_missing, rate_missing, frames_off, tail_off, early;
	double delay_us;
	bool told;
	struct jp_record last;
};

static int choice(const char *const *names, const char *name)
{
	for (int i = 0; name && names[i]; i++)
		if (!strcmp(names[i], name))
			return i;
	return 0;
}

static void look_at(struct seen *seen, const struct jp_record *rec)
{
	int r = rec->role;
	seen->records[r]++;
	seen->freewheel[r] += rec->flags & JP_REC_FREEWHEEL;
	if (rec->cost_ns) {
		seen->costs[r]++;
		seen->cost_sum[r] += rec->cost_ns;
		if (rec->cost_ns > seen->cost_max[r])
			seen->cost_max[r] = rec->cost_ns;
	}
	if (r == JP_TAIL) {
		seen->tail_off += seen->last.nframes && (rec->frame - seen->last.frame) % rec->nframes;
		return;
	}
	seen->wake_missing += !rec->wake_us;
	seen->nominal_missing += !rec->nominal_us;
	seen->rate_missing += !rec->rate_hz;
	seen->early += rec->wake_us && rec->entry_ns + 1000 < rec->wake_us * 1000;
	seen->frames_off += seen->last.nframes && rec->frame - seen->last.frame != seen->last.nframes;
	seen->last = *rec;
}

static void drain(struct seen *seen, struct jp_ring *ring)
{
	struct jp_record some[64];
	size_t n;
	while (ring && (n = jp_ring_take(ring, some, 64)))
		for (size_t i = 0; i < n; i++)
			look_at(seen, &some[i]);
}

static void drain_xruns(struct seen *seen, struct jp_ring *ring)
{
	struct jp_xrun xrun;
	while (jp_ring_take(ring, &xrun, 1)) {
		seen->xruns++;
		seen->delay_us = xrun.delay_us;
	}
}

static void tell(const struct jp_session_info *now, const struct jp_session_info *before, int64_t ms)
{
	if (now->attached == before->attached && now->attachment == before->attachment &&
		now->graph_changes == before->graph_changes && now->rate_hz == before->rate_hz &&
		now->frames == before->frames && !strcmp(now->trouble, before->trouble) &&
		!strcmp(now->sched, before->sched))
		return;
	printf("ms=%lld attached=%d generation=%u rate=%lld frames=%lld clients=%lld covered=%lld gone=%u server='%s' "
	       "uncovered='%s' sched='%s' trouble='%s'\n",
		(long long)ms, now->attached, now->attachment ? now->attachment->generation : 0,
		(long long)now->rate_hz, (long long)now->frames, (long long)now->clients, (long long)now->covered,
		now->gone_count, now->server, now->uncovered, now->sched, now->trouble);
}

static void tell_enough(struct seen *seen, const struct jp_attachment *a)
{
	if (seen->told || !a || seen->records[JP_HEAD] < ENOUGH || (a->tail && seen->records[JP_TAIL] < ENOUGH))
		return;
	seen->told = true;
	printf("enough=1\n");
}

static void follow(struct jp_session *session, double seconds, struct seen *seen)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	int64_t start = jp_clock_now(CLOCK_MONOTONIC), now = start;
	struct jp_session_info info = {.rate_hz = -2}, before;
	for (; !ended && (double)(now - start) < seconds * 1e9; now = jp_clock_now(CLOCK_MONOTONIC)) {
		before = info;
		jp_session_poll(session, &info);
		tell_enough(seen, info.attachment);
		tell(&info, &before, (now - start) / 1000000);
		const struct jp_attachment *a = info.attachment;
		if (a && a != before.attachment)
			printf("clock=%s pair_mode=%d wake_source=%d\n",
				a->clock == CLOCK_MONOTONIC_RAW ? "raw" : "monotonic", a->pair_mode, a->wake_source);
		if (a) {
			drain(seen, a->tail);
			drain(seen, a->head);
			drain_xruns(seen, a->xruns);
			seen->dropped = jp_ring_dropped(a->head) + (a->tail ? jp_ring_dropped(a->tail) : 0);
		}
		nanosleep(&pause, NULL);
	}
}

static void sum_up(const struct seen *seen)
{
	printf("head=%llu tail=%llu freewheel=%llu xruns=%llu delay_us=%g dropped=%llu wake_missing=%llu "
	       "nominal_missing=%llu "
	       "rate_missing=%llu frames_off=%llu tail_off=%llu early=%llu head_cost_ns=%.0f head_cost_max_ns=%llu "
	       "tail_cost_ns=%.0f "
	       "tail_cost_max_ns=%llu nframes=%u rate=%u\n",
		(unsigned long long)seen->records[0], (unsigned long long)seen->records[1],
		(unsigned long long)seen->freewheel[0], (unsigned long long)seen->xruns, seen->delay_us,
		(unsigned long long)seen->dropped, (unsigned long long)seen->wake_missing,
		(unsigned long long)seen->nominal_missing, (unsigned long long)seen->rate_missing,
		(unsigned long long)seen->frames_off, (unsigned long long)seen->tail_off,
		(unsigned long long)seen->early, (double)seen->cost_sum[0] / (double)seen->costs[0],
		(unsigned long long)seen->cost_max[0], (double)seen->cost_sum[1] / (double)seen->costs[1],
		(unsigned long long)seen->cost_max[1], seen->last.nframes, seen->last.rate_hz);
}

int main(int argc, char **argv)
{
	static const char *const inserts[] = {"head-tail", "strict", "head", NULL};
	static const char *const wires[] = {"auto", "once", "none", NULL};
	struct jp_session_config config = {.name = argc > 4 ? argv[4] : "standing",
		.server = argc > 5 ? argv[5] : NULL,
		.insert = choice(inserts, argc > 2 ? argv[2] : NULL),
		.wire = choice(wires, argc > 3 ? argv[3] : NULL)};
	struct sigaction term = {.sa_handler = on_term};
	struct jp_session *session;
	struct jp_why why = {""};
	struct seen seen = {.delay_us = NAN};
	setvbuf(stdout, NULL, _IOLBF, 0);
	jp_signals_ignore_stops();
	sigaction(SIGTERM, &term, NULL);
	if (jp_session_start(&config, &session, &why) != JP_OK)
		return 1;
	enum jp_status status = jp_session_wait(session, 5000, &why);
	printf("wait=%d '%s'\n", status, why.text);
	follow(session, argc > 1 ? strtod(argv[1], NULL) : 2, &seen);
	int64_t stop = jp_clock_now(CLOCK_MONOTONIC);
	bool stopped = jp_session_stop(session, 1000);
	sum_up(&seen);
	printf("stopped=%d in_ms=%lld\n", stopped, (long long)(jp_clock_now(CLOCK_MONOTONIC) - stop) / 1000000);
	fflush(stdout);
	if (!stopped)
		_Exit(3);
	return 0;
}
