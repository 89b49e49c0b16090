/* Clients: opening, callbacks, what they may ask in a cycle. */
#include "fake.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct fake_state fake = {.lock = PTHREAD_MUTEX_INITIALIZER,
	.running = PTHREAD_MUTEX_INITIALIZER,
	.version = "1.9.21",
	.clock = CLOCK_MONOTONIC_RAW,
	.rate = 48000,
	.frames = 128};

/* The last samples end where the array ends: writing more than nframes is found by the address sanitizer. */
static float samples[FAKE_FRAMES_MAX];

void fake_maybe_hang(const char *call)
{
	if (strcmp(call, fake.hang) != 0)
		return;
	const struct timespec hang = {(time_t)fake.hang_s, (long)((fake.hang_s - (double)(time_t)fake.hang_s) * 1e9)};
	nanosleep(&hang, NULL);
}

jack_client_t *jack_client_open(const char *name, jack_options_t options, jack_status_t *status, ...)
{
	(void)options;
	fake_maybe_hang("open");
	fake_drive();
	pthread_mutex_lock(&fake.lock);
	jack_client_t *client = NULL;
	for (int i = 0; i < FAKE_CLIENTS && !client && !fake.down; i++)
		if (!fake.clients[i].used)
			client = &fake.clients[i];
	if (client) {
		memset(client, 0, sizeof *client);
		client->used = true;
		snprintf(client->name, sizeof client->name, "%s", name);
	}
	pthread_mutex_unlock(&fake.lock);
	if (status)
		*status = client ? 0 : JackFailure | JackServerFailed;
	return client;
}

int jack_client_close(jack_client_t *client)
{
	fake_maybe_hang("close");
	pthread_mutex_lock(&fake.running);
	client->active = client->used = false;
	pthread_mutex_unlock(&fake.running);
	for (int i = 0; i < FAKE_PORTS; i++)
		if (fake.ports[i].used && fake.ports[i].owner == client)
			fake_port_remove(fake.ports[i].name);
	fake_tell_order();
	return 0;
}

int jack_activate(jack_client_t *client)
{
	fake_maybe_hang("activate");
	pthread_mutex_lock(&fake.running);
	client->active = true;
	pthread_mutex_unlock(&fake.running);
	fake_tell_order();
	return 0;
}

int jack_deactivate(jack_client_t *client)
{
	pthread_mutex_lock(&fake.running);
	client->active = false;
	pthread_mutex_unlock(&fake.running);
	return 0;
}

/* One setter looks like the next. */
#define SETTER(function, type, member)                                                                                 \
	int function(jack_client_t *client, type callback, void *arg)                                                  \
	{                                                                                                              \
		client->member = callback;                                                                             \
		client->member##_arg = arg;                                                                            \
		return 0;                                                                                              \
	}

SETTER(jack_set_process_callback, JackProcessCallback, process)
SETTER(jack_set_xrun_callback, JackXRunCallback, xrun)
SETTER(jack_set_freewheel_callback, JackFreewheelCallback, freewheel)
SETTER(jack_set_buffer_size_callback, JackBufferSizeCallback, buffer_size)
SETTER(jack_set_sample_rate_callback, JackSampleRateCallback, sample_rate)
SETTER(jack_set_graph_order_callback, JackGraphOrderCallback, order)
SETTER(jack_set_port_registration_callback, JackPortRegistrationCallback, port)
SETTER(jack_set_port_connect_callback, JackPortConnectCallback, cable)

void jack_on_shutdown(jack_client_t *client, JackShutdownCallback callback, void *arg)
{
	client->shutdown = callback;
	client->shutdown_arg = arg;
}

void jack_on_info_shutdown(jack_client_t *client, JackInfoShutdownCallback callback, void *arg)
{
	client->info_shutdown = callback;
	client->info_shutdown_arg = arg;
}

int jack_set_latency_callback(jack_client_t *client, JackLatencyCallback callback, void *arg)
{
	(void)client;
	(void)callback;
	(void)arg;
	return 0;
}

void jack_set_error_function(void (*f)(const char *))
{
	(void)f;
}

void jack_set_info_function(void (*f)(const char *))
{
	(void)f;
}

const char *jack_get_version_string(void)
{
	return fake.version;
}

char *jack_get_client_name(jack_client_t *client)
{
	return client->name;
}

int jack_client_name_size(void)
{
	return (int)sizeof fake.clients->name;
}

int jack_is_realtime(jack_client_t *client)
{
	(void)client;
	return 1;
}

int jack_client_real_time_priority(jack_client_t *client)
{
	(void)client;
	return -1; /* it is not */
}

jack_nframes_t jack_get_sample_rate(jack_client_t *client)
{
	(void)client;
	return fake.rate;
}

jack_nframes_t jack_get_buffer_size(jack_client_t *client)
{
	(void)client;
	return fake.frames;
}

jack_nframes_t jack_last_frame_time(const jack_client_t *client)
{
	(void)client;
	return fake.frame;
}

jack_nframes_t jack_frame_time(const jack_client_t *client)
{
	(void)client;
	int64_t in_us = (int64_t)jack_get_time() - fake.wake_us;
	return fake.frame + (jack_nframes_t)(in_us * fake.rate / 1000000);
}

int jack_get_cycle_times(const jack_client_t *client, jack_nframes_t *frames, jack_time_t *now_us, jack_time_t *next_us,
	float *period_us)
{
	(void)client;
	*frames = fake.frame;
	*now_us = (jack_time_t)fake.nominal_us;
	*next_us = (jack_time_t)(fake.nominal_us + fake.period_us);
	*period_us = (float)fake.period_us;
	return 0;
}

jack_transport_state_t jack_transport_query(const jack_client_t *client, jack_position_t *pos)
{
	(void)client;
	memset(pos, 0, sizeof *pos);
	pos->usecs = (jack_time_t)fake.wake_us;
	pos->frame_rate = fake.rate_of_cycle;
	return JackTransportStopped;
}

float jack_get_xrun_delayed_usecs(jack_client_t *client)
{
	(void)client;
	return fake.delay_us;
}

float jack_cpu_load(jack_client_t *client)
{
	(void)client;
	return 0;
}

void *jack_port_get_buffer(jack_port_t *port, jack_nframes_t nframes)
{
	(void)port;
	return samples + FAKE_FRAMES_MAX - nframes;
}

void jack_midi_clear_buffer(void *buffer)
{
	(void)buffer;
}
