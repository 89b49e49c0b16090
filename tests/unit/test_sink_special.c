/* Logs that are no regular files: devices and FIFOs. Opening one never waits for another process. */
#include "support/scratch.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(sink_special, .init = jp_scratch_make, .fini = jp_scratch_remove);

static void post_window(struct jp_sinks *s)
{
	struct jp_report report;
	jp_sample_report(&report);
	jp_sinks_window(s, &report);
	jp_sinkrun_flush(s);
}

/* A log that is a device by way of a link. */
static struct jp_sinks *run_device(const char *device)
{
	const char *path = jp_scratch_path("device.csv");
	struct jp_meta meta;
	cr_assert_eq(symlink(device, path), 0);
	struct jp_sinks *s = jp_sinkrun_log(path);
	jp_sample_meta(&meta);
	jp_sinks_begin(s, &meta);
	return s;
}

Test(sink_special, the_null_device_takes_everything_and_gets_no_facts_beside_it)
{
	struct jp_sinks *s = run_device("/dev/null");
	post_window(s);
	jp_sinkrun_end(s, 0);
	cr_assert_neq(access(jp_scratch_path("device.csv.meta.json"), F_OK), 0);
}

Test(sink_special, the_full_device_is_no_error_at_start_but_counted_and_said_once)
{
	struct jp_sinks *s = run_device("/dev/full");
	for (int i = 0; i < 3; i++)
		post_window(s);
	const char *news = jp_sinkrun_news(s);
	cr_assert_not_null(
		strstr(news,
			"device.csv: no space left on device: 3 windows not written; will go on when there is room"),
		"%s", news);
	post_window(s);
	cr_assert_str_eq(jp_sinkrun_news(s), "");
	jp_sinkrun_end(s, 5); /* four windows, and the header at the beginning */
}

/* Read what is there now. */
static size_t drain(int fd, char *out, size_t size)
{
	ssize_t n = read(fd, out, size - 1);
	cr_assert(n >= 0);
	out[n] = 0;
	return (size_t)n;
}

Test(sink_special, a_fifo_works_while_somebody_reads)
{
	static char text[65536];
	const char *path = jp_scratch_path("pipe.csv");
	cr_assert_eq(mkfifo(path, 0600), 0);
	struct jp_sinks *s = jp_sinkrun_log(path);
	post_window(s);
	cr_assert_not_null(strstr(jp_sinkrun_news(s), "nobody reads from it"));

	int reader = open(path, O_RDONLY | O_NONBLOCK);
	post_window(s);
	cr_assert_not_null(strstr(jp_sinkrun_news(s), "1 window not written"));
	drain(reader, text, sizeof text);
	cr_assert_eq(strncmp(text, "time_utc,", 9), 0, "a new reader gets the header first");

	close(reader); /* SIGPIPE must not kill the probe */
	post_window(s);
	cr_assert_not_null(strstr(jp_sinkrun_news(s), "broken pipe"));
	reader = open(path, O_RDONLY | O_NONBLOCK);
	post_window(s);
	drain(reader, text, sizeof text);
	cr_assert_eq(strncmp(text, "time_utc,", 9), 0);
	close(reader);
	jp_sinkrun_end(s, 2);
}

/* A reader that stops reading: the write hangs, the set does not. */
Test(sink_special, a_fifo_that_is_not_read_hangs_only_its_own_thread)
{
	const char *path = jp_scratch_path("pipe.csv");
	struct jp_report report;
	cr_assert_eq(mkfifo(path, 0600), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	cr_assert_eq(fcntl(reader, F_SETPIPE_SZ, 4096), 4096);
	struct jp_sinks *s = jp_sinkrun_log(path);
	jp_sample_report(&report);
	for (int i = 0; i < 20; i++)
		jp_sinks_window(s, &report);
	cr_assert_not(jp_sinks_close(s, 100));
	cr_assert_gt(jp_sinks_errors(s), 0);
	jp_sinks_free(s);
	close(reader);
}
