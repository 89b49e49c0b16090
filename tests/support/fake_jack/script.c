/* The script: one order a line, `#` starts a comment.
 *
 *   version TEXT                of jack_get_version_string; one with "PipeWire" also moves JACK's clock to CLOCK_MONOTONIC
 *   mode queued|sync|coalesced  what happens to a late tail
 *   rate HZ, frames N, frame N  before the first cycle; frame: where the frame counter stands (0x... allowed)
 *   clients N                   wait until so many clients are active (default 2)
 *   cycles N [key=value ...]    keys: nframes end_us dispatch_us late_us step_us; `tail=0`: the tail is not called
 *   skip N                      N whole periods pass without a call
 *   xrun DELAY                  the notification, with that float as the delay
 *   freewheel on|off, buffer N, samplerate HZ     the callback, and what it says
 *   port NAME out|in audio|midi|foreign [physical]   a port of somebody else's;   unport NAME
 *   hang CALL SECONDS           open, close, activate, port_register or connect hang for that long; 0: no more
 *   starve CLIENT               that client is never called, and the tail neither while it has a cable from it
 *   shutdown, down SECONDS      the server goes; it stays away for so long and comes back
 *   pace fast|real              how fast cycles are played (default fast: about 16 a millisecond)
 *   wait SECONDS                real time without cycles
 *
 * After the last line no more cycles come. */
#include "drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
	bool real;
	int clients;
	uint32_t played;
} state = {.clients = 2};

static void sleep_ns(int64_t ns)
{
	const struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	if (ns > 0)
		nanosleep(&t, NULL);
}

static void wait_for_clients(void)
{
	for (int active = 0; active < state.clients;) {
		sleep_ns(1000000);
		active = 0;
		for (int i = 0; i < FAKE_CLIENTS; i++)
			active += fake.clients[i].active;
	}
}

static void pace(void)
{
	if (state.real)
		sleep_ns(fake.nominal_us * 1000 - fake_time());
	else if (state.played++ % 16 == 15)
		sleep_ns(1000000);
}

static void read_keys(const char *text, struct fake_cycle *c)
{
	char key[32];
	long value;
	for (int used; sscanf(text, " %31[a-z_]=%li%n", key, &value, &used) == 2; text += used) {
		if (!strcmp(key, "nframes"))
			c->nframes = (uint32_t)value;
		else if (!strcmp(key, "end_us"))
			c->end_us = value;
		else if (!strcmp(key, "dispatch_us"))
			c->dispatch_us = value;
		else if (!strcmp(key, "late_us"))
			c->late_us = value;
		else if (!strcmp(key, "step_us"))
			c->step_us = value;
		else if (!strcmp(key, "tail"))
			c->no_tail = !value;
	}
}

static void play(const char *text)
{
	char *keys;
	long n = strtol(text, &keys, 0);
	struct fake_cycle c = {.nframes = fake.frames, .end_us = 100, .dispatch_us = 20};
	read_keys(keys, &c);
	if (!c.step_us)
		c.step_us = fake_period_us(c.nframes);
	wait_for_clients();
	for (long i = 0; i < n; i++) {
		fake_play(&c);
		pace();
	}
}

static void port(const char *text)
{
	char name[128], direction[8], type[16], physical[16] = "";
	if (sscanf(text, "%127s %7s %15s %15s", name, direction, type, physical) < 3)
		return;
	unsigned long flags = !strcmp(direction, "out") ? JackPortIsOutput : JackPortIsInput;
	if (*physical)
		flags |= JackPortIsPhysical | JackPortIsTerminal;
	fake_port_add(NULL, name,
		!strcmp(type, "audio")  ? JACK_DEFAULT_AUDIO_TYPE
		: !strcmp(type, "midi") ? JACK_DEFAULT_MIDI_TYPE
					: "64 bit something else",
		flags);
}

static void hang(const char *text)
{
	char call[32];
	double seconds;
	if (sscanf(text, "%31s %lf", call, &seconds) != 2)
		return;
	fake.hang_s = seconds;
	snprintf(fake.hang, sizeof fake.hang, "%s", seconds > 0 ? call : "");
}

static void starve(const char *text)
{
	snprintf(fake.starving, sizeof fake.starving, "%s", text);
}

static void version(const char *text)
{
	snprintf(fake.version, sizeof fake.version, "%s", text);
	fake.clock = strstr(text, "PipeWire") ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW;
}

static void mode(const char *text)
{
	fake.mode = !strcmp(text, "sync") ? FAKE_SYNC : !strcmp(text, "coalesced") ? FAKE_COALESCED : FAKE_QUEUED;
}

static void set_rate(const char *text)
{
	fake.rate = (uint32_t)strtoul(text, NULL, 0);
}

static void set_frames(const char *text)
{
	fake.frames = (uint32_t)strtoul(text, NULL, 0);
}

static void set_frame(const char *text)
{
	fake.frame = (uint32_t)strtoul(text, NULL, 0);
}

static void set_clients(const char *text)
{
	state.clients = atoi(text);
}

static void skip(const char *text)
{
	for (int n = atoi(text); n > 0; n--)
		fake_skip();
}

static void xrun(const char *text)
{
	fake_xrun(strtof(text, NULL));
}

static void freewheel(const char *text)
{
	fake_freewheel(!strcmp(text, "on"));
}

static void buffer(const char *text)
{
	fake_buffer_size((uint32_t)strtoul(text, NULL, 0));
}

static void samplerate(const char *text)
{
	fake_sample_rate((uint32_t)strtoul(text, NULL, 0));
}

static void server_shutdown(const char *text)
{
	(void)text;
	fake_shutdown();
}

static void down(const char *text)
{
	sleep_ns((int64_t)(strtod(text, NULL) * 1e9));
	fake.down = false;
}

static void set_pace(const char *text)
{
	state.real = !strcmp(text, "real");
}

static void wait_s(const char *text)
{
	sleep_ns((int64_t)(strtod(text, NULL) * 1e9));
}

static const struct {
	const char *word;
	void (*act)(const char *rest);
	bool before; /* stands before the first cycle: done as soon as the library is used */
} orders[] = {
	{"version", version, true},
	{"mode", mode, true},
	{"rate", set_rate, true},
	{"frames", set_frames, true},
	{"frame", set_frame, true},
	{"clients", set_clients, true},
	{"cycles", play, false},
	{"skip", skip, false},
	{"xrun", xrun, false},
	{"freewheel", freewheel, false},
	{"buffer", buffer, false},
	{"samplerate", samplerate, false},
	{"port", port, true},
	{"unport", fake_port_remove, false},
	{"hang", hang, true},
	{"starve", starve, true},
	{"shutdown", server_shutdown, false},
	{"down", down, false},
	{"pace", set_pace, true},
	{"wait", wait_s, false},
};

/* @return the order's row, -1 when the line holds none; rest = what follows the word. */
static int understand(char *line, char **rest)
{
	line[strcspn(line, "#\n")] = 0;
	char *word = strtok_r(line, " \t", rest);
	if (!word)
		return -1;
	*rest += strspn(*rest, " \t");
	for (size_t end = strlen(*rest); end && strchr(" \t", (*rest)[end - 1]);)
		(*rest)[--end] = 0;
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		if (!strcmp(orders[i].word, word))
			return (int)i;
	fprintf(stderr, "fake libjack: unknown order '%s'\n", word);
	abort();
}

/* What stands before the first cycle is done by the caller: the server is so when the first client looks at it. */
static FILE *begin(void)
{
	const char *path = getenv("FAKE_JACK_SCRIPT");
	FILE *script = path ? fopen(path, "re") : NULL;
	char line[256], *rest;
	while (script) {
		long at = ftell(script);
		if (!fgets(line, sizeof line, script))
			break;
		int order = understand(line, &rest);
		if (order >= 0 && !orders[order].before) {
			fseek(script, at, SEEK_SET);
			break;
		}
		if (order >= 0)
			orders[order].act(rest);
	}
	return script;
}

static void *run(void *arg)
{
	FILE *script = arg;
	char line[256], *rest;
	while (script && fgets(line, sizeof line, script)) {
		int order = understand(line, &rest);
		if (order >= 0)
			orders[order].act(rest);
	}
	if (script)
		fclose(script);
	/* A process thread of JACK's lives as long as its client. */
	for (;;)
		pause();
	return NULL;
}

static void start(void)
{
	pthread_t thread;
	if (!pthread_create(&thread, NULL, run, begin()))
		pthread_detach(thread);
}

void fake_drive(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, start);
}
