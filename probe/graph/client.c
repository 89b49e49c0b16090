/* Opens, activates and closes the probe's two clients. */
#include "client.h"

#include "cli/watch_options.h"
#include "freewheel.h"
#include "guard.h"
#include "message.h"
#include "sys/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* jackd1 has it only in its later versions. */
#pragma weak jack_get_version_string

enum { REOPENINGS = 8 };

static void settle(void)
{
	/* A client's leaving reaches us within that time: measured, 13 of 40 dead clients without it, 0 of 40 with it. */
	const struct timespec pause = {.tv_nsec = 5000000};
	nanosleep(&pause, NULL);
}

static enum jp_status explain(jack_status_t status, const char *server, struct jp_why *why)
{
	char heard[160];
	bool said = jp_messages_take(heard, sizeof heard);
	heard[strcspn(heard, "\n")] = 0;
	if (!server)
		server = getenv("JACK_DEFAULT_SERVER");
	const char *open = said ? " (" : "", *close = said ? ")" : "";
	if (status & JackVersionError)
		return jp_why_set(why, JP_UNSUPPORTED,
			"the JACK server speaks another protocol than this libjack; use the libjack of the server");
	if ((status & JackServerError) && !(status & JackServerFailed))
		return jp_why_set(why, JP_IO, "the JACK server%s%s broke off the opening of a client; try again%s%s%s",
			server ? " " : "", server ? server : "", open, heard, close);
	if (status & JackServerFailed)
		return jp_why_set(why, JP_MISSING,
			"no JACK server%s%s answers; start one, name it with --server, or run this through pw-jack to "
			"watch "
			"PipeWire%s%s%s%s",
			server ? " " : "", server ? server : "",
			getauxval(AT_SECURE)
				? " (without file capabilities: with these it does not see what pw-jack sets)"
				: "",
			open, heard, close);
	if (status & JackShmFailure)
		return jp_why_set(why, JP_DENIED,
			"the JACK server's shared memory cannot be used; run as the server's user%s%s%s", open, heard,
			close);
	return jp_why_set(why, JP_IO, "the JACK server refused a client (status 0x%x)%s%s%s", (unsigned)status, open,
		heard, close);
}

/* It is told from the beginning that the server has gone: what is opened afterwards takes it away (open_tail). */
static jack_client_t *open_one(const struct jp_session_config *config, const char *role, struct jp_notes *notes,
	struct jp_watch *watch, jack_status_t *status)
{
	char name[128];
	snprintf(name, sizeof name, "%s-%s", config->name, role);
	jp_watch_begin(watch, "jack_client_open of %s", name);
	*status = 0;
	jack_client_t *client =
		config->server ? jack_client_open(name, JackNoStartServer | JackServerName, status, config->server)
			       : jack_client_open(name, JackNoStartServer, status);
	if (client) {
		jack_on_shutdown(client, jp_note_shutdown, notes);
		jack_on_info_shutdown(client, jp_note_info_shutdown, notes);
	}
	jp_watch_end(watch);
	return client;
}

static void close_one(jack_client_t **client, const char *role, struct jp_watch *watch)
{
	if (!*client)
		return;
	jp_watch_begin(watch, "jack_client_close of the %s", role);
	jack_client_close(*client);
	jp_watch_end(watch);
	*client = NULL;
}

void jp_clients_close(struct jp_stay *stay, struct jp_watch *watch)
{
	close_one(&stay->head.client, "head", watch);
	close_one(&stay->tail.client, "tail", watch);
}

static void learn_server(struct jp_stay *stay)
{
	const char *version = jack_get_version_string ? jack_get_version_string() : NULL;
	stay->kind = jp_server_kind(version, (uintptr_t)stay->tail_audio);
	jp_server_text(stay->kind, version, stay->server, sizeof stay->server);
	jp_shared_set(&stay->notes.rate_hz, jack_get_sample_rate(stay->head.client));
	jp_shared_set(&stay->notes.frames, jack_get_buffer_size(stay->head.client));
	stay->server_realtime = jack_is_realtime(stay->head.client);
	stay->head.wake_in_position = jp_server_wake_source(stay->kind) != JP_WAKE_FILTERED;
	stay->head.delay_us_per_one = stay->kind == JP_SERVER_PIPEWIRE ? 1e6 : 1;
	stay->shown.pair_mode = stay->shown.tail ? jp_server_pair_mode(stay->kind) : JP_PAIR_HEAD_ONLY;
	stay->shown.wake_source = jp_server_wake_source(stay->kind);
}

static enum jp_status stay_out(struct jp_stay *stay, struct jp_watch *watch, struct jp_why *why)
{
	stay->met_freewheel = true;
	jp_clients_close(stay, watch);
	return jp_why_set(why, JP_UNSUPPORTED, "the server freewheels; the probe joins when that is over");
}

/* Is it safe to set up more than the bare head? */
static bool freewheels(struct jp_stay *stay, struct jp_watch *watch)
{
	jp_watch_begin(watch, "looking whether the server freewheels");
	jack_set_freewheel_callback(stay->head.client, jp_note_freewheel, &stay->notes);
	learn_server(stay);
	bool yes = jp_freewheel_now(stay);
	jp_watch_end(watch);
	return yes;
}

/* When the server has gone meanwhile, libjack frees the clients that are left before it opens another: the head is no client any
 * more then, and if it still is, libjack frees it the next time. */
static enum jp_status open_tail(
	struct jp_stay *stay, const struct jp_session_config *config, struct jp_watch *watch, struct jp_why *why)
{
	jack_status_t status;
	stay->tail.client = open_one(config, "tail", &stay->notes, watch, &status);
	bool gone = jp_shared_get(&stay->notes.gone);
	if (stay->tail.client && !gone)
		return JP_OK;
	if (gone || status & JackServerFailed)
		stay->head.client = NULL;
	jp_clients_close(stay, watch);
	return explain(gone ? JackServerFailed : status, config->server, why);
}

/* Both clients, with no dead entry left behind: only closing a process's last client clears its entries. */
static enum jp_status open_clean(
	struct jp_stay *stay, const struct jp_session_config *config, struct jp_watch *watch, struct jp_why *why)
{
	jack_status_t status;
	for (int i = 0; i < REOPENINGS; i++) {
		stay->head.client = open_one(config, "head", &stay->notes, watch, &status);
		if (!stay->head.client)
			return explain(status, config->server, why);
		settle();
		bool clean = jp_guard_scan() <= 0;
		if (clean && freewheels(stay, watch))
			return stay_out(stay, watch, why);
		if (clean && stay->shown.tail) {
			enum jp_status st = open_tail(stay, config, watch, why);
			if (st != JP_OK)
				return st;
			settle();
			clean = jp_guard_scan() <= 0;
		}
		if (clean)
			return JP_OK;
		jp_clients_close(stay, watch);
	}
	return jp_why_set(why, JP_IO,
		"other clients come and go faster than ours can be opened safely; the probe stays out and tries again");
}

static bool register_ports(struct jp_stay *stay, const struct jp_session_config *config)
{
	const unsigned long in = JackPortIsInput | JackPortIsTerminal, out = JackPortIsOutput | JackPortIsTerminal;
	bool fine = true;
	if (stay->tail.client) {
		jack_client_t *tail = stay->tail.client;
		stay->tail_audio = jack_port_register(tail, "audio", JACK_DEFAULT_AUDIO_TYPE, in, 0);
		stay->tail_midi = jack_port_register(tail, "midi", JACK_DEFAULT_MIDI_TYPE, in, 0);
		fine = stay->tail_audio && stay->tail_midi;
	}
	if (config->insert == JP_INSERT_STRICT) {
		jack_client_t *head = stay->head.client;
		stay->head.audio_out = jack_port_register(head, "audio", JACK_DEFAULT_AUDIO_TYPE, out, 0);
		stay->head.late_out = jack_port_register(head, "audio-late", JACK_DEFAULT_AUDIO_TYPE, out, 0);
		stay->head.midi_out = jack_port_register(head, "midi", JACK_DEFAULT_MIDI_TYPE, out, 0);
		fine = fine && stay->head.audio_out && stay->head.late_out && stay->head.midi_out;
	}
	return fine;
}

/* Room for the server's times of all clients; without it there are none. */
static void make_slots(struct jp_stay *stay, int timing)
{
	if (stay->kind == JP_SERVER_JACK2 && timing != JP_TIMING_API && jp_slots_new(&stay->slots) == JP_OK)
		stay->head.slots = stay->tail.slots = stay->slots;
}

static enum jp_status learn_clock(struct jp_stay *stay, struct jp_why *why)
{
	clockid_t likelier = stay->kind == JP_SERVER_PIPEWIRE ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW;
	enum jp_status status = jp_clock_find(jack_get_time, likelier, &stay->shown.clock, why);
	stay->head.clock = stay->tail.clock = stay->shown.clock;
	return status;
}

/* The head's client brings the news of the graph; both tell when they are thrown out. There is no thread-init callback
 * among them: setting one on jackd2 waits for libjack's message thread, for ever when that was just busy. */
static void set_callbacks(struct jp_stay *stay)
{
	jack_client_t *head = stay->head.client, *tail = stay->tail.client;
	struct jp_notes *notes = &stay->notes;
	jack_set_process_callback(head, jp_head_process, &stay->head);
	jack_set_xrun_callback(head, jp_head_xrun, &stay->head);
	jack_set_buffer_size_callback(head, jp_note_frames, notes);
	jack_set_sample_rate_callback(head, jp_note_rate, notes);
	jack_set_graph_order_callback(head, jp_note_order, notes);
	jack_set_port_registration_callback(head, jp_note_port, notes);
	jack_set_port_connect_callback(head, jp_note_cable, notes);
	if (stay->head.late_out)
		jack_set_latency_callback(head, jp_head_latency, &stay->head);
	if (tail)
		jack_set_process_callback(tail, jp_tail_process, &stay->tail);
}

enum jp_status jp_clients_open(
	struct jp_stay *stay, const struct jp_session_config *config, struct jp_watch *watch, struct jp_why *why)
{
	enum jp_status status = open_clean(stay, config, watch, why);
	if (status != JP_OK)
		return status;
	jp_watch_begin(watch, "jack_port_register");
	bool fine = register_ports(stay, config);
	jp_watch_end(watch);
	if (fine) {
		jp_watch_begin(watch, "setting up the clients");
		learn_server(stay);
		make_slots(stay, config->timing);
		status = learn_clock(stay, why);
		set_callbacks(stay);
		jp_watch_end(watch);
	} else {
		status =
			jp_why_set(why, JP_IO, "the JACK server gave no port; it may have run out of ports (jackd -p)");
	}
	if (status != JP_OK)
		jp_clients_close(stay, watch);
	return status;
}

enum jp_status jp_clients_activate(struct jp_stay *stay, struct jp_watch *watch, struct jp_why *why)
{
	if (jp_shared_get(&stay->notes.turns))
		return stay_out(stay, watch, why);
	jp_watch_begin(watch, "jack_activate of the tail");
	int err = stay->tail.client ? jack_activate(stay->tail.client) : 0;
	if (!err) {
		jp_watch_begin(watch, "jack_activate of the head");
		err = jack_activate(stay->head.client);
	}
	jp_watch_end(watch);
	if (!err)
		return JP_OK;
	jp_clients_close(stay, watch);
	return jp_why_set(why, JP_IO, "the JACK server did not activate a client (error %d); trying again", err);
}
