/* The rows of `jackprobe watch`: every option with good, bad and boundary values. */
#include "cli/value.h"
#include "cli/watch_options.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct jp_command command = {.name = "watch",
	.options = jp_watch_option_rows,
	.n_options = JP_WATCH_N_OPTIONS,
	.config_size = sizeof(struct jp_watch_options),
	.check = jp_watch_check};

static enum jp_status parse(struct jp_watch_options *o, struct jp_why *why, int argc, char **argv)
{
	unsetenv("JACKPROBE_SYSROOT");
	*why = (struct jp_why){""};
	return jp_cli_parse(&command, argc, argv, o, why);
}
#define PARSE(...)                                                                                                     \
	parse(&o, &why, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                                 \
		(char **)(const char *[]){__VA_ARGS__})

static struct jp_watch_options o;
static struct jp_why why;

Test(cli_watch, defaults)
{
	cr_assert_eq(parse(&o, &why, 0, NULL), JP_OK);
	cr_assert(!o.server && !o.cycles && !o.executions && !o.watch && !o.on_overrun && !o.sysroot && !o.batch &&
		  !o.quiet);
	cr_assert_str_eq(o.name, "jackprobe");
	cr_assert_str_eq(o.osc_prefix, "/jackprobe");
	cr_assert(o.interval_s == 1 && isnan(o.duration_s) && isnan(o.max_p99_us));
	cr_assert(o.hold_us == -1 && o.max_overruns == -1 && o.osc.n == 0 && o.log.n == 0);
	cr_assert(o.insert == JP_INSERT_HEAD_TAIL && o.wire == JP_WIRE_AUTO && o.timing == JP_TIMING_AUTO &&
		  o.osc_profile == 0);
}

Test(cli_watch, everything_at_once)
{
	cr_assert_eq(
		PARSE("--server", "s", "--name=n", "--interval", "0.5", "--duration=10", "--insert", "strict",
			"--wire=none", "--timing", "api", "--osc", "localhost:9000", "--osc=[::1]:9001",
			"--osc-profile", "row", "--osc-prefix", "/p", "--log", "a.csv", "--log", "b.jsonl", "--cycles",
			"c.csv", "--executions", "e.csv", "--hold", "0", "--watch", "77", "--max-overruns", "0",
			"--max-p99", "900.5", "--on-overrun", "echo late", "--batch", "--quiet", "--sysroot", "/r"),
		JP_OK);
	cr_assert(o.interval_s == 0.5 && o.duration_s == 10 && o.max_p99_us == 900.5 && o.hold_us == 0 &&
		  o.max_overruns == 0);
	cr_assert(o.insert == JP_INSERT_STRICT && o.wire == JP_WIRE_NONE && o.timing == JP_TIMING_API &&
		  o.osc_profile == 1);
	cr_assert(o.osc.n == 2 && o.log.n == 2 && o.batch && o.quiet);
	const char *const got[] = {o.server, o.name, o.osc.item[0], o.osc.item[1], o.osc_prefix, o.log.item[0],
		o.log.item[1], o.cycles, o.executions, o.watch, o.on_overrun, o.sysroot};
	static const char *const want[] = {"s", "n", "localhost:9000", "[::1]:9001", "/p", "a.csv", "b.jsonl", "c.csv",
		"e.csv", "77", "echo late", "/r"};
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		cr_expect_str_eq(got[i], want[i]);
}

/* Option and value: accepted (1) or refused (0). */
static const struct {
	const char *option, *value;
	int good;
} values[] = {
	{"--interval", "0.1", 1},
	{"--interval", "0.0999", 0},
	{"--interval", "3600", 1},
	{"--interval", "3600.1", 0},
	{"--interval", "1,5", 0},
	{"--duration", "0.001", 1},
	{"--duration", "0", 0},
	{"--duration", "-1", 0},
	{"--duration", "inf", 0},
	{"--hold", "0", 1},
	{"--hold", "1999999999", 1},
	{"--hold", "2000000000", 0},
	{"--hold", "2000000001", 0},
	{"--hold", "-1", 0},
	{"--hold", "5us", 0},
	{"--max-overruns", "0", 1},
	{"--max-overruns", "-1", 0},
	{"--max-overruns", "1.5", 0},
	{"--max-p99", "0.5", 1},
	{"--max-p99", "0", 0},
	{"--max-p99", "nan", 0},
	{"--insert", "strict", 1},
	{"--insert", "tail", 0},
	{"--wire", "once", 1},
	{"--wire", "ONCE", 0},
	{"--timing", "auto", 1},
	{"--timing", "driver", 0},
	{"--osc", "localhost:9000", 1},
	{"--osc", "[::1]:9000", 1},
	{"--osc", "localhost", 0},
	{"--osc", "localhost:0", 0},
	{"--osc", "localhost:65536", 0},
	{"--osc", "", 0},
	{"--osc-prefix", "/a/b", 1},
	{"--osc-prefix", "a", 0},
	{"--osc-prefix", "/a#", 0},
	{"--osc-profile", "row", 1},
	{"--osc-profile", "rows", 0},
	{"--name", "123456789012345678901234567890123456789012345678", 1},
	{"--name", "1234567890123456789012345678901234567890123456789", 0},
	{"--name", "a:b", 0},
	{"--name", "", 0},
	{"--server", "", 0},
	{"--log", "x.csv", 1},
	{"--log", "x.jsonl", 1},
	{"--log", "x.db", 0},
	{"--log", "x", 0},
	{"--log", ".csv", 0},
	{"--cycles", "x.csv", 1},
	{"--cycles", "x.jsonl", 0},
	{"--executions", "x.csv", 1},
	{"--executions", ".csv", 0},
	{"--watch", "mod-host", 1},
	{"--watch", "", 0},
	{"--on-overrun", "", 0},
	{"--sysroot", "", 0},
};

Test(cli_watch, values)
{
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		enum jp_status status = PARSE(values[i].option, values[i].value);
		cr_expect_eq(status, values[i].good ? JP_OK : JP_BAD_ARG, "%s '%s': %s", values[i].option,
			values[i].value, why.text);
		if (!values[i].good)
			cr_expect_eq(strncmp(why.text, values[i].option, strlen(values[i].option)), 0, "%s", why.text);
	}
}

Test(cli_watch, sentences)
{
	cr_assert_eq(PARSE("--interval", "x"), JP_BAD_ARG);
	cr_assert_str_eq(why.text, "--interval wants a number of seconds from 0.1 to 3600, not 'x'");
	cr_assert_eq(PARSE("--log", "run.hlog"), JP_BAD_ARG);
	cr_assert_str_eq(why.text, "--log: wants a file name that ends in .csv or .jsonl, not 'run.hlog'");
	cr_assert_eq(PARSE("--intervals", "1"), JP_BAD_ARG);
	cr_assert_str_eq(why.text, "there is no option '--intervals'; did you mean --interval");
}

Test(cli_watch, a_file_is_not_written_by_two_logs)
{
	cr_assert_eq(PARSE("--log", "a.csv", "--log", "b.csv", "--cycles", "c.csv", "--executions", "e.csv"), JP_OK);
	cr_assert_eq(PARSE("--log", "a.csv", "--log", "b.csv", "--log", "a.csv"), JP_BAD_ARG);
	cr_assert_eq(PARSE("--log", "a.csv", "--cycles", "a.csv"), JP_BAD_ARG);
	cr_assert_eq(PARSE("--log", "a.csv", "--cycles", "a.csv.clients.csv"), JP_BAD_ARG);
	cr_assert_str_eq(
		why.text, "'a.csv.clients.csv' is what --log 'a.csv' writes beside itself; choose another name");
	cr_assert_eq(PARSE("--log", "a.csv", "--log", "a.csv.csv"), JP_OK);
	cr_assert_eq(PARSE("--executions", "a.csv", "--cycles", "a.csv"), JP_BAD_ARG);
	cr_assert_str_eq(why.text, "'a.csv' is given for two logs; each needs a file of its own");
}

Test(cli_watch, a_lone_head_needs_server_timing)
{
	cr_assert_eq(PARSE("--timing", "server", "--insert", "head"), JP_OK);
	cr_assert_eq(PARSE("--insert", "head"), JP_OK);
	cr_assert_eq(PARSE("--insert", "head", "--timing", "api"), JP_BAD_ARG);
	cr_assert(strstr(why.text, "--insert head-tail"));
}

Test(cli_watch, sysroot_from_the_environment_gives_way_to_the_option)
{
	static char *const none[] = {NULL};
	static char *const given[] = {(char *)"--sysroot", (char *)"/option"};
	setenv("JACKPROBE_SYSROOT", "/environment", 1);
	cr_assert_eq(jp_cli_parse(&command, 0, (char **)none, &o, &why), JP_OK);
	cr_assert_str_eq(o.sysroot, "/environment");
	cr_assert_eq(jp_cli_parse(&command, 2, (char **)given, &o, &why), JP_OK);
	cr_assert_str_eq(o.sysroot, "/option");
	setenv("JACKPROBE_SYSROOT", "", 1);
	cr_assert_eq(jp_cli_parse(&command, 0, (char **)none, &o, &why), JP_OK);
	cr_assert_null(o.sysroot);
}

Test(cli_watch, descriptors_of_what_is_written)
{
	cr_assert_eq(parse(&o, &why, 0, NULL), JP_OK);
	cr_assert_eq(jp_watch_descriptors(&o), 0);
	cr_assert_eq(PARSE("--osc", "a:1", "--osc", "b:2", "--log", "a.csv", "--log", "b.csv", "--log", "c.jsonl",
			     "--cycles", "d.csv", "--executions", "e.csv"),
		JP_OK);
	cr_assert_eq(jp_watch_descriptors(&o), 2 + 2 * 3 + 1 + 1 + 1);
}

Test(cli_watch, name_is_counted_in_bytes)
{
	static char name[49]; /* 24 characters of two bytes each */
	for (size_t i = 0; i < 24; i++)
		memcpy(name + 2 * i, "\u00e9", 2);
	cr_assert_eq(PARSE("--name", name), JP_OK, "%s", why.text);
	char longer[sizeof name + 1];
	snprintf(longer, sizeof longer, "%sx", name);
	cr_assert_eq(PARSE("--name", longer), JP_BAD_ARG);
	cr_assert_eq(strncmp(why.text, "--name: wants 1 to 48 bytes of printable text without ':', not '", 64), 0, "%s",
		why.text);
}
