/* Options of `jackprobe load`. */
#include "load_options.h"
#include "value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SPIKE_US_MAX = 10000000, NAME_LENGTH_MAX = 48 };

static bool read_count(const char *text, char stop, int64_t min, int64_t max, int64_t *out, const char **rest)
{
	char *end;
	errno = 0;
	long long v = strtoll(text, &end, 10);
	if (end == text || errno || *end != stop || v < min || v > max)
		return false;
	*out = v;
	*rest = end + (stop != 0);
	return true;
}

enum jp_status jp_load_spike_parse(const char *text, struct jp_load_spike *out, struct jp_why *why)
{
	*out = (struct jp_load_spike){0, 0};
	if (!text)
		return JP_OK;
	const char *us;
	struct jp_load_spike spike;
	if (!read_count(text, ':', 1, INT64_MAX, &spike.every, &us) ||
		!read_count(us, 0, 0, SPIKE_US_MAX, &spike.us, &us))
		return jp_why_set(why, JP_BAD_ARG,
			"%s: give EVERY:US, whole numbers (1000:3000 burns 3000 us in every 1000th cycle; US "
			"at most %d)",
			text, SPIKE_US_MAX);
	*out = spike;
	return JP_OK;
}

static enum jp_status check_spike(const char *value, struct jp_why *why)
{
	struct jp_load_spike spike;
	return jp_load_spike_parse(value, &spike, why);
}

static enum jp_status check_name(const char *value, struct jp_why *why)
{
	if (!*value || strlen(value) > NAME_LENGTH_MAX || strchr(value, ':'))
		return jp_why_set(why, JP_BAD_ARG, "wants 1 to %d bytes of text without ':', not %s", NAME_LENGTH_MAX,
			jp_quote(value).text);
	return JP_OK;
}

enum jp_status jp_load_check(void *config, struct jp_why *why)
{
	const struct jp_load_options *o = config;
	if (o->spike_client >= 0 && !o->spike)
		return jp_why_set(why, JP_BAD_ARG, "--spike-client %lld: there is no spike; give --spike EVERY:US too",
			(long long)o->spike_client);
	if (o->spike_client >= o->clients)
		return jp_why_set(why, JP_BAD_ARG, "--spike-client %lld: the clients are numbered 0 to %lld",
			(long long)o->spike_client, (long long)o->clients - 1);
	return jp_value_check_default_server(why);
}

/* In the order of enum jp_load_shape. */
static const char *const shapes[] = {"chain", "parallel", "layers", "sink", "midi", NULL};

#define MEMBER(m) .offset = offsetof(struct jp_load_options, m)

const struct jp_option jp_load_option_rows[] = {
	{.name = "clients",
		.letter = 'n',
		.type = JP_OPT_INT,
		.arg = "N",
		.min = 1,
		.max = 200,
		.def = "4",
		MEMBER(clients),
		.help = "How many clients."},
	{.name = "ports",
		.type = JP_OPT_INT,
		.arg = "P",
		.min = 0,
		.max = 64,
		.def = "1",
		MEMBER(ports),
		.help = "Inputs of each client, and as many outputs. Each output carries the sum of all inputs."},
	{.name = "burn",
		.type = JP_OPT_INT,
		.arg = "US",
		.unit = "us",
		.min = 0,
		.max = SPIKE_US_MAX,
		.def = "50",
		MEMBER(burn_us),
		.help = "Each call of a client is busy until so long after its entry."},
	{.name = "shape",
		.type = JP_OPT_CHOICE,
		.arg = "SHAPE",
		.def = "chain",
		.choices = shapes,
		MEMBER(shape),
		.help = "chain: each feeds the next. parallel: no cables. layers: layers of about sqrt(N) clients, "
			"each feeds "
			"the whole next layer. sink: parallel, but the last has only inputs and is fed by client 0. "
			"midi: a chain "
			"of MIDI ports."},
	{.name = "spike",
		.type = JP_OPT_TEXT,
		.arg = "EVERY:US",
		.check = check_spike,
		MEMBER(spike),
		.help = "In every EVERYth cycle one client is busy for US instead."},
	{.name = "spike-client",
		.type = JP_OPT_INT,
		.arg = "K",
		.min = 0,
		.max = 199,
		MEMBER(spike_client),
		.help = "Which client has the spikes, counted from 0; if not given the middle one, N / 2."},
	{.name = "duration",
		.type = JP_OPT_REAL,
		.arg = "S",
		.unit = "s",
		.min = 0.1,
		.max = 1e9,
		MEMBER(duration_s),
		.help = "End after so long, counted from when all clients run and are connected; if not given run "
			"until stopped."},
	{.name = "processes", .type = JP_OPT_FLAG, MEMBER(processes), .help = "Each client in a process of its own."},
	{.name = "truth",
		.type = JP_OPT_TEXT,
		.arg = "FILE.csv",
		MEMBER(truth),
		.help = "Write when each call of each client began and ended: client,wake_ns,frame,start_ns,end_ns on "
			"JACK's "
			"clock. Without --duration the first 60 s are kept."},
	{.name = "server",
		.letter = 's',
		.type = JP_OPT_TEXT,
		.arg = "NAME",
		MEMBER(server),
		.check = jp_value_check_server,
		.help = "Name of the JACK server; if not given the default one (JACK_DEFAULT_SERVER)."},
	{.name = "name",
		.type = JP_OPT_TEXT,
		.arg = "PREFIX",
		.def = "load",
		.check = check_name,
		MEMBER(name),
		.help = "Clients are called PREFIX-0, PREFIX-1 and so on."},
};
