/* --log x.csv, through the running set as the program uses it. */
#include "sink/sink.h"
#include "support/sample.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(sink_csv, .init = jp_scratch_make, .fini = jp_scratch_remove);

enum { ENOUGH_MS = 20000 };

static const struct jp_sink_config config = {jp_sample_columns, JP_SAMPLE_COLUMNS};

/* The set, running, with one log. */
static struct jp_sinks *run_log(const char *path)
{
	struct jp_sinks *s;
	struct jp_sink_instance log;
	struct jp_why why = {""};
	cr_assert_eq(jp_sinks_new(&s), JP_OK);
	cr_assert_eq(jp_sink_open_log(path, &config, &log, &why), JP_OK, "%s", why.text);
	cr_assert_eq(jp_sinks_add(s, &log, &why), JP_OK, "%s", why.text);
	return s;
}

static void end(struct jp_sinks *s, uint64_t errors)
{
	cr_assert(jp_sinks_close(s, ENOUGH_MS));
	cr_assert_eq(jp_sinks_errors(s), errors);
	jp_sinks_free(s);
}

static void write_run(const char *path)
{
	struct jp_report report;
	struct jp_meta meta;
	struct jp_sinks *s = run_log(path);
	jp_sample_meta(&meta);
	jp_sinks_begin(s, &meta);
	jp_sample_report(&report);
	jp_sinks_window(s, &report);
	jp_sample_stale(&report);
	jp_sinks_window(s, &report);
	end(s, 0);
}

Test(sink_csv, file_is_the_golden_one)
{
	const char *path = jp_scratch_path("run.csv");
	write_run(path);
	cr_assert_str_eq(jp_scratch_read(path), jp_scratch_read("tests/golden/windows.csv"));
}
