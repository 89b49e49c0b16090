/* Set-up of one synthetic client; its callback is rt/load_client.c. */
#include "client.h"

#include "graph/message.h"
#include "graph/server.h"
#include "sys/clock.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Not in every libjack. */
#pragma weak jack_get_version_string

struct jp_load_client {
	struct jp_load_rt rt;
	struct jp_load_seat *seat;
};

enum { CABLE_TRIES = 2500, CABLE_PAUSE_NS = 2000000 }; /* together 5 s */
enum { GONE_TRIES = 40, GONE_PAUSE_NS = 5000000 };     /* together 0.2 s */
enum { OPEN_TRIES = 10, OPEN_PAUSE_NS = 100000000 };   /* together 1 s */

static void on_shutdown(void *arg)
{
	struct jp_load_client *c = arg;
	__atomic_store_n(&c->seat->gone_, 1, __ATOMIC_RELEASE);
}

static void on_info_shutdown(jack_status_t code, const char *reason, void *arg)
{
	(void)code;
	(void)reason;
	on_shutdown(arg);
}

static void on_freewheel(int starting, void *arg)
{
	struct jp_load_client *c = arg;
	__atomic_store_n(&c->rt.freewheel_, starting != 0, __ATOMIC_RELEASE);
}

static enum jp_status refused(const char *name, const char *server, jack_status_t st, struct jp_why *why)
{
	if (st & JackServerFailed)
		return jp_why_set(why, JP_MISSING,
			"no JACK server%s%s%s answers: start one (for example jackd -d dummy), or run this through "
			"pw-jack to use PipeWire's",
			server ? " '" : "", server ? server : "", server ? "'" : "");
	if (st & JackServerError)
		return jp_why_set(why, JP_IO,
			"the JACK server breaks off the opening of client %s (status 0x%x): is it shutting down?", name,
			(unsigned)st);
	return jp_why_set(why, JP_FULL,
		"the JACK server refused client %s (status 0x%x): it may have no room for more, try fewer --clients",
		name, (unsigned)st);
}

/* The server drops the connection now and then while it is still busy with clients that have just left. */
static jack_client_t *open_patiently(const char *name, const char *server, jack_status_t *st)
{
	const struct timespec pause = {0, OPEN_PAUSE_NS};
	for (int i = 0; i < OPEN_TRIES; i++) {
		jack_client_t *client = server ? jack_client_open(name, JackNoStartServer | JackServerName, st, server)
					       : jack_client_open(name, JackNoStartServer, st);
		if (client || !(*st & JackServerError))
			return client;
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static enum jp_status open_client(
	struct jp_load_client *c, const struct jp_load_plan *plan, uint32_t i, struct jp_why *why)
{
	const char *server = plan->options->server;
	char name[JP_NAME_MAX];
	snprintf(name, sizeof name, "%s-%u", plan->options->name, i);
	jack_status_t st = 0;
	jp_messages_catch(); /* they say less than our own sentence and would come on top of it */
	c->rt.client = open_patiently(name, server, &st);
	if (!c->rt.client)
		return refused(name, server, st, why);
	jack_on_shutdown(c->rt.client, on_shutdown, c);
	jack_on_info_shutdown(c->rt.client, on_info_shutdown, c);
	snprintf(c->seat->name, sizeof c->seat->name, "%s", jack_get_client_name(c->rt.client));
	c->seat->rate_hz = jack_get_sample_rate(c->rt.client);
	c->seat->frames = jack_get_buffer_size(c->rt.client);
	return JP_OK;
}

/* The news of the server's end comes by another thread than the refusal of a call. */
static bool is_gone(const struct jp_load_client *c)
{
	const struct timespec pause = {0, GONE_PAUSE_NS};
	for (int i = 0; i < GONE_TRIES && !__atomic_load_n(&c->seat->gone_, __ATOMIC_ACQUIRE); i++)
		nanosleep(&pause, NULL);
	return __atomic_load_n(&c->seat->gone_, __ATOMIC_ACQUIRE);
}

static enum jp_status add_port(struct jp_load_client *c, bool output, uint32_t k, struct jp_why *why)
{
	char name[16];
	snprintf(name, sizeof name, "%s_%u", output ? "out" : "in", k + 1);
	jack_port_t *port =
		jack_port_register(c->rt.client, name, c->rt.midi ? JACK_DEFAULT_MIDI_TYPE : JACK_DEFAULT_AUDIO_TYPE,
			output ? JackPortIsOutput : JackPortIsInput, 0);
	if (!port && is_gone(c))
		return jp_why_set(
			why, JP_GONE, "the JACK server went away while client %s was being set up", c->seat->name);
	if (!port)
		return jp_why_set(why, JP_FULL,
			"the JACK server has no port %s for client %s: give fewer --ports or start the server with "
			"room for more "
			"(jackd --port-max)",
			name, c->seat->name);
	if (output)
		c->rt.out[c->rt.n_out++] = port;
	else
		c->rt.in[c->rt.n_in++] = port;
	return JP_OK;
}

static enum jp_status add_ports(
	struct jp_load_client *c, const struct jp_load_plan *plan, uint32_t i, struct jp_why *why)
{
	const struct jp_load_options *o = plan->options;
	bool outputs = jp_load_has_outputs((enum jp_load_shape)o->shape, (uint32_t)o->clients, i);
	for (uint32_t k = 0; k < (uint32_t)o->ports; k++) {
		enum jp_status st = add_port(c, false, k, why);
		if (!st && outputs)
			st = add_port(c, true, k, why);
		if (st)
			return st;
	}
	return JP_OK;
}

/* How many records the callback may write: what keep_s takes at the server's rate of cycles, and some more. */
static uint64_t records_wanted(const struct jp_load_plan *plan, const struct jp_load_seat *seat)
{
	if (isnan(plan->keep_s) || !seat->frames)
		return 0;
	uint64_t n = (uint64_t)ceil((plan->keep_s + 1) * seat->rate_hz / seat->frames * 1.05);
	return n < plan->area.capacity ? n : plan->area.capacity;
}

/* Only early after boot, when both clocks fit, does this decide. */
static clockid_t likelier_clock(void)
{
	const char *version = jack_get_version_string ? jack_get_version_string() : NULL;
	return jp_server_kind(version, 0) == JP_SERVER_PIPEWIRE ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW;
}

static enum jp_status activate(
	struct jp_load_client *c, const struct jp_load_plan *plan, uint32_t i, struct jp_why *why)
{
	struct jp_load_rt *rt = &c->rt;
	bool spikes = plan->spike.every && plan->spike_client == i;
	rt->burn_ns = plan->options->burn_us * 1000;
	rt->spike_ns = plan->spike.us * 1000;
	rt->spike_every = spikes ? (uint64_t)plan->spike.every : 0;
	rt->capacity = records_wanted(plan, c->seat);
	rt->records = jp_load_area_records(&plan->area, i);
	rt->tally = &c->seat->tally;
	rt->board = plan->area.board;
	jp_load_area_pin(&plan->area, i, rt->capacity);
	enum jp_status st = jp_clock_find(jack_get_time, likelier_clock(), &rt->clock, why);
	if (st)
		return st;
	if (jack_set_freewheel_callback(rt->client, on_freewheel, c) ||
		jack_set_process_callback(rt->client, jp_load_process, rt) || jack_activate(rt->client))
		return jp_why_set(why, JP_IO, "the JACK server did not activate client %s", c->seat->name);
	return JP_OK;
}

static enum jp_status close_client(struct jp_load_client **client)
{
	if (*client && (*client)->rt.client && !__atomic_load_n(&(*client)->seat->gone_, __ATOMIC_ACQUIRE))
		jack_client_close((*client)->rt.client);
	free(*client);
	*client = NULL;
	return JP_OK;
}

static enum jp_status set_up(
	const struct jp_load_plan *plan, uint32_t i, struct jp_load_client **client, struct jp_why *why)
{
	struct jp_load_client *c = calloc(1, sizeof *c);
	if (!c)
		return jp_why_set(why, JP_NO_MEM, "out of memory at client %u", i);
	c->seat = &plan->area.seats[i];
	c->rt.midi = plan->options->shape == JP_SHAPE_MIDI;
	enum jp_status st = open_client(c, plan, i, why);
	if (!st)
		st = add_ports(c, plan, i, why);
	if (!st)
		st = activate(c, plan, i, why);
	*client = c;
	if (st)
		close_client(client);
	return st;
}

struct cable {
	char from[JP_NAME_MAX + 16], to[JP_NAME_MAX + 16];
};

static struct cable cable_of(const struct jp_load_plan *plan, const struct jp_load_edge *edge, uint32_t k)
{
	struct cable cable;
	snprintf(cable.from, sizeof cable.from, "%s:out_%u", plan->area.seats[edge->from].name, k + 1);
	snprintf(cable.to, sizeof cable.to, "%s:in_%u", plan->area.seats[edge->to].name, k + 1);
	return cable;
}

/* A cable takes effect a cycle after the call, and a call may be lost while the graph changes: ask until it is there. */
static enum jp_status hold_cable(struct jp_load_client *c, const struct cable *cable, uint32_t k, struct jp_why *why)
{
	const struct timespec pause = {0, CABLE_PAUSE_NS};
	int answer = 0;
	for (int i = 0; i < CABLE_TRIES; i++) {
		if (__atomic_load_n(&c->seat->gone_, __ATOMIC_ACQUIRE))
			return jp_why_set(why, JP_GONE, "the JACK server went away while client %s was being connected",
				c->seat->name);
		if (jack_port_connected_to(c->rt.in[k], cable->from))
			return JP_OK;
		answer = jack_connect(c->rt.client, cable->from, cable->to);
		nanosleep(&pause, NULL);
	}
	return jp_why_set(why, JP_TIMEOUT,
		"%s does not stay connected to %s (the server answers %d): does it forbid clients to connect "
		"themselves (jackd -a)?",
		cable->from, cable->to, answer);
}

static enum jp_status connect_inputs(
	struct jp_load_client *c, const struct jp_load_plan *plan, uint32_t i, struct jp_why *why)
{
	enum jp_status st = JP_OK;
	for (int pass = 0; pass < 2; pass++) /* all are asked for first, so that they come about together */
		for (size_t e = 0; e < plan->n_edges && !st; e++)
			for (uint32_t k = 0; k < c->rt.n_in && plan->edges[e].to == i && !st; k++) {
				struct cable cable = cable_of(plan, &plan->edges[e], k);
				if (pass == 0)
					(void)jack_connect(c->rt.client, cable.from, cable.to);
				else
					st = hold_cable(c, &cable, k, why);
			}
	return st;
}

enum jp_status jp_load_client_do(const struct jp_load_plan *plan, uint32_t i, enum jp_load_order order,
	struct jp_load_client **client, struct jp_why *why)
{
	switch (order) {
	case JP_LOAD_OPEN:
		return set_up(plan, i, client, why);
	case JP_LOAD_CONNECT:
		return connect_inputs(*client, plan, i, why);
	case JP_LOAD_CLOSE:
		return close_client(client);
	}
	return JP_BAD_ARG;
}
