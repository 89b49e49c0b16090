/* The live page on a pseudo terminal. */
#include "sink/sink.h"
#include "support/sample.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const char enter[] = "\033[?1049h", leave[] = "\033[?1049l", show_cursor[] = "\033[?25h", wrap[] = "\033[?7h";
static char seen[256 * 1024];
static int master, slave;
static struct jp_sink_instance sink;
static struct jp_why why;
static struct jp_report report;

static void open_page(void)
{
	struct termios raw;
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	cr_assert_eq(openpty(&master, &slave, NULL, NULL, &size), 0);
	tcgetattr(slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(slave, TCSANOW, &raw);
	fcntl(master, F_SETFL, O_NONBLOCK);
	setenv("TERM", "xterm", 1);
	setenv("LC_ALL", "C", 1);
	unsetenv("NO_COLOR");
	jp_sample_report(&report);
	cr_assert_eq(jp_sink_open_terminal(slave, &(struct jp_sink_config){NULL, 0}, &sink, &why), JP_OK);
}
TestSuite(terminal, .init = open_page);

/* What came since the last look. */
static const char *look(void)
{
	size_t n = 0;
	for (ssize_t got; (got = read(master, seen + n, sizeof seen - 1 - n)) > 0;)
		n += (size_t)got;
	seen[n] = 0;
	return seen;
}

static void begin(void)
{
	struct jp_meta meta;
	jp_sample_meta(&meta);
	cr_assert_eq(sink.ops->begin(sink.self, &meta, &why), JP_OK);
}

Test(terminal, comes_up_waiting_and_follows)
{
	begin();
	cr_assert(strstr(look(), enter) && strstr(seen, "waiting for cycles") && strstr(seen, "jackd2 1.9.21"));
	cr_assert_eq(sink.ops->window(sink.self, &report, &why), JP_OK);
	cr_assert(strstr(look(), "1152.2") && !strstr(seen, enter) && !strchr(seen, '\n'));
	sink.ops->close(sink.self);
}

Test(terminal, size_is_looked_at_for_every_picture)
{
	begin();
	sink.ops->window(sink.self, &report, &why);
	cr_assert(strstr(look(), "\033[20;1H"));
	ioctl(slave, TIOCSWINSZ, &(struct winsize){.ws_row = 5, .ws_col = 30});
	sink.ops->window(sink.self, &report, &why);
	cr_assert(strstr(look(), "\033[5;1H") && !strstr(seen, "\033[7;1H"));
	/* What erases below the last line would erase it on a page that is full. */
	cr_assert_null(strstr(seen, "\033[6;1H"));
	cr_assert_null(strstr(seen, "\033[J"));
	sink.ops->close(sink.self);
}

Test(terminal, summary_stands_on_the_normal_screen)
{
	struct jp_summary summary;
	jp_sample_summary(&summary);
	begin();
	look();
	cr_assert_eq(sink.ops->summary(sink.self, &summary, &why), JP_OK);
	const char *left = strstr(look(), leave), *text = strstr(seen, "jackprobe: summary");
	cr_assert(left && text && left < text && strstr(seen, show_cursor) && strstr(seen, wrap));
	sink.ops->close(sink.self);
	cr_assert_str_empty(look());
}

Test(terminal, is_given_back_without_a_summary_too)
{
	begin();
	look();
	sink.ops->close(sink.self);
	cr_assert(strstr(look(), leave) && strstr(seen, show_cursor));
}

Test(terminal, never_switched_on_is_never_switched_off)
{
	sink.ops->close(sink.self);
	cr_assert_str_empty(look());
}

Test(terminal, gone_is_an_error)
{
	begin();
	close(master);
	cr_assert_neq(sink.ops->window(sink.self, &report, &why), JP_OK);
	cr_assert_str_eq(why.text, "nobody reads it any more");
	sink.ops->close(sink.self);
}

Test(terminal, no_color_and_dumb_terminals)
{
	struct jp_sink_instance other;
	setenv("NO_COLOR", "1", 1);
	cr_assert_eq(jp_sink_open_terminal(slave, &(struct jp_sink_config){NULL, 0}, &other, &why), JP_OK);
	sink.ops->window(sink.self, &report, &why);
	cr_assert(strstr(look(), "\033[32m"));
	other.ops->window(other.self, &report, &why);
	cr_assert(!strstr(look(), "\033[32m") && strstr(seen, "running"));
	other.ops->close(other.self);
	setenv("TERM", "dumb", 1);
	cr_assert_eq(jp_sink_open_terminal(slave, &(struct jp_sink_config){NULL, 0}, &other, &why), JP_OK);
	cr_assert_str_eq(other.ops->kind, "lines");
	other.ops->close(other.self);
	sink.ops->close(sink.self);
}
