/* Targets: names, refusals, several at once, and what is told about them. */
#include "support/names.h"
#include "support/osc_probe.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A window each second of the report's own time. */
static void send_window(struct jp_osc *osc)
{
	static double elapsed_s;
	struct jp_report report = osc_full_report();
	elapsed_s += 1;
	report.elapsed_s = elapsed_s;
	report.seq = (uint32_t)elapsed_s;
	jp_osc_window(osc, &report);
}

static bool take_news(struct jp_osc *osc, const char *part)
{
	struct jp_why news;
	if (!jp_osc_news(osc, &news))
		return false;
	cr_assert(strstr(news.text, part), "%s", news.text);
	return true;
}

/* Send windows until there is news, which must say that. The look-up's thread may be slow, so there is a short pause. */
static void wait_news(struct jp_osc *osc, const char *part)
{
	for (int i = 0; i < 2000; i++) {
		send_window(osc);
		if (take_news(osc, part))
			return;
		usleep(5000);
	}
	cr_assert_fail("no news of '%s'", part);
}

static void expect_no_news(struct jp_osc *osc)
{
	struct jp_why news;
	cr_assert(!jp_osc_news(osc, &news), "%s", news.text);
}

/* A port of 127.0.0.1 that nobody listens on. */
static uint16_t closed_port(void)
{
	struct osc_inbox *inbox = osc_inbox_open("127.0.0.1", 0);
	uint16_t port = osc_inbox_port(inbox);
	osc_inbox_close(inbox);
	return port;
}

/* T21 */
Test(osc_target, an_unknown_name_disturbs_nobody)
{
	struct osc_inbox *inbox = osc_inbox_open("127.0.0.1", 0);
	const char *targets[] = {"nosuch.invalid:9000", inbox->target};
	struct jp_osc *osc = osc_probe_open((struct jp_osc_config){.targets = targets, .n_targets = 2});
	wait_news(osc, "osc target nosuch.invalid:9000: n");
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	cr_assert_eq(osc_probe_sent(osc), osc_probe_dropped(osc));
	cr_assert_geq(osc_inbox_count(inbox, "/p/frame"), 1);
	expect_no_news(osc);
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

Test(osc_target, a_name_that_is_known_later_is_found)
{
	struct osc_inbox *inbox = osc_inbox_open("127.0.0.1", 0);
	char target[64];
	snprintf(target, sizeof target, "late.test:%u", osc_inbox_port(inbox));
	struct jp_osc *osc = osc_probe_open_to(target);
	jp_osc_hello(osc, 48000, 128, "jackd2");
	wait_news(osc, "name not known, trying again in the background");
	wait_news(osc, "name found");
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	cr_assert_str_eq(inbox->message[0].address, "/p/hello");
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

Test(osc_target, closing_does_not_wait_for_a_look_up)
{
	struct timespec before, after;
	struct jp_osc *osc = osc_probe_open_to("hang.test:9000");
	names_wait_hanging();
	send_window(osc);
	cr_assert_eq(osc_probe_sent(osc), 0);
	expect_no_news(osc);
	clock_gettime(CLOCK_MONOTONIC, &before);
	jp_osc_close(osc);
	clock_gettime(CLOCK_MONOTONIC, &after);
	cr_assert_lt(after.tv_sec - before.tv_sec, 5, "returned only when the look-up was over");
	names_release();
	names_wait_released();
}

/* T22 */
Test(osc_target, a_port_that_opens_late_gets_the_next_window)
{
	uint16_t port = closed_port();
	char target[64];
	snprintf(target, sizeof target, "127.0.0.1:%u", port);
	struct jp_osc *osc = osc_probe_open_to(target);
	jp_osc_hello(osc, 48000, 128, "jackd2");
	for (int i = 0; i < 5; i++)
		send_window(osc);
	cr_assert(take_news(osc, "nobody listens"));
	expect_no_news(osc);
	uint64_t dropped = osc_probe_dropped(osc);
	cr_assert_gt(dropped, 5);
	cr_assert_leq(osc_probe_sent(osc), 1);

	struct osc_inbox *inbox = osc_inbox_open("127.0.0.1", port);
	uint64_t sent = osc_probe_sent(osc);
	send_window(osc);
	cr_assert_leq(osc_probe_dropped(osc), dropped + 1);
	osc_inbox_wait(inbox, osc_probe_sent(osc) - (osc_probe_dropped(osc) > dropped ? sent - 1 : sent));
	cr_assert_not_null(osc_inbox_find(inbox, "/p/cycle_end/min_us"));
	cr_assert_not_null(osc_inbox_find(inbox, "/p/cpu/ctxt_per_s"));
	wait_news(osc, "reached again");
	send_window(osc);
	osc_inbox_wait(inbox, inbox->datagrams + 1);
	expect_no_news(osc);
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

/* "localhost" may be ::1 first while the receiver is bound to 127.0.0.1. */
Test(osc_target, a_name_with_two_addresses_finds_the_one_that_listens)
{
	struct osc_inbox *inbox = osc_inbox_open("127.0.0.1", 0);
	char target[64];
	snprintf(target, sizeof target, "both.test:%u", osc_inbox_port(inbox));
	struct jp_osc *osc = osc_probe_open_to(target);
	while (!osc_probe_sent(osc)) {
		send_window(osc);
		usleep(1000);
	}
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	cr_assert_not_null(osc_inbox_find(inbox, "/p/cycle_end/min_us"), "the first window lost something");
	cr_assert_not_null(osc_inbox_find(inbox, "/p/cpu/ctxt_per_s"), "the first window lost something");
	for (int i = 0; i < 5; i++)
		send_window(osc);
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	expect_no_news(osc);
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

Test(osc_target, sixteen_targets_of_both_families_get_the_same)
{
	enum { N = 16 };
	struct osc_inbox *inbox[N];
	const char *targets[N + 1];
	for (int i = 0; i < N; i++) {
		inbox[i] = osc_inbox_open(i % 2 ? "::1" : "127.0.0.1", 0);
		targets[i] = inbox[i]->target;
	}
	struct jp_osc *osc = osc_probe_open((struct jp_osc_config){.targets = targets, .n_targets = N});
	send_window(osc);
	for (int i = 0; i < N; i++) {
		osc_inbox_wait(inbox[i], osc_probe_sent(osc) / N);
		cr_assert_eq(inbox[i]->n, inbox[0]->n);
		cr_assert_not_null(osc_inbox_find(inbox[i], "/p/cycle_end/p99_us"));
	}
	cr_assert_eq(osc_probe_dropped(osc), 0);
	jp_osc_close(osc);
	for (int i = 0; i < N; i++)
		osc_inbox_close(inbox[i]);
}

Test(osc_target, a_bad_configuration_is_refused_with_a_sentence)
{
	const char *good[17], *bad[] = {"127.0.0.1:9000", "foo"};
	const struct jp_extra_column column = {.csv = "power_a_w", .osc = "/power/a b"};
	struct {
		struct jp_osc_config config;
		const char *complaint;
	} row[] = {
		{{.targets = bad, .n_targets = 2, .prefix = "/p"},
			"osc target 'foo': wants HOST:PORT, for example 127.0.0.1:9000"},
		{{.targets = bad, .n_targets = 1, .prefix = "/"}, "osc prefix '/'"},
		{{.targets = good, .n_targets = 17, .prefix = "/p"}, "17 targets given, at most 16"},
		{{.targets = bad, .n_targets = 1, .prefix = "/p", .columns = &column, .n_columns = 1},
			"power_a_w: '/power/a b' is no OSC address"},
	};
	for (int i = 0; i < 17; i++)
		good[i] = "127.0.0.1:9000";
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct jp_osc *osc = NULL;
		struct jp_why why = {""};
		row[i].config.name = row[i].config.version = "x";
		cr_assert_eq(jp_osc_open(&row[i].config, &osc, &why), JP_BAD_ARG);
		cr_assert_null(osc);
		cr_assert(strstr(why.text, row[i].complaint), "%s", why.text);
	}
}
