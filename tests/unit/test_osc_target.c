/* Targets: names, refusals, several at once, and what is told about them. */
#include "support/names.h"
#include "support/osc_probe.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* In the first and in the last bundle of a window. */
#define FIRST_ADDRESS "/p/cycle_end/min_us"
#define LAST_ADDRESS "/p/cpu/ctxt_per_s"

/* An address of this machine that no other test takes ports of. */
#define QUIET_HOST "127.0.0.2"

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

/* The next news, which must say that. It comes from the look-up's thread. */
static void wait_news(struct jp_osc *osc, const char *part)
{
	int i = 0;
	while (!take_news(osc, part)) {
		cr_assert_lt(i++, 2000, "no news of '%s'", part);
		usleep(5000);
	}
}

/* Windows until there is news, which must say that; a refusal is known at the second, its end after some seconds. */
static void send_until_news(struct jp_osc *osc, const char *part)
{
	int i = 0;
	do {
		cr_assert_lt(i++, 20, "no news of '%s'", part);
		send_window(osc);
	} while (!take_news(osc, part));
}

static void expect_no_news(struct jp_osc *osc)
{
	struct jp_why news;
	cr_assert(!jp_osc_news(osc, &news), "%s", news.text);
}

Test(osc_target, an_unknown_name_disturbs_nobody)
{
	struct osc_inbox *inbox = osc_inbox_open("127.0.0.1", 0);
	const char *targets[] = {"nosuch.invalid:9000", inbox->target};
	struct jp_osc *osc = osc_probe_open((struct jp_osc_config){.targets = targets, .n_targets = 2});
	send_window(osc);
	wait_news(osc, "osc target nosuch.invalid:9000: name not known, trying again in the background");
	send_window(osc);
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	cr_assert_eq(osc_probe_sent(osc), osc_probe_dropped(osc));
	cr_assert_eq(osc_inbox_count(inbox, LAST_ADDRESS), 2);
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
	send_window(osc);
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	cr_assert_str_eq(inbox->message[0].address, "/p/hello");
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

Test(osc_target, closing_does_not_wait_for_a_look_up, .timeout = 30)
{
	struct jp_osc *osc = osc_probe_open_to("hang.test:9000");
	names_wait_hanging();
	send_window(osc);
	cr_assert_eq(osc_probe_sent(osc), 0);
	expect_no_news(osc);
	jp_osc_close(osc);
	names_release();
	names_wait_released();
}

/* The last window's last datagram has been refused; the sender learns it when it sends the next. */
Test(osc_target, a_port_that_opens_late_gets_the_next_window)
{
	struct osc_inbox *inbox = osc_inbox_open(QUIET_HOST, 0);
	uint16_t port = osc_inbox_port(inbox);
	struct jp_osc *osc = osc_probe_open_to(inbox->target);
	osc_inbox_close(inbox);
	send_until_news(osc, "nobody listens");
	send_window(osc);
	expect_no_news(osc);
	cr_assert_gt(osc_probe_dropped(osc), 0);

	inbox = osc_inbox_open(QUIET_HOST, port);
	send_window(osc);
	osc_inbox_wait_for(inbox, LAST_ADDRESS);
	cr_assert_not_null(osc_inbox_find(inbox, FIRST_ADDRESS));
	jp_osc_hello(osc, 48000, 128, "jackd2");
	osc_inbox_wait_for(inbox, "/p/hello");
	osc_inbox_clear(inbox);
	send_until_news(osc, "no longer refused");
	send_window(osc);
	osc_inbox_wait_for(inbox, "/p/hello");
	expect_no_news(osc);
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

/* "localhost" may be ::1 first while the receiver is bound to 127.0.0.1. As a rule the refusal is there when send() returns, and
 * then nothing is lost; on a busy machine it may come later, hence several tries. */
Test(osc_target, a_name_with_two_addresses_finds_the_one_that_listens)
{
	bool whole = false;
	for (int tries = 0; tries < 5 && !whole; tries++) {
		struct osc_inbox *inbox = osc_inbox_open("127.0.0.1", 0);
		char target[64];
		snprintf(target, sizeof target, "both.test:%u", osc_inbox_port(inbox));
		struct jp_osc *osc = osc_probe_open_to(target);
		while (!osc_probe_sent(osc)) {
			send_window(osc);
			usleep(1000);
		}
		osc_inbox_wait_for(inbox, LAST_ADDRESS);
		whole = osc_inbox_count(inbox, FIRST_ADDRESS);
		osc_inbox_clear(inbox);
		send_window(osc);
		osc_inbox_wait_for(inbox, LAST_ADDRESS);
		cr_assert_not_null(osc_inbox_find(inbox, FIRST_ADDRESS));
		expect_no_news(osc);
		jp_osc_close(osc);
		osc_inbox_close(inbox);
	}
	cr_assert(whole, "the first window always loses something");
}

static bool have_v6(void)
{
	const struct sockaddr_in6 loopback = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	int fd = socket(AF_INET6, SOCK_DGRAM, 0);
	bool can = fd >= 0 && bind(fd, (const struct sockaddr *)&loopback, sizeof loopback) == 0;
	if (fd >= 0)
		close(fd);
	return can;
}

Test(osc_target, sixteen_targets_of_both_families_get_the_same)
{
	enum { N = 16 };
	struct osc_inbox *inbox[N];
	const char *targets[N + 1];
	const char *other = have_v6() ? "::1" : "127.0.0.1";
	for (int i = 0; i < N; i++) {
		inbox[i] = osc_inbox_open(i % 2 ? other : "127.0.0.1", 0);
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
