/* The options of `jackprobe watch`: one row each, and what must hold between them. */
#include "watch_options.h"
#include "value.h"

#include <jackprobe/osc.h>
#include <stdlib.h>
#include <string.h>

static const char *const insert_modes[] = {"head-tail", "strict", "head", NULL};
static const char *const wire_modes[] = {"auto", "once", "none", NULL};
static const char *const timing_modes[] = {"auto", "server", "api", NULL};
static const char *const osc_profiles[] = {"scalar", "row", NULL};

static bool ends_in(const char *text, const char *ending)
{
	size_t n = strlen(text), m = strlen(ending);
	return n > m && strcmp(text + n - m, ending) == 0;
}

static enum jp_status check_log(const char *value, struct jp_why *why)
{
	if (ends_in(value, ".csv") || ends_in(value, ".jsonl"))
		return JP_OK;
	return jp_why_set(
		why, JP_BAD_ARG, "wants a file name that ends in .csv or .jsonl, not %s", jp_quote(value).text);
}

static enum jp_status check_csv(const char *value, struct jp_why *why)
{
	if (ends_in(value, ".csv"))
		return JP_OK;
	return jp_why_set(why, JP_BAD_ARG, "wants a file name that ends in .csv, not %s", jp_quote(value).text);
}

/* NAME-head and NAME-tail must fit into JACK's 63 bytes, and ':' parts client and port. */
static enum jp_status check_name(const char *value, struct jp_why *why)
{
	if (strlen(value) <= 48 && !strchr(value, ':') && jp_value_printable(value))
		return JP_OK;
	return jp_why_set(
		why, JP_BAD_ARG, "wants 1 to 48 bytes of printable text without ':', not %s", jp_quote(value).text);
}

#define AT(member) offsetof(struct jp_watch_options, member)

const struct jp_option jp_watch_option_rows[] = {
	{.name = "server",
		.type = JP_OPT_TEXT,
		.arg = "NAME",
		.offset = AT(server),
		.check = jp_value_check_server,
		.help = "Name of the JACK server to measure, as given to jackd -n. Without it the default server."},
	{.name = "name",
		.type = JP_OPT_TEXT,
		.arg = "NAME",
		.def = "jackprobe",
		.offset = AT(name),
		.check = check_name,
		.help = "The probe's clients are called NAME-head and NAME-tail; 1 to 48 bytes, no colon."},
	{.name = "interval",
		.type = JP_OPT_REAL,
		.arg = "S",
		.unit = "s",
		.min = 0.1,
		.max = 3600,
		.def = "1",
		.offset = AT(interval_s),
		.help = "Length of a window."},
	{.name = "duration",
		.type = JP_OPT_REAL,
		.arg = "S",
		.unit = "s",
		.min = 0.001,
		.max = 1e9,
		.offset = AT(duration_s),
		.help = "Stop after this time. Without it the probe runs until it is stopped."},
	{.name = "insert",
		.type = JP_OPT_CHOICE,
		.arg = "MODE",
		.choices = insert_modes,
		.def = "head-tail",
		.offset = AT(insert),
		.help = "Where the probe stands in the graph. head-tail: the head is connected to nothing, the tail "
			"hears every client. "
			"strict: the head also feeds every client that has no input, so that nothing runs before it; "
			"costs every chain one "
			"thread hop. head: no cables at all; the end of the cycle comes from server timing, and it is "
			"an "
			"error where there is none."},
	{.name = "wire",
		.type = JP_OPT_CHOICE,
		.arg = "MODE",
		.choices = wire_modes,
		.def = "auto",
		.offset = AT(wire),
		.help = "Cables to the tail. auto: follow the graph as clients come and go. once: wire at the start "
			"only. none: leave the "
			"cables to you."},
	{.name = "timing",
		.type = JP_OPT_CHOICE,
		.arg = "MODE",
		.choices = timing_modes,
		.def = "auto",
		.offset = AT(timing),
		.help = "Where times come from. api: the public JACK calls. server: the server's own record of each "
			"client, "
			"or an error where it cannot be had. auto: the server's where it works; else one line says "
			"why."},
	{.name = "osc",
		.type = JP_OPT_LIST,
		.arg = "HOST:PORT",
		.offset = AT(osc),
		.check = jp_osc_check_target,
		.help = "Send every window and event there as OSC over UDP; [V6]:PORT for IPv6. Can be given up to 16 "
			"times."},
	{.name = "osc-profile",
		.type = JP_OPT_CHOICE,
		.arg = "PROFILE",
		.choices = osc_profiles,
		.def = "scalar",
		.offset = AT(osc_profile),
		.help = "scalar: one message per value. row: one message per window with all values in a fixed order. "
			"/hello, /client, /event and /status are sent with both."},
	{.name = "osc-prefix",
		.type = JP_OPT_TEXT,
		.arg = "PREFIX",
		.def = "/jackprobe",
		.offset = AT(osc_prefix),
		.check = jp_osc_check_prefix,
		.help = "What all OSC addresses begin with."},
	{.name = "log",
		.type = JP_OPT_LIST,
		.arg = "FILE",
		.offset = AT(log),
		.check = check_log,
		.help = "Append every window to this file; the ending says how: .csv (one row a window) or .jsonl "
			"(windows, events, "
			"summary). Can be given up to 16 times."},
	{.name = "cycles",
		.type = JP_OPT_TEXT,
		.arg = "FILE.csv",
		.offset = AT(cycles),
		.check = check_csv,
		.help = "Write every single cycle to this file."},
	{.name = "executions",
		.type = JP_OPT_TEXT,
		.arg = "FILE.csv",
		.offset = AT(executions),
		.check = check_csv,
		.help = "Write every single execution of every client to this file: when it was released, woke and "
			"finished. Needs "
			"server timing."},
	{.name = "hold",
		.type = JP_OPT_INT,
		.arg = "US",
		.unit = "us",
		.min = 0,
		.max = 1999999999,
		.offset = AT(hold_us),
		.help = "Hold /dev/cpu_dma_latency at this limit while running: 0 keeps the cores out of every idle "
			"state."},
	{.name = "watch",
		.type = JP_OPT_TEXT,
		.arg = "PID|NAME",
		.offset = AT(watch),
		.help = "Also report CPU time, memory and page faults of this process."},
	{.name = "max-overruns",
		.type = JP_OPT_INT,
		.arg = "N",
		.min = 0,
		.max = 1e12,
		.offset = AT(max_overruns),
		.help = "End with status 3 when there were more overruns than this."},
	{.name = "max-p99",
		.type = JP_OPT_REAL,
		.arg = "US",
		.unit = "us",
		.min = 0.001,
		.max = 60e6,
		.offset = AT(max_p99_us),
		.help = "End with status 3 when the p99 of the cycle end was above this: since the start of the epoch, "
			"from 1000 cycles on, and "
			"at the end."},
	{.name = "on-overrun",
		.type = JP_OPT_TEXT,
		.arg = "CMD",
		.offset = AT(on_overrun),
		.help = "Run this shell command when overruns begin, once per episode."},
	{.name = "batch",
		.type = JP_OPT_FLAG,
		.offset = AT(batch),
		.help = "One line a window instead of the live page, also on a terminal."},
	{.name = "quiet", .type = JP_OPT_FLAG, .offset = AT(quiet), .help = "Print the summary only."},
	{.name = "sysroot",
		.type = JP_OPT_TEXT,
		.arg = "DIR",
		.offset = AT(sysroot),
		.help = "Read /sys, /proc and /dev below this directory. Without it the environment variable "
			"JACKPROBE_SYSROOT counts."},
};

/* A lone head learns the end of a cycle from the server only. */
static enum jp_status check_timing(const struct jp_watch_options *o, struct jp_why *why)
{
	if (o->insert == JP_INSERT_HEAD && o->timing == JP_TIMING_API)
		return jp_why_set(why, JP_BAD_ARG,
			"--insert head takes the end of the cycle from server timing; leave out --timing api or use "
			"--insert head-tail");
	return JP_OK;
}

size_t jp_watch_files(const struct jp_watch_options *o, const char *file[JP_WATCH_FILES_MAX])
{
	size_t n = o->log.n;
	memcpy(file, o->log.item, n * sizeof *file);
	if (o->cycles)
		file[n++] = o->cycles;
	if (o->executions)
		file[n++] = o->executions;
	return n;
}

unsigned jp_watch_descriptors(const struct jp_watch_options *o)
{
	const unsigned of_csv = 3; /* the log, its rows of clients, at times its facts */
	unsigned n = (unsigned)o->osc.n + !!o->cycles + !!o->executions;
	for (size_t i = 0; i < o->log.n; i++)
		n += ends_in(o->log.item[i], ".csv") ? of_csv : 1;
	return n;
}

/* What stands beside a log of windows. */
static bool belongs_to(const char *file, const char *log)
{
	size_t n = strlen(log);
	return !strncmp(file, log, n) && (!strcmp(file + n, ".clients.csv") || !strcmp(file + n, ".meta.json"));
}

static enum jp_status check_files(const struct jp_watch_options *o, struct jp_why *why)
{
	const char *file[JP_WATCH_FILES_MAX];
	size_t n = jp_watch_files(o, file);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			if (belongs_to(file[i], file[j]))
				return jp_why_set(why, JP_BAD_ARG,
					"%s is what --log %s writes beside itself; choose another name",
					jp_quote(file[i]).text, jp_quote(file[j]).text);
			if (j < i && strcmp(file[i], file[j]) == 0)
				return jp_why_set(why, JP_BAD_ARG,
					"%s is given for two logs; each needs a file of its own",
					jp_quote(file[i]).text);
		}
	}
	return JP_OK;
}

enum jp_status jp_watch_check(void *config, struct jp_why *why)
{
	struct jp_watch_options *o = config;
	const char *sysroot = getenv("JACKPROBE_SYSROOT");
	if (!o->sysroot && sysroot && *sysroot)
		o->sysroot = sysroot;
	enum jp_status status = jp_value_check_default_server(why);
	if (status == JP_OK)
		status = check_timing(o, why);
	return status == JP_OK ? check_files(o, why) : status;
}
