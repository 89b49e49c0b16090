/* --executions FILE.csv. */
#include "support/scratch.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(sink_executions, .init = jp_scratch_make, .fini = jp_scratch_remove);

static const char header[] = "frame,client,signalled_ns,awake_ns,finished_ns,state\n";

static const struct jp_exec_row samples[] = {
	{4294967424, "synth", {86400000021000, 86400000028000, 86400000078000, 86400000090000, 3, JP_EXEC_FINISHED}},
	{4294967424, "killed", {86400000078000, 86400000085000, JP_NS_UNKNOWN, 86400500090000, 4, JP_EXEC_RUNNING}},
	/* its end was overwritten before anybody looked; whose release was not seen; whose beginning was not */
	{4294967424, "a", {0, 1000, JP_NS_UNKNOWN, 9000, 5, JP_EXEC_FINISHED}},
	{4294967424, "b", {JP_NS_UNKNOWN, 1000, 2000, 9000, 6, JP_EXEC_FINISHED}},
	{4294967424, "c", {JP_NS_UNKNOWN, JP_NS_UNKNOWN, 2000, 9000, 7, JP_EXEC_FINISHED}},
	{UINT64_MAX, JP_SAMPLE_NAME, {INT64_MAX, INT64_MIN + 1, -1, 0, 8, JP_EXEC_UNKNOWN}},
	{0, "two\nlines", {1, 2, 3, 4, 9, JP_EXEC_TRIGGERED}},
};
enum { N_SAMPLES = sizeof samples / sizeof samples[0] };

static const char lines[] = "4294967424,\"synth\",86400000021000,86400000028000,86400000078000,finished\n"
			    "4294967424,\"killed\",86400000078000,86400000085000,,running\n"
			    "4294967424,\"a\",0,1000,,finished\n"
			    "4294967424,\"b\",,1000,2000,finished\n"
			    "4294967424,\"c\",,,2000,finished\n"
			    "18446744073709551615,\"My #1 {synth}*, \"\"x\"\"\",9223372036854775807,"
			    "-9223372036854775807,-1,\n"
			    "0,\"two\nlines\",1,2,3,triggered\n";

static void write_samples(const char *path)
{
	struct jp_meta meta = {.n = 0};
	struct jp_sinks *s = jp_sinkrun_executions(path);
	cr_assert(jp_sinks_want_executions(s) && !jp_sinks_want_cycles(s));
	jp_sinks_begin(s, &meta);
	jp_sinks_executions(s, samples, N_SAMPLES);
	jp_sinks_executions(s, samples, 0);
	jp_sinkrun_end(s, 0);
}

Test(sink_executions, each_is_a_row_and_unknown_is_empty)
{
	const char *path = jp_scratch_path("executions.csv");
	write_samples(path);
	const char *text = jp_scratch_read(path);
	cr_assert_eq(strncmp(text, header, strlen(header)), 0);
	cr_assert_str_eq(text + strlen(header), lines);
	write_samples(path);
	cr_assert_eq(
		strlen(jp_scratch_read(path)), strlen(header) + 2 * strlen(lines), "continued without a second header");
}

Test(sink_executions, no_execution_leaves_the_header)
{
	struct jp_meta meta = {.n = 0};
	struct jp_sinks *s = jp_sinkrun_executions(jp_scratch_path("executions.csv"));
	jp_sinks_begin(s, &meta);
	jp_sinkrun_end(s, 0);
	cr_assert_str_eq(jp_scratch_read(jp_scratch_path("executions.csv")), header);
}

Test(sink_executions, a_run_of_cycles_is_not_continued_with_executions)
{
	struct jp_sink_instance out;
	struct jp_why why;
	jp_scratch_write(jp_scratch_path("run.csv"), "frame,nframes,rate_hz\n");
	cr_assert_eq(jp_sink_open_executions(jp_scratch_path("run.csv"), &out, &why), JP_EXISTS);
	cr_assert_not_null(strstr(why.text, "column 2 'nframes' where 'client' is expected"), "%s", why.text);
}

Test(sink_executions, a_rotated_file_has_its_header_at_once)
{
	const char *path = jp_scratch_path("executions.csv"), *old = jp_scratch_path("old.csv");
	struct jp_meta meta = {.n = 0};
	struct jp_sinks *s = jp_sinkrun_executions(path);
	jp_sinks_begin(s, &meta);
	jp_sinks_executions(s, samples, 1);
	jp_sinkrun_flush(s);
	cr_assert_eq(rename(path, old), 0);
	jp_sinks_reopen(s);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(jp_scratch_read(path), header);
	jp_sinks_executions(s, samples + 1, 1);
	jp_sinkrun_end(s, 0);
	cr_assert_not_null(strstr(jp_scratch_read(path), "\"killed\""));
	cr_assert_null(strstr(jp_scratch_read(old), "\"killed\""));
}
