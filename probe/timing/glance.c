/* The look at the slots before the next wake-up. */
#include "timing/glance.h"

#include "sys/clock.h"
#include "sys/thread.h"

#include <errno.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define MARGIN_MAX_NS 300000 /* the thread may come late by so much on an idle machine */
#define WHOLE_NS 10000 /* a look that takes longer was interrupted: head or tail may have looked in the middle of it */
#define STEP_NS 10000  /* between looks at one who runs late, at first; */
#define STEP_SHARE 64  /* later that share of the time since the first look, in each period anew */
#define RUN_PERIODS 4  /* who has been in his callback for so long is not waited for: he may be dead */
#define PRIORITY 1     /* the lowest there is */
#define SLACK_NS 1000  /* timers of ordinary threads are 50 us late unless told otherwise */
#define SILENT_PERIODS 16       /* the head has not been called for so long: do not guess where cycles begin */
#define SILENT_NAP_NS 100000000 /* look again whether it is */

struct jp_glance {
	struct jp_slots *slots;
	int32_t driver;
	clockid_t clock;
	pthread_t thread;
	sem_t wake;
	int64_t period_ns_, dispatch_ns_; /* atomic; period 0: rest */
	uint32_t stop_, busy_;            /* atomic; busy: a look is being taken */
	int64_t horizon_ns;               /* what the reader of the ring was told last */
};

int64_t jp_glance_margin(int64_t period_ns)
{
	return period_ns / 8 < MARGIN_MAX_NS ? period_ns / 8 : MARGIN_MAX_NS;
}

int64_t jp_glance_due(int64_t entry_ns, int64_t dispatch_ns, int64_t period_ns, int64_t last_ns, int64_t now_ns)
{
	int64_t margin = jp_glance_margin(period_ns), due = entry_ns - dispatch_ns + period_ns - margin;
	int64_t after = now_ns > last_ns + period_ns / 2 ? now_ns : last_ns + period_ns / 2;
	if (due <= after)
		due += (after - due + period_ns) / period_ns * period_ns;
	return due;
}

int64_t jp_glance_step(int64_t since_ns, int64_t period_ns)
{
	int64_t step = since_ns % period_ns / STEP_SHARE;
	return step > STEP_NS ? step : STEP_NS;
}

static bool stopped(const struct jp_glance *g)
{
	return __atomic_load_n(&g->stop_, __ATOMIC_ACQUIRE);
}

/* Until it is posted, or for so long; negative = for ever. */
static void rest(struct jp_glance *g, int64_t ns)
{
	if (ns < 0) {
		while (sem_wait(&g->wake) && errno == EINTR)
			continue;
		return;
	}
	int64_t until = jp_clock_now(CLOCK_MONOTONIC) + ns;
	const struct timespec at = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
	while (sem_clockwait(&g->wake, CLOCK_MONOTONIC, &at) && errno == EINTR)
		continue;
}

/* Busy is said before the clock is read: who reads the clock before he sees no look going on has all that began by then. */
static void look(struct jp_glance *g, bool late)
{
	__atomic_store_n(&g->busy_, 1, __ATOMIC_SEQ_CST);
	int64_t now = jp_clock_now(g->clock);
	jp_slots_look(g->slots, JP_LOOK_GLANCE, now);
	bool whole = jp_clock_now(g->clock) - now <= WHOLE_NS;
	if (late || !whole)
		jp_slots_mark(g->slots, JP_LOOK_GLANCE, now, whole);
	__atomic_store_n(&g->busy_, 0, __ATOMIC_RELEASE);
}

/* Whoever runs past the time of the look may end, and begin anew, before our callbacks come: look until he has ended. */
static void follow(struct jp_glance *g, int64_t period_ns)
{
	int64_t begun = jp_clock_now(g->clock);
	for (bool late = false;; late = true) {
		look(g, late);
		int64_t now = jp_clock_now(g->clock);
		if (stopped(g) || !jp_slots_running(g->slots, now - RUN_PERIODS * period_ns, g->driver))
			return;
		rest(g, jp_glance_step(now - begun, period_ns));
	}
}

static void *run(void *arg)
{
	struct jp_glance *g = arg;
	int64_t last_ns = 0;
	(void)prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0);
	while (!stopped(g)) {
		int64_t period = __atomic_load_n(&g->period_ns_, __ATOMIC_ACQUIRE);
		if (period <= 0) {
			rest(g, -1);
			continue;
		}
		int64_t now = jp_clock_now(g->clock), entry = jp_slots_entered(g->slots, JP_HEAD);
		if (now - entry > SILENT_PERIODS * period) {
			rest(g, SILENT_NAP_NS);
			continue;
		}
		int64_t dispatch = __atomic_load_n(&g->dispatch_ns_, __ATOMIC_RELAXED);
		int64_t due = jp_glance_due(entry, dispatch, period, last_ns, now);
		rest(g, due - now);
		/* The cycle has begun later than foreseen: wait for its end. */
		int64_t begun = jp_slots_entered(g->slots, JP_HEAD), at = jp_clock_now(g->clock);
		if (begun != entry && begun - dispatch + period - at > 2 * jp_glance_margin(period))
			continue;
		follow(g, period);
		last_ns = at;
	}
	return NULL;
}

struct jp_glance *jp_glance_new(struct jp_slots *slots, int32_t driver, clockid_t clock, bool realtime)
{
	struct jp_glance *g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	g->slots = slots;
	g->driver = driver;
	g->clock = clock;
	sem_init(&g->wake, 0, 0);
	if (jp_thread_start(&g->thread, "jp-glance", run, g) == JP_OK) {
		if (realtime)
			(void)pthread_setschedparam(
				g->thread, SCHED_FIFO, &(struct sched_param){.sched_priority = PRIORITY});
		return g;
	}
	sem_destroy(&g->wake);
	free(g);
	return NULL;
}

void jp_glance_free(struct jp_glance *g)
{
	if (!g)
		return;
	__atomic_store_n(&g->stop_, 1, __ATOMIC_RELEASE);
	sem_post(&g->wake);
	pthread_join(g->thread, NULL);
	sem_destroy(&g->wake);
	free(g);
}

void jp_glance_set(struct jp_glance *g, int64_t period_ns, int64_t dispatch_ns)
{
	__atomic_store_n(&g->dispatch_ns_, dispatch_ns, __ATOMIC_RELAXED);
	int64_t was = __atomic_exchange_n(&g->period_ns_, period_ns, __ATOMIC_ACQ_REL);
	if (was <= 0 && period_ns > 0)
		sem_post(&g->wake);
}

int64_t jp_glance_horizon(struct jp_glance *g, int64_t now_ns)
{
	if (!__atomic_load_n(&g->busy_, __ATOMIC_SEQ_CST))
		g->horizon_ns = now_ns;
	return g->horizon_ns;
}
