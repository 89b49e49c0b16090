/* /client: one message for each client and window. */
#include "support/osc_probe.h"
#include "support/sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct osc_inbox *inbox;
static struct jp_osc *osc;

static void start(void)
{
	inbox = osc_inbox_open("127.0.0.1", 0);
	osc = osc_probe_open_to(inbox->target);
}

static void stop(void)
{
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

TestSuite(osc_client, .init = start, .fini = stop);

static void send(const struct jp_client_row *rows, size_t n)
{
	osc_inbox_clear(inbox);
	jp_osc_clients(osc, rows, n);
	osc_inbox_wait(inbox, (size_t)osc_probe_sent(osc));
}

static float sent(double value)
{
	return isnan(value) ? -1 : (float)value;
}

static void expect(const struct osc_message *m, const struct jp_client_figures *f)
{
	cr_assert_str_eq(m->address, "/p/client");
	cr_assert_str_eq(m->types, "sffffi");
	cr_assert_str_eq(m->arg[0].s, f->name);
	cr_assert_eq(m->arg[1].f, sent(f->wait_p99_us), "%s", f->name);
	cr_assert_eq(m->arg[2].f, sent(f->busy_p50_us), "%s", f->name);
	cr_assert_eq(m->arg[3].f, sent(f->busy_p99_us), "%s", f->name);
	cr_assert_eq(m->arg[4].f, sent(f->busy_max_us), "%s", f->name);
	cr_assert_eq(m->arg[5].i, (int32_t)f->blamed, "%s", f->name);
}

Test(osc_client, every_client_arrives_with_its_figures)
{
	struct jp_client_row rows[JP_SAMPLE_CLIENTS];
	jp_sample_clients(rows);
	send(rows, JP_SAMPLE_CLIENTS);
	cr_assert_eq(inbox->n, JP_SAMPLE_CLIENTS);
	for (size_t i = 0; i < JP_SAMPLE_CLIENTS; i++)
		expect(&inbox->message[i], &rows[i].figures);
}

Test(osc_client, numbers_beyond_their_type)
{
	struct jp_client_row rows[JP_SAMPLE_CLIENTS];
	jp_sample_clients(rows);
	rows[0].figures.busy_max_us = 1e300;
	rows[0].figures.busy_p99_us = INFINITY;
	rows[0].figures.blamed = INT64_C(1) << 40;
	send(rows, 1);
	cr_assert_eq(inbox->message[0].arg[3].f, -1);
	cr_assert_eq(inbox->message[0].arg[4].f, -1);
	cr_assert_eq(inbox->message[0].arg[5].i, INT32_MAX);
}

/* The inbox refuses datagrams above 1232 bytes. */
Test(osc_client, many_clients_with_nasty_names_fit_into_small_datagrams)
{
	static const char *const part[] = {"a,b#*?[]{}/ ", "\xc3\xa9\xe2\x82\xac", "\"\\\n\t", "x"};
	struct jp_client_row rows[64], sample[JP_SAMPLE_CLIENTS];
	jp_sample_clients(sample);
	for (size_t i = 0; i < 64; i++) {
		char *name = rows[i].figures.name;
		rows[i] = sample[i % 2];
		int n = snprintf(name, JP_NAME_MAX, "%zu", i);
		while ((size_t)n + strlen(part[i % 4]) < JP_NAME_MAX)
			n += snprintf(name + n, JP_NAME_MAX - (size_t)n, "%s", part[i % 4]);
	}
	send(rows, 64);
	cr_assert_eq(inbox->n, 64);
	for (size_t i = 0; i < 64; i++)
		expect(&inbox->message[i], &rows[i].figures);
	cr_assert_geq(inbox->datagrams, 64 * 160 / 1232);
}

Test(osc_client, no_clients_no_datagram)
{
	jp_osc_clients(osc, NULL, 0);
	cr_assert_eq(osc_probe_sent(osc), 0);
}
