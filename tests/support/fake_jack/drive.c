/* Plays cycles: virtual time, order of calls, late tails. */
#include "drive.h"

#include <string.h>

enum { PENDING = 64 };

/* Tails that were woken and have not run yet, oldest first: when they will be ready, ns. */
static struct {
	int64_t due[PENDING];
	int n;
} pending;

int64_t fake_period_us(uint32_t nframes)
{
	return (int64_t)nframes * 1000000 / fake.rate;
}

static bool named(const jack_client_t *client, const char *ending)
{
	size_t length = strlen(client->name), end = strlen(ending);
	return length >= end && !strcmp(client->name + length - end, ending);
}

/* Call the clients of one role. */
static void call(bool tails, int64_t at_ns, uint32_t nframes)
{
	for (int i = 0; i < FAKE_CLIENTS; i++) {
		jack_client_t *c = &fake.clients[i];
		if (!c->active || !c->process || named(c, "-tail") != tails)
			continue;
		fake_time_set(at_ns);
		c->process(nframes, c->process_arg);
		fake_time_set(0);
	}
}

static void run_tails(int64_t before_ns, uint32_t nframes)
{
	int done = 0;
	for (int64_t ready = 0; done < pending.n; done++) {
		ready = pending.due[done] > ready ? pending.due[done] : ready + 1000;
		if (ready >= before_ns)
			break;
		call(true, ready, nframes);
	}
	memmove(pending.due, pending.due + done, (size_t)(pending.n - done) * sizeof *pending.due);
	pending.n -= done;
}

static void wake_tail(int64_t due_ns)
{
	bool melts = fake.mode == FAKE_COALESCED && pending.n;
	if (!melts && pending.n < PENDING)
		pending.due[pending.n++] = due_ns;
}

void fake_play(const struct fake_cycle *c)
{
	pthread_mutex_lock(&fake.running);
	if (!fake.nominal_us)
		fake.nominal_us = fake_time() / 1000;
	fake.wake_us = fake.nominal_us + c->late_us;
	fake.period_us = c->step_us;
	fake.rate_of_cycle = fake.rate;
	int64_t wake_ns = fake.wake_us * 1000, next_us = fake.nominal_us + c->step_us;
	if (fake.mode == FAKE_SYNC && fake.wake_us + c->end_us >= next_us)
		next_us = fake.wake_us + c->end_us + 1;
	run_tails(wake_ns + c->dispatch_us * 1000, c->nframes);
	call(false, wake_ns + c->dispatch_us * 1000, c->nframes);
	if (!c->no_tail && !(*fake.starving && fake_feeds_tail(fake.starving)))
		wake_tail(wake_ns + c->end_us * 1000);
	run_tails(next_us * 1000, c->nframes);
	fake.frame += c->nframes;
	fake.nominal_us = next_us;
	pthread_mutex_unlock(&fake.running);
}

void fake_skip(void)
{
	fake.frame += fake.frames;
	fake.nominal_us += fake_period_us(fake.frames);
}

void fake_xrun(float delay_us)
{
	fake.delay_us = delay_us;
	pthread_mutex_lock(&fake.running);
	for (int i = 0; i < FAKE_CLIENTS; i++)
		if (fake.clients[i].active && fake.clients[i].xrun) {
			fake_time_set(fake.nominal_us * 1000);
			fake.clients[i].xrun(fake.clients[i].xrun_arg);
			fake_time_set(0);
		}
	pthread_mutex_unlock(&fake.running);
}

void fake_freewheel(bool on)
{
	for (int i = 0; i < FAKE_CLIENTS; i++)
		if (fake.clients[i].active && fake.clients[i].freewheel)
			fake.clients[i].freewheel(on, fake.clients[i].freewheel_arg);
}

void fake_buffer_size(uint32_t nframes)
{
	fake.frames = nframes;
	for (int i = 0; i < FAKE_CLIENTS; i++)
		if (fake.clients[i].active && fake.clients[i].buffer_size)
			fake.clients[i].buffer_size(nframes, fake.clients[i].buffer_size_arg);
}

void fake_sample_rate(uint32_t rate)
{
	fake.rate = rate;
	for (int i = 0; i < FAKE_CLIENTS; i++)
		if (fake.clients[i].active && fake.clients[i].sample_rate)
			fake.clients[i].sample_rate(rate, fake.clients[i].sample_rate_arg);
}

void fake_shutdown(void)
{
	fake.down = true;
	pending.n = 0;
	fake.nominal_us = 0;
	for (int i = 0; i < FAKE_CLIENTS; i++) {
		jack_client_t *c = &fake.clients[i];
		if (!c->active)
			continue;
		if (c->info_shutdown)
			c->info_shutdown(JackServerError, "the script says so", c->info_shutdown_arg);
		if (c->shutdown)
			c->shutdown(c->shutdown_arg);
		c->active = false;
	}
}
