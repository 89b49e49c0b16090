/* The probe's standing in the graph: attach, follow, and after the server's death attach again. One thread of its own
 * makes all calls into libjack. */
#include "session.h"

#include "cli/watch_options.h"
#include "client.h"
#include "message.h"
#include "sys/clock.h"
#include "sys/thread.h"
#include "timed.h"
#include "wiring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

enum {
	TICK_MS = 500,      /* housekeeping when nothing happens */
	FIRST_TICK_MS = 20, /* ... until the callbacks run */
	HANG_MS = 2000,     /* a call that takes longer is told */
	UNCALLED_MS = 1000, /* one of our clients runs and the other does not for that long: open anew */
	BROKEN_OFF_MAX = 3, /* openings that the server breaks off until that is the answer */
	BACK_OFF_MS = 250,
	BACK_OFF_MAX_MS = 2000,
	FREEWHEEL_MS =
		10000, /* between looks whether a server still freewheels: each is a client that comes and goes */
};

struct jp_session {
	struct jp_session_config config;
	pthread_t thread;
	sem_t wake; /* posted by notifications and by stop */
	struct jp_shared_u32 stop;
	struct jp_watch watch;

	pthread_mutex_t lock; /* of what follows; never held over a call into libjack */
	pthread_cond_t news;  /* of decided and ended */
	struct jp_session_info info;
	bool decided; /* the first attempt has ended so */
	enum jp_status first_status;
	bool ended;                     /* the thread is about to return */
	uint32_t polled, polled_before; /* generations that the collector's last two polls showed */

	/* The thread's own. */
	uint32_t generation;
	int broken_off;         /* openings that the server broke off */
	int patience_ms;        /* least pause before the next attempt */
	pid_t process_tid;      /* of the head's process thread in this stay; 0 = not known yet */
	struct jp_stay *parted; /* closed, perhaps still read by the collector */
};

/* Wait for news, at most ns. */
static void pause_for(struct jp_session *s, int64_t ns)
{
	int64_t end = jp_clock_now(CLOCK_MONOTONIC) + ns;
	const struct timespec until = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
	sem_clockwait(&s->wake, CLOCK_MONOTONIC, &until);
}

static bool stopping(struct jp_session *s)
{
	return jp_shared_get(&s->stop);
}

/* Free stays that the collector reads no more: its last two polls showed it later ones. */
static void reap(struct jp_session *s)
{
	pthread_mutex_lock(&s->lock);
	uint32_t seen = s->polled_before;
	pthread_mutex_unlock(&s->lock);
	for (struct jp_stay **at = &s->parted; *at;) {
		struct jp_stay *stay = *at;
		if (stay->shown.generation < seen) {
			*at = stay->next;
			jp_stay_free(stay);
		} else {
			at = &stay->next;
		}
	}
}

static void decide(struct jp_session *s, enum jp_status status)
{
	if (!s->decided) {
		s->decided = true;
		s->first_status = status;
		pthread_cond_broadcast(&s->news);
	}
}

static void show_attached(struct jp_session *s, const struct jp_stay *stay)
{
	pthread_mutex_lock(&s->lock);
	s->info.attached = true;
	s->info.attachment = &stay->shown;
	s->info.trouble[0] = 0;
	snprintf(s->info.server, sizeof s->info.server, "%s", stay->server);
	pthread_mutex_unlock(&s->lock);
}

static void show_detached(struct jp_session *s, bool gone, const char *trouble)
{
	pthread_mutex_lock(&s->lock);
	s->info.attached = s->info.settled = false;
	s->info.timing = NULL;
	s->info.timing_why[0] = 0;
	s->info.clients = s->info.covered = s->info.rate_hz = s->info.frames = -1;
	s->info.uncovered[0] = s->info.sched[0] = 0;
	s->info.gone_count += gone;
	snprintf(s->info.trouble, sizeof s->info.trouble, "%s", trouble);
	pthread_mutex_unlock(&s->lock);
}

/* No server at all is the answer at once. A server that breaks an opening off (seen on jackd2 when other clients leave in
 * that moment) gets a few more tries before the first attempt counts as failed. */
static void show_failed(struct jp_session *s, enum jp_status status, const char *trouble)
{
	bool final = status != JP_IO || ++s->broken_off >= BROKEN_OFF_MAX;
	pthread_mutex_lock(&s->lock);
	snprintf(s->info.trouble, sizeof s->info.trouble, "%s", trouble);
	if (final)
		decide(s, status);
	pthread_mutex_unlock(&s->lock);
}

static int64_t known(const struct jp_shared_u32 *value)
{
	uint32_t v = jp_shared_get(value);
	return v ? (int64_t)v : -1;
}

static void show_standing(
	struct jp_session *s, const struct jp_wiring *wiring, const struct jp_timed *timed, bool changed)
{
	const struct jp_stay *stay = wiring->stay;
	char sched[sizeof s->info.sched] = "";
	/* Asked once, right after its first call: later the thread may be gone. */
	if (!s->process_tid && jp_shared_get(&stay->head.calls))
		s->process_tid = jp_thread_tid(stay->head.thread);
	bool as_usual = !jp_shared_get(&stay->notes.freewheel); /* jackd2 freewheels without real-time scheduling */
	if (s->process_tid > 0 && as_usual) {
		struct jp_sched is = jp_sched_of(s->process_tid);
		jp_sched_text(&is, stay->server_realtime, sched, sizeof sched);
	}
	pthread_mutex_lock(&s->lock);
	s->info.rate_hz = known(&stay->notes.rate_hz);
	s->info.frames = known(&stay->notes.frames);
	s->info.clients = wiring->clients;
	s->info.covered = wiring->covered;
	s->info.graph_changes += changed;
	s->info.timing = stay->timing;
	memcpy(s->info.timing_why, timed->why, sizeof s->info.timing_why);
	s->info.settled = (wiring->wired && timed->decided) || jp_shared_get(&stay->notes.freewheel);
	if (s->info.settled)
		decide(s, JP_OK);
	if (as_usual)
		memcpy(s->info.sched, sched, sizeof sched);
	memcpy(s->info.uncovered, wiring->uncovered, sizeof s->info.uncovered);
	snprintf(s->info.trouble, sizeof s->info.trouble, "%s", wiring->trouble);
	pthread_mutex_unlock(&s->lock);
}

static bool both_are_called(const struct jp_stay *stay)
{
	return jp_shared_get(&stay->head.calls) && (!stay->tail.client || jp_shared_get(&stay->tail.calls));
}

/* One of our clients is called and the other never was. There are no cables yet: nobody else is the cause. */
static bool one_is_never_called(const struct jp_stay *stay, int64_t since_ns)
{
	bool late = jp_clock_now(CLOCK_MONOTONIC) - since_ns > UNCALLED_MS * MS;
	return late && !both_are_called(stay) && (jp_shared_get(&stay->head.calls) || jp_shared_get(&stay->tail.calls));
}

static const char *reason_to_leave(const struct jp_stay *stay, const struct jp_wiring *wiring, int64_t since_ns)
{
	if (jp_shared_get(&stay->notes.gone))
		return "the JACK server went away; waiting for it to come back";
	if (one_is_never_called(stay, since_ns) || jp_wiring_wants_reopening(wiring))
		return "the server never calls one of the probe's clients; opening them anew";
	return NULL;
}

/* -1 = never. */
static int64_t sooner(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Be part of the graph until something ends it; @return the reason, NULL when stopped. */
static const char *follow(struct jp_session *s, struct jp_stay *stay)
{
	struct jp_wiring wiring;
	struct jp_timed timed;
	int64_t since = jp_clock_now(CLOCK_MONOTONIC);
	jp_wiring_init(&wiring, stay, &s->watch, &s->config);
	jp_timed_init(&timed, stay, &s->watch, s->config.timing);
	const char *reason = NULL;
	while (!stopping(s)) {
		reason = reason_to_leave(stay, &wiring, since);
		if (reason)
			break;
		bool called = both_are_called(stay);
		bool changed = called && jp_wiring_step(&wiring);
		jp_timed_step(&timed, wiring.wired);
		show_standing(s, &wiring, &timed, changed);
		reap(s);
		int64_t due = called ? sooner(jp_wiring_due(&wiring), jp_timed_due(&timed)) : -1;
		int64_t tick = (called ? TICK_MS : FIRST_TICK_MS) * MS;
		pause_for(s, due >= 0 && due < tick ? due : tick);
	}
	jp_wiring_clear(&wiring);
	return reason;
}

/* One stay, from opening to closing; @return whether its callbacks ran. */
static bool stay_once(struct jp_session *s)
{
	struct jp_why why = {"out of memory for the rings"};
	enum jp_status status = JP_NO_MEM;
	struct jp_stay *stay = jp_stay_new(s->generation + 1, s->config.insert != JP_INSERT_HEAD, &s->wake);
	s->patience_ms = 0;
	if (!stay) {
		show_failed(s, status, why.text);
		return false;
	}
	status = jp_clients_open(stay, &s->config, &s->watch, &why);
	if (status == JP_OK)
		status = jp_clients_activate(stay, &s->watch, &why);
	if (status != JP_OK) {
		s->patience_ms = stay->met_freewheel ? FREEWHEEL_MS : 0;
		jp_stay_free(stay);
		show_failed(s, status, why.text);
		return false;
	}
	s->generation++;
	s->process_tid = 0;
	show_attached(s, stay);
	const char *reason = follow(s, stay);
	bool gone = jp_shared_get(&stay->notes.gone) != 0;
	bool ran = both_are_called(stay);
	show_detached(s, gone, reason ? reason : "");
	jp_clients_close(stay, &s->watch);
	stay->next = s->parted;
	s->parted = stay;
	return ran;
}

static void *run(void *arg)
{
	struct jp_session *s = arg;
	int64_t back_off = BACK_OFF_MS * MS;
	while (!stopping(s)) {
		if (stay_once(s))
			back_off = BACK_OFF_MS * MS;
		reap(s);
		int64_t rest = s->patience_ms * MS > back_off ? s->patience_ms * MS : back_off;
		int64_t end = jp_clock_now(CLOCK_MONOTONIC) + rest;
		for (int64_t left = rest; left > 0 && !stopping(s); left = end - jp_clock_now(CLOCK_MONOTONIC))
			pause_for(s, left);
		back_off = back_off * 2 < BACK_OFF_MAX_MS * MS ? back_off * 2 : BACK_OFF_MAX_MS * MS;
	}
	pthread_mutex_lock(&s->lock);
	s->ended = true;
	pthread_cond_broadcast(&s->news);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

enum jp_status jp_session_start(const struct jp_session_config *config, struct jp_session **out, struct jp_why *why)
{
	struct jp_session *s = calloc(1, sizeof *s);
	if (!s)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	s->config = *config;
	s->info.rate_hz = s->info.frames = s->info.clients = s->info.covered = -1;
	sem_init(&s->wake, 0, 0);
	jp_watch_init(&s->watch);
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->news, NULL);
	jp_messages_catch();
	if (jp_thread_start(&s->thread, "jp-graph", run, s) != JP_OK) {
		free(s);
		return jp_why_set(why, JP_NO_MEM, "no thread for the graph: the system's limit of threads is reached");
	}
	*out = s;
	return JP_OK;
}

/* With the lock held: wait for a flag, at most ms. */
static bool wait_until(struct jp_session *s, const bool *flag, int ms)
{
	int64_t end = jp_clock_now(CLOCK_MONOTONIC) + ms * MS;
	const struct timespec until = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
	int err = 0;
	while (!*flag && !err)
		err = pthread_cond_clockwait(&s->news, &s->lock, CLOCK_MONOTONIC, &until);
	return *flag;
}

enum jp_status jp_session_wait(struct jp_session *s, int ms, struct jp_why *why)
{
	pthread_mutex_lock(&s->lock);
	wait_until(s, &s->decided, ms);
	enum jp_status status = s->decided ? s->first_status : JP_TIMEOUT;
	jp_why_set(why, status, "%s", s->decided ? s->info.trouble : "the JACK server does not answer; still trying");
	pthread_mutex_unlock(&s->lock);
	return status;
}

enum jp_status jp_session_timing(struct jp_session *s, struct jp_why *why)
{
	pthread_mutex_lock(&s->lock);
	enum jp_status status = s->info.timing ? JP_OK : (s->info.timing_why[0] ? JP_UNSUPPORTED : JP_EMPTY);
	jp_why_set(why, status, "%s", s->info.timing_why);
	pthread_mutex_unlock(&s->lock);
	return status;
}

void jp_session_poll(struct jp_session *s, struct jp_session_info *out)
{
	char hang[sizeof out->trouble];
	bool hangs = jp_watch_hangs(&s->watch, HANG_MS, hang, sizeof hang);
	pthread_mutex_lock(&s->lock);
	*out = s->info;
	s->polled_before = s->polled;
	s->polled = s->info.attachment ? s->info.attachment->generation : 0;
	pthread_mutex_unlock(&s->lock);
	out->hangs = hangs;
	if (hangs)
		memcpy(out->trouble, hang, sizeof hang);
}

bool jp_session_stop(struct jp_session *s, int ms)
{
	jp_shared_set(&s->stop, 1);
	sem_post(&s->wake);
	pthread_mutex_lock(&s->lock);
	bool ended = wait_until(s, &s->ended, ms);
	pthread_mutex_unlock(&s->lock);
	if (!ended)
		return false;
	pthread_join(s->thread, NULL);
	while (s->parted) {
		struct jp_stay *next = s->parted->next;
		jp_stay_free(s->parted);
		s->parted = next;
	}
	free(s);
	return true;
}
