/* Clients' figures in the files: the second CSV file, and JSON lines. */
#include "support/golden.h"
#include "support/scratch.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

TestSuite(sink_clients, .init = jp_scratch_make, .fini = jp_scratch_remove);

static void post_clients(struct jp_sinks *s)
{
	struct jp_client_row rows[JP_SAMPLE_CLIENTS];
	jp_sample_clients(rows);
	jp_sinks_clients(s, rows, JP_SAMPLE_CLIENTS);
}

static void run_with_clients(const char *path)
{
	struct jp_sinks *s = jp_sinkrun_log(path);
	post_clients(s);
	jp_sinkrun_flush(s);
	jp_sinkrun_end(s, 0);
}

Test(sink_clients, csv_has_a_row_for_each)
{
	run_with_clients(jp_scratch_path("run.csv"));
	jp_golden("clients.csv", jp_scratch_read(jp_scratch_path("run.csv.clients.csv")));
}

Test(sink_clients, csv_is_continued_under_one_header)
{
	run_with_clients(jp_scratch_path("run.csv"));
	run_with_clients(jp_scratch_path("run.csv"));
	const char *text = jp_scratch_read(jp_scratch_path("run.csv.clients.csv"));
	size_t lines = 0;
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	cr_assert_eq(lines, 1 + 2 * JP_SAMPLE_CLIENTS);
	cr_assert_null(strstr(text + 1, "time_utc"));
}

Test(sink_clients, without_server_timing_there_is_no_second_file)
{
	jp_sinkrun_whole(jp_scratch_path("run.csv"));
	cr_assert_neq(access(jp_scratch_path("run.csv.clients.csv"), F_OK), 0);
}

Test(sink_clients, jsonl_has_an_object_for_each)
{
	const char *path = jp_scratch_path("run.jsonl");
	run_with_clients(path);
	const char *text = strstr(jp_scratch_read(path), "{\"type\":\"client\"");
	cr_assert_not_null(text);
	jp_golden("clients.jsonl", text);
}
