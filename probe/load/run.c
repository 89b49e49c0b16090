/* Supervises one run. */
#include "run.h"

#include "crew.h"
#include "sys/clock.h"
#include "sys/signals.h"
#include "sys/thread.h"
#include "sys/utf8.h"
#include "truth.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { TICK_MS = 50, FIRST_CALL_TICKS = 60, KEEP_S = 60, GRACE_MS = 2000 };

struct run {
	struct jp_load_plan plan;
	struct jp_load_edge *edges;
	struct jp_crew *crew;
	FILE *truth;
	int signals; /* signalfd, read by the attending thread */
	int wanted;  /* eventfd: the user wants an end */
	int over;    /* eventfd: the run has come to its end */
	bool attended;
	pthread_t attendant;
	bool stop; /* the main thread knows of it */
	bool failed;
	int64_t elapsed_ns, cpu_ns; /* of the measured part */
};

static void complain(struct run *r, const struct jp_why *why)
{
	char shown[2 * sizeof why->text];
	jp_utf8_show(why->text, shown, sizeof shown);
	fprintf(stderr, "jackprobe load: %s\n", shown);
	r->failed = true;
}

/* Wait up to ms for the user's wish to end. */
static bool stop_wanted(struct run *r, int ms)
{
	struct pollfd p = {.fd = r->wanted, .events = POLLIN};
	if (!r->stop)
		r->stop = poll(&p, 1, ms) > 0;
	return r->stop;
}

static void post(int fd)
{
	uint64_t one = 1;
	if (write(fd, &one, sizeof one) != sizeof one)
		abort(); /* an eventfd takes it always */
}

static _Noreturn void leave(const struct run *r)
{
	fprintf(stderr, "jackprobe load: the JACK server does not answer; leaving without taking the clients out\n");
	jp_crew_abandon(r->crew);
	_exit(1);
}

/* The attending thread: passes the first signal on, and ends the program when a hung server keeps the main thread in a
 * call of libjack. A second signal has its usual effect. */
static void *attend(void *arg)
{
	struct run *r = arg;
	struct pollfd p[2] = {{.fd = r->signals, .events = POLLIN}, {.fd = r->over, .events = POLLIN}};
	while (poll(p, 2, -1) < 0)
		;
	if (p[1].revents)
		return NULL;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	struct signalfd_siginfo info;
	if (read(r->signals, &info, sizeof info) == sizeof info)
		post(r->wanted);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	for (uint32_t seen; seen = jp_crew_progress(r->crew), poll(&p[1], 1, GRACE_MS) == 0;)
		if (jp_crew_progress(r->crew) == seen)
			leave(r);
	return NULL;
}
static enum jp_status watch_signals(struct run *r, struct jp_why *why)
{
	sigset_t set;
	jp_signals_ignore_stops();
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	r->signals = signalfd(-1, &set, SFD_CLOEXEC);
	r->wanted = eventfd(0, EFD_CLOEXEC);
	r->over = eventfd(0, EFD_CLOEXEC);
	if (r->signals >= 0 && r->wanted >= 0 && r->over >= 0)
		return JP_OK;
	return jp_why_set(why, JP_NO_MEM, "no descriptor for signals: %s", strerror(errno));
}

static enum jp_status make_plan(struct run *r, const struct jp_load_options *o, struct jp_why *why)
{
	enum jp_load_shape shape = (enum jp_load_shape)o->shape;
	uint32_t n = (uint32_t)o->clients;
	struct jp_load_plan *plan = &r->plan;
	plan->options = o;
	plan->spike_client = o->spike_client >= 0 ? (uint32_t)o->spike_client : n / 2;
	plan->keep_s = !o->truth ? NAN : isnan(o->duration_s) ? KEEP_S : o->duration_s;
	enum jp_status st = jp_load_spike_parse(o->spike, &plan->spike, why);
	if (st)
		return st;
	plan->n_edges = o->ports ? jp_load_edges(shape, n, NULL, 0) : 0; /* without ports nothing can be linked */
	r->edges = calloc(plan->n_edges + 1, sizeof *r->edges);
	if (!r->edges)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	jp_load_edges(shape, n, r->edges, plan->n_edges);
	plan->edges = r->edges;
	return jp_load_area_open(&plan->area, n, plan->keep_s, why);
}

static enum jp_status prepare(struct run *r, const struct jp_load_options *o, struct jp_why *why)
{
	enum jp_status st = make_plan(r, o, why);
	if (!st && o->truth)
		st = jp_truth_open(o->truth, &r->truth, why);
	if (!st)
		st = watch_signals(r, why);
	if (!st)
		st = jp_crew_new(&r->plan, &r->crew, why);
	/* After the forks: a process of a client has one thread. */
	if (!st && jp_thread_start(&r->attendant, "jp-attend", attend, r))
		st = jp_why_set(why, JP_NO_MEM, "no thread to wait for signals");
	r->attended = !st;
	return st;
}

static enum jp_status each(struct run *r, enum jp_load_order order, struct jp_why *why)
{
	for (uint32_t i = 0; i < r->plan.area.n_clients && !stop_wanted(r, 0); i++) {
		enum jp_status st = jp_crew_do(r->crew, i, order, why);
		if (st)
			return st;
	}
	return JP_OK;
}

/* jackd2 may forget to call a client that opened while another one left. */
static enum jp_status all_called(struct run *r, struct jp_why *why)
{
	const struct jp_load_area *area = &r->plan.area;
	uint32_t i = 0;
	for (int tick = 0; tick < FIRST_CALL_TICKS && !r->stop; tick++) {
		while (i < area->n_clients && jp_load_read(&area->seats[i].tally.calls_))
			i++;
		if (i == area->n_clients)
			return JP_OK;
		stop_wanted(r, TICK_MS);
	}
	return r->stop ? JP_OK
		       : jp_why_set(why, JP_TIMEOUT,
				 "the JACK server does not call client %s: it is stopped, or another client left while "
				 "this one opened; "
				 "run again",
				 area->seats[i].name);
}

static void say_ready(const struct run *r)
{
	const struct jp_load_seat *seat = r->plan.area.seats;
	printf("load: %u clients run at %u Hz, %u frames, %zu client-to-client links%s\n", r->plan.area.n_clients,
		seat->rate_hz, seat->frames, r->plan.n_edges,
		isnan(r->plan.options->duration_s) ? "; Ctrl-C ends" : "");
	fflush(stdout);
	for (uint32_t i = 0; i < r->plan.area.n_clients; i++)
		if (seat[i].unlocked) {
			fprintf(stderr,
				"jackprobe load: memory of %s could not be locked, page faults may make it late: raise "
				"the "
				"limit on locked memory (ulimit -l)\n",
				seat[i].name);
			return;
		}
}

static void measure(struct run *r)
{
	struct jp_load_board *board = r->plan.area.board;
	double duration_s = r->plan.options->duration_s;
	int64_t start = jp_clock_now(CLOCK_MONOTONIC), cpu = jp_crew_cpu_ns(r->crew);
	int64_t end = isnan(duration_s) ? INT64_MAX : start + (int64_t)(duration_s * 1e9);
	enum jp_status st = JP_OK;
	say_ready(r);
	__atomic_store_n(&board->measuring_, 1, __ATOMIC_RELEASE);
	while (st != JP_GONE && jp_clock_now(CLOCK_MONOTONIC) < end) {
		int64_t left_ms = (end - jp_clock_now(CLOCK_MONOTONIC)) / 1000000 + 1;
		if (stop_wanted(r, left_ms < TICK_MS ? (int)left_ms : TICK_MS))
			break;
		struct jp_why why;
		st = jp_crew_check(r->crew, &why);
		if (st)
			complain(r, &why);
	}
	__atomic_store_n(&board->measuring_, 0, __ATOMIC_RELEASE);
	r->elapsed_ns = jp_clock_now(CLOCK_MONOTONIC) - start;
	r->cpu_ns = jp_crew_cpu_ns(r->crew) - cpu;
}

static enum jp_status bring_up(struct run *r, struct jp_why *why)
{
	enum jp_status st = each(r, JP_LOAD_OPEN, why);
	if (!st)
		st = each(r, JP_LOAD_CONNECT, why);
	if (!st)
		st = all_called(r, why);
	return st;
}

static void say_result(const struct run *r)
{
	const struct jp_load_area *area = &r->plan.area;
	uint64_t cycles = 0, dropped = 0;
	for (uint32_t i = 0; i < area->n_clients; i++) {
		uint64_t n = jp_load_read(&area->seats[i].tally.cycles_);
		cycles = n > cycles ? n : cycles;
		dropped += jp_load_read(&area->seats[i].tally.dropped_);
	}
	printf("load: %u clients, %llu cycles, %llu late (a client finished after the period), %.1f %% of a core\n",
		area->n_clients, (unsigned long long)cycles, (unsigned long long)jp_load_read(&area->board->late_),
		100.0 * (double)r->cpu_ns / (double)r->elapsed_ns);
	if (dropped)
		printf("load: %llu calls are not in the file of --truth: there was no more room\n",
			(unsigned long long)dropped);
	fflush(stdout);
}

static void finish(struct run *r)
{
	struct jp_why why;
	if (r->crew)
		jp_crew_close(r->crew);
	if (r->attended) {
		post(r->over);
		pthread_join(r->attendant, NULL);
	}
	if (r->elapsed_ns)
		say_result(r);
	if (r->truth && r->elapsed_ns && jp_truth_write(&r->plan.area, r->truth, &why))
		complain(r, &why);
	if (r->truth)
		fclose(r->truth);
	const int fds[] = {r->signals, r->wanted, r->over};
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (r->crew)
		jp_crew_free(r->crew);
	if (r->plan.area.board)
		jp_load_area_close(&r->plan.area);
	free(r->edges);
}

int jp_load_run(const struct jp_load_options *options)
{
	struct run r = {.signals = -1, .wanted = -1, .over = -1};
	struct jp_why why;
	enum jp_status st = prepare(&r, options, &why);
	if (!st)
		st = bring_up(&r, &why);
	if (st)
		complain(&r, &why);
	else if (!r.stop)
		measure(&r);
	finish(&r);
	return r.failed;
}
