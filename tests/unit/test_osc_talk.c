/* What is sent beside the windows: /hello, /event, /status. */
#include "support/osc_probe.h"

#include <criterion/criterion.h>
#include <jackprobe/osc_schema.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct osc_inbox *inbox;
static struct jp_osc *osc;

static void start(const char *name)
{
	inbox = osc_inbox_open("127.0.0.1", 0);
	const char *targets[] = {inbox->target};
	osc = osc_probe_open((struct jp_osc_config){.targets = targets, .n_targets = 1, .name = name});
}

static void stop(void)
{
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

static const struct osc_message *receive(const char *address)
{
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	const struct osc_message *m = osc_inbox_find(inbox, address);
	cr_assert(m, "%s did not come", address);
	return m;
}

/* Windows a second apart; returns in which of them a message of that address came, as a bit set. */
static unsigned seconds_with(const char *address, double from_s, int n)
{
	unsigned seen = 0;
	for (int i = 0; i < n; i++) {
		struct jp_report report = osc_empty_report();
		report.elapsed_s = from_s + i + (i % 2 ? 0.003 : -0.003);
		osc_probe_window(osc, inbox, &report);
		seen |= osc_inbox_count(inbox, address) ? 1u << i : 0;
	}
	return seen;
}

Test(osc_talk, hello_says_who_and_what)
{
	start("My #1 {synth}*, \"x\"");
	jp_osc_hello(osc, 192000, 16, "jackd2 1.9.21");
	const struct osc_message *m = receive("/p/hello");
	cr_assert_str_eq(m->types, "ssiiis");
	cr_assert_str_eq(m->arg[0].s, "My #1 {synth}*, \"x\"");
	cr_assert_str_eq(m->arg[1].s, "0.1");
	cr_assert_eq(m->arg[2].i, 192000);
	cr_assert_eq(m->arg[3].i, 16);
	cr_assert_eq(m->arg[4].i, JP_OSC_SCHEMA);
	cr_assert_str_eq(m->arg[5].s, "jackd2 1.9.21");
	stop();
}

Test(osc_talk, hello_waits_for_its_facts_and_comes_every_ten_seconds)
{
	start("probe");
	jp_osc_hello(osc, -1, -1, "");
	cr_assert_eq(seconds_with("/p/hello", 1, 12), 0);
	jp_osc_hello(osc, 48000, 128, "jackd2");
	receive("/p/hello");
	cr_assert_eq(seconds_with("/p/hello", 13, 24), 1u << 9 | 1u << 19, "12 + 10 and 12 + 20 seconds");
	stop();
}

Test(osc_talk, event_has_the_client_as_a_string)
{
	struct jp_event event = {.event = JP_EVENT_OVERRUN,
		.client = "My #1 {synth}*, \"x\"",
		.kind = "busy",
		.value_us = 3100.5,
		.period_us = 2666.75,
		.detail = "late by 433 us"};
	start("probe");
	jp_osc_event(osc, &event);
	const struct osc_message *m = receive("/p/event");
	cr_assert_str_eq(m->types, "sssff");
	cr_assert_str_eq(m->arg[0].s, "overrun");
	cr_assert_str_eq(m->arg[1].s, "My #1 {synth}*, \"x\"");
	cr_assert_str_eq(m->arg[2].s, "late by 433 us");
	cr_assert_eq(m->arg[3].f, 3100.5f);
	cr_assert_eq(m->arg[4].f, 2666.75f);
	stop();
}

Test(osc_talk, an_unknown_value_of_an_event_is_minus_one)
{
	struct jp_event event = {.event = JP_EVENT_SINK_ERROR, .value_us = NAN, .period_us = INFINITY};
	start("probe");
	jp_osc_event(osc, &event);
	const struct osc_message *m = receive("/p/event");
	cr_assert_str_eq(m->arg[0].s, "sink_error");
	cr_assert_str_eq(m->arg[1].s, "");
	cr_assert_eq(m->arg[3].f, -1);
	cr_assert_eq(m->arg[4].f, -1);
	stop();
}

Test(osc_talk, text_is_utf8_whatever_comes_in)
{
	static const struct {
		const char *in, *out;
	} row[] = {
		{"B\xc3\xbchne \xe2\x82\xac \xf0\x9f\x8e\xb9", "B\xc3\xbchne \xe2\x82\xac \xf0\x9f\x8e\xb9"},
		{"caf\xe9", "caf?"},
		{"\xe9 x", "? x"},
		{"cut \xe2\x82", "cut ??"},
		{"cut \xf0\x9f\x8e", "cut ???"},
		{"long \xc0\xaf", "long ??"},
		{"long \xe0\x80\xaf", "long ???"},
		{"half \xed\xa0\x80", "half ???"},
		{"far \xf4\x90\x80\x80", "far ????"},
		{"far \xff", "far ?"},
		{"\x80", "?"},
		{"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
	};
	start("probe");
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		osc_inbox_clear(inbox);
		jp_osc_status(osc, "energy", false, row[i].in);
		cr_assert_str_eq(receive("/p/status")->arg[2].s, row[i].out, "row %zu", i);
	}
	stop();
}

Test(osc_talk, text_is_cut_between_characters)
{
	char reason[400] = "", name[200] = "";
	for (int i = 0; i < 120; i++)
		strcat(reason, "\xe2\x82\xac");
	memset(name, 'n', 199);
	start(name);
	jp_osc_status(osc, "energy", false, reason);
	const struct osc_message *m = receive("/p/status");
	cr_assert_eq(strlen(m->arg[2].s), 255, "85 characters of three bytes");
	cr_assert(!strncmp(m->arg[2].s, reason, 255));
	jp_osc_hello(osc, 48000, 128, reason);
	m = receive("/p/hello");
	cr_assert_eq(strlen(m->arg[0].s), 127);
	cr_assert_eq(strlen(m->arg[5].s), 126);
	stop();
}

Test(osc_talk, status_is_repeated_with_hello_in_its_latest_form)
{
	start("probe");
	jp_osc_status(osc, "energy", false, "energy_uj: no permission");
	jp_osc_status(osc, "frequency", true, "");
	jp_osc_status(osc, "energy", true, "perf");
	osc_inbox_wait(inbox, 3);
	cr_assert_str_eq(inbox->message[0].arg[2].s, "energy_uj: no permission");
	osc_inbox_clear(inbox);
	jp_osc_hello(osc, 48000, 128, "jackd2");
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	cr_assert_eq(inbox->n, 3, "hello and one status for each sensor");
	cr_assert_str_eq(inbox->message[0].address, "/p/hello");
	cr_assert_str_eq(inbox->message[1].types, "sis");
	cr_assert_str_eq(inbox->message[1].arg[0].s, "energy");
	cr_assert_eq(inbox->message[1].arg[1].i, 1);
	cr_assert_str_eq(inbox->message[1].arg[2].s, "perf");
	cr_assert_str_eq(inbox->message[2].arg[0].s, "frequency");
	stop();
}

Test(osc_talk, a_33rd_sensor_is_sent_but_not_remembered)
{
	char sensor[32];
	start("probe");
	for (int i = 0; i < 33; i++) {
		snprintf(sensor, sizeof sensor, "sensor %d", i);
		jp_osc_status(osc, sensor, true, "");
	}
	osc_inbox_wait(inbox, 33);
	cr_assert_str_eq(inbox->message[32].arg[0].s, "sensor 32");
	osc_inbox_clear(inbox);
	jp_osc_hello(osc, 48000, 128, "jackd2");
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	cr_assert_eq(osc_inbox_count(inbox, "/p/status"), 32);
	stop();
}
