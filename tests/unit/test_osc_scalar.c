/* The scalar profile: what stands in the bundles of a window. */
#include "support/osc_probe.h"

#include <criterion/criterion.h>
#include <jackprobe/osc_schema.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct osc_inbox *inbox;
static struct jp_osc *osc;

static void start(const struct jp_extra_column *columns, size_t n_columns, const char *prefix)
{
	inbox = osc_inbox_open("127.0.0.1", 0);
	const char *targets[] = {inbox->target};
	osc = osc_probe_open((struct jp_osc_config){
		.targets = targets, .n_targets = 1, .prefix = prefix, .columns = columns, .n_columns = n_columns});
}

static void stop(void)
{
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

static const struct osc_message *find(const char *address)
{
	char path[200];
	snprintf(path, sizeof path, "/p%s", address);
	return osc_inbox_find(inbox, path);
}

static const struct osc_arg *only_arg(const char *address, char tag)
{
	const struct osc_message *m = find(address);
	cr_assert(m, "%s is missing", address);
	cr_assert_eq(m->n, 1);
	cr_assert_eq(m->arg[0].tag, tag, "%s has type %c", address, m->arg[0].tag);
	return &m->arg[0];
}

static void expect_value(const char *address, char tag, double value)
{
	const struct osc_arg *arg = only_arg(address, tag);
	char decimal[32];
	snprintf(decimal, sizeof decimal, "%lld", (long long)value);
	if (tag == 's')
		cr_assert_str_eq(arg->s, decimal);
	else if (tag == 'i')
		cr_assert_eq(arg->i, (int32_t)value, "%s: %d", address, arg->i);
	else
		cr_assert_eq(arg->f, (float)value, "%s: %g", address, (double)arg->f);
}

Test(osc_scalar, every_figure_arrives_with_its_value)
{
	struct jp_report report = osc_full_report();
	start(NULL, 0, "/p");
	osc_probe_window(osc, inbox, &report);
	for (size_t i = 0; i < osc_n_expected; i++)
		expect_value(osc_expected[i].address, osc_expected[i].tag, 1000.25 + (double)i);
	cr_assert_str_eq(only_arg("/state", 's')->s, "running");
	cr_assert_str_eq(only_arg("/wake_source", 's')->s, "driver");
	cr_assert_str_eq(only_arg("/end_source", 's')->s, "tail");
	cr_assert_eq(osc_n_expected + 3, jp_osc_n_values);
	cr_assert_leq(jp_osc_n_values, 64, "the publisher's table has no more room");
	stop();
}

Test(osc_scalar, what_is_unknown_is_absent_and_nothing_else)
{
	start(NULL, 0, "/p");
	srand(1);
	for (int round = 0; round < 50; round++) {
		struct jp_report report = osc_full_report();
		bool known[64];
		for (size_t i = 0; i < osc_n_expected; i++) {
			known[i] = rand() & 1;
			if (!known[i])
				osc_forget(&report, &osc_expected[i]);
		}
		osc_probe_window(osc, inbox, &report);
		for (size_t i = 0; i < osc_n_expected; i++)
			cr_assert_eq(find(osc_expected[i].address) != NULL, known[i], "%s", osc_expected[i].address);
	}
	stop();
}

Test(osc_scalar, a_window_without_cycles_has_frame_and_state_only)
{
	static const struct {
		enum jp_state state;
		const char *text;
	} row[] = {{JP_STATE_STALE, "stale"}, {JP_STATE_DISCONNECTED, "disconnected"}};
	start(NULL, 0, "/p");
	for (size_t i = 0; i < 2; i++) {
		struct jp_report report = osc_empty_report();
		report.state = row[i].state;
		osc_probe_window(osc, inbox, &report);
		cr_assert_str_eq(only_arg("/state", 's')->s, row[i].text);
		cr_assert_eq(inbox->n, 2);
	}
	stop();
}

Test(osc_scalar, every_bundle_begins_with_the_same_frame)
{
	struct jp_report report = osc_full_report();
	size_t frames = 0;
	start(NULL, 0, "/p");
	report.seq = 0x80000005u;
	osc_probe_window(osc, inbox, &report);
	for (size_t i = 0; i < inbox->n; i++) {
		const struct osc_message *m = &inbox->message[i];
		cr_assert(m->bundled);
		cr_assert_eq(m->first, !strcmp(m->address, "/p/frame"));
		if (!m->first)
			continue;
		frames++;
		cr_assert_str_eq(m->types, "iiii");
		cr_assert_eq(m->arg[0].i, 5);
		cr_assert_eq(m->arg[1].i, 1700000001);
		cr_assert_eq(m->arg[2].i, 23);
		cr_assert_eq(m->arg[3].i, 1000);
	}
	cr_assert_eq(frames, inbox->datagrams);
	cr_assert_gt(frames, 1);
	stop();
}

/* Counts that no 32 bits hold, and the ends of the types. */
Test(osc_scalar, numbers_beyond_their_type)
{
	struct jp_report report = osc_full_report();
	report.total.counts.cycles = INT64_MAX;
	report.total.counts.overruns = 2147483648;
	report.total.counts.lost = 0;
	report.window.counts.cycles = 2147483648;
	report.window.cycle_end.max_us = 1e39;
	report.window.cycle_end.min_us = -INFINITY;
	report.window.lateness.p50_us = -18.5;
	report.host.dma_latency_us = 1e10;
	start(NULL, 0, "/p");
	osc_probe_window(osc, inbox, &report);
	cr_assert_str_eq(only_arg("/total/cycles", 's')->s, "9223372036854775807");
	cr_assert_str_eq(only_arg("/total/overruns", 's')->s, "2147483648");
	cr_assert_str_eq(only_arg("/total/lost", 's')->s, "0");
	cr_assert_eq(only_arg("/cycles", 'i')->i, INT32_MAX);
	cr_assert_eq(only_arg("/lateness/p50_us", 'f')->f, -18.5f);
	cr_assert_null(find("/cycle_end/max_us"));
	cr_assert_null(find("/cycle_end/min_us"));
	cr_assert_null(find("/dma_latency_us"));
	stop();
}

/* The most and the longest there can be. The inbox refuses a datagram above 1232 bytes. */
Test(osc_scalar, datagrams_stay_small_with_the_largest_columns)
{
	static struct jp_extra_column column[JP_EXTRA_MAX];
	struct jp_report report = osc_full_report();
	char prefix[64];
	memset(prefix, 'p', sizeof prefix);
	prefix[0] = '/';
	prefix[63] = 0;
	for (int i = 0; i < JP_EXTRA_MAX; i++) {
		snprintf(column[i].osc, sizeof column[i].osc, "/power/%02d", i);
		memset(column[i].osc + 9, 'z', sizeof column[i].osc - 10);
	}
	column[5].osc[0] = 0;
	start(column, JP_EXTRA_MAX, prefix);
	jp_osc_hello(osc, 48000, 128, "jackd2");
	osc_probe_window(osc, inbox, &report);
	for (int i = 0; i < JP_EXTRA_MAX; i++) {
		char address[160];
		snprintf(address, sizeof address, "%s%s", prefix, column[i].osc);
		const struct osc_message *m = osc_inbox_find(inbox, address);
		cr_assert_eq(m != NULL, i != 5);
		if (m)
			cr_assert_eq(m->arg[0].f, (float)(5000.25 + i));
	}
	stop();
}
