/* One line a window, and the sink around it. */
#include "sink/lines.h"
#include "sink/sink.h"
#include "support/sample.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static char text[2048];
static struct jp_print p;

static void fresh(void)
{
	text[0] = 0;
	p = (struct jp_print){.buf = text, .size = sizeof text, .utf8 = true};
}
TestSuite(lines, .init = fresh);

Test(lines, window)
{
	struct jp_report report;
	jp_sample_report(&report);
	jp_lines_window(&report, &p);
	cr_assert_str_eq(text,
		"2026-01-01T00:00:00Z running n=375 cycle_end_us p50=1152.2 p99=1152.4~ max=1152.6 load_max_pct=130.5 "
		"overruns=2 lost=1 xruns=4 incomplete=3 dropped=5 covered=7/8 power_w=28.12\n");
}

Test(lines, unknown_is_not_zero)
{
	struct jp_report report;
	jp_sample_stale(&report);
	jp_lines_window(&report, &p);
	cr_assert_str_eq(text,
		"2026-01-01T00:00:00Z stale n=n/a cycle_end_us p50=n/a p99=n/a max=n/a load_max_pct=n/a overruns=n/a "
		"lost=n/a xruns=n/a covered=n/a power_w=n/a\n");
}

Test(lines, events)
{
	struct jp_event event;
	jp_sample_event(&event);
	jp_lines_event(&event, &p);
	jp_sample_bare_event(&event);
	jp_lines_event(&event, &p);
	event.event = JP_EVENT_XRUN;
	jp_lines_event(&event, &p);
	event.value_us = 2949;
	jp_lines_event(&event, &p);
	cr_assert_str_eq(text, "2025-12-31T23:59:59Z ! overrun My #1 {synth}*, \"x\"\\x0a\\x09\\x01 \xc3\xa9 "
			       "\\xff\\xc3 (busy) 2700.0 us "
			       "of 2666.7 us it ran 33 us past the deadline \\ twice (+17 not shown)\n"
			       "1970-01-01T00:00:00Z ! sink_error\n"
			       "1970-01-01T00:00:00Z ! xrun delay unknown\n"
			       "1970-01-01T00:00:00Z ! xrun delay 2949.0 us\n");
}

/* A pipe that keeps writes apart: one read gives one write. */
static void open_packets(int fd[2])
{
	cr_assert_eq(pipe2(fd, O_DIRECT | O_CLOEXEC), 0);
}

static ssize_t packet(int fd)
{
	memset(text, 0, sizeof text);
	return read(fd, text, sizeof text - 1);
}

Test(lines, one_write_a_line)
{
	int fd[2];
	struct jp_sink_instance sink;
	struct jp_why why = {""};
	struct jp_report report;
	struct jp_event event;
	open_packets(fd);
	jp_sample_report(&report);
	jp_sample_bare_event(&event);
	cr_assert_eq(jp_sink_open_lines(fd[1], false, &(struct jp_sink_config){NULL, 0}, &sink, &why), JP_OK);
	cr_assert_eq(sink.ops->window(sink.self, &report, &why), JP_OK);
	cr_assert_eq(sink.ops->event(sink.self, &event, &why), JP_OK);
	cr_assert_gt(packet(fd[0]), 0);
	cr_assert_eq(strncmp(text, "2026-01-01T00:00:00Z running", 28), 0);
	cr_assert_eq(strchr(text, '\n'), text + strlen(text) - 1);
	cr_assert_gt(packet(fd[0]), 0);
	cr_assert_str_eq(text, "1970-01-01T00:00:00Z ! sink_error\n");
	sink.ops->close(sink.self);
}

Test(lines, quiet_prints_the_summary_only)
{
	int fd[2];
	struct jp_sink_instance sink;
	struct jp_why why = {""};
	struct jp_summary summary;
	open_packets(fd);
	jp_sample_summary(&summary);
	cr_assert_eq(jp_sink_open_lines(fd[1], true, &(struct jp_sink_config){NULL, 0}, &sink, &why), JP_OK);
	cr_assert(!sink.ops->window && !sink.ops->cycles);
	cr_assert_eq(sink.ops->summary(sink.self, &summary, &why), JP_OK);
	cr_assert_gt(packet(fd[0]), 0);
	cr_assert_eq(strncmp(text, "jackprobe: summary of", 21), 0);
	sink.ops->close(sink.self);
}

/* What was told to standard error meanwhile. */
static const char *errors_of(const struct jp_sink_instance *sink, const struct jp_event *event)
{
	static char said[256];
	int fd[2], before = dup(STDERR_FILENO);
	struct jp_why why = {""};
	cr_assert_eq(pipe2(fd, O_NONBLOCK), 0);
	dup2(fd[1], STDERR_FILENO);
	sink->ops->event(sink->self, event, &why);
	dup2(before, STDERR_FILENO);
	ssize_t n = read(fd[0], said, sizeof said - 1);
	said[n > 0 ? n : 0] = 0;
	close(before), close(fd[0]), close(fd[1]);
	return said;
}

Test(lines, what_could_not_be_written_is_said_although_quiet)
{
	int fd[2], full = open("/dev/full", O_WRONLY);
	struct jp_sink_instance quiet, blind;
	struct jp_why why = {""};
	struct jp_event error = {.event = JP_EVENT_SINK_ERROR, .detail = "run.csv: no space left on device"};
	struct jp_event lost = {.event = JP_EVENT_LOST, .detail = "1 whole period missing"};
	open_packets(fd);
	cr_assert_eq(jp_sink_open_lines(fd[1], true, &(struct jp_sink_config){NULL, 0}, &quiet, &why), JP_OK);
	cr_assert_eq(jp_sink_open_lines(full, false, &(struct jp_sink_config){NULL, 0}, &blind, &why), JP_OK);
	cr_assert_str_eq(errors_of(&quiet, &error), "jackprobe: run.csv: no space left on device\n");
	cr_assert_str_eq(errors_of(&quiet, &lost), "");
	cr_assert_str_eq(errors_of(&blind, &error), "jackprobe: run.csv: no space left on device\n");
	cr_assert_str_eq(errors_of(&blind, &lost), "");
	close(fd[0]);
	close(full);
	quiet.ops->close(quiet.self);
	blind.ops->close(blind.self);
}

/* SIGPIPE is at its default here: it would end the test. */
Test(lines, a_reader_that_left_is_an_error)
{
	int fd[2];
	struct jp_sink_instance sink;
	struct jp_why why = {""};
	struct jp_report report;
	open_packets(fd);
	close(fd[0]);
	jp_sample_report(&report);
	cr_assert_eq(jp_sink_open_lines(fd[1], false, &(struct jp_sink_config){NULL, 0}, &sink, &why), JP_OK);
	for (int i = 0; i < 2; i++)
		cr_assert_eq(sink.ops->window(sink.self, &report, &why), JP_GONE);
	cr_assert_str_eq(why.text, "nobody reads it any more");
	sink.ops->close(sink.self);
}
