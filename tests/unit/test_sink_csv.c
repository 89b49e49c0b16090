/* --log x.csv, through the running set as the program uses it. */
#include "support/scratch.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(sink_csv, .init = jp_scratch_make, .fini = jp_scratch_remove);

static const char *golden(void)
{
	const char *text = jp_scratch_read("tests/golden/windows.csv");
	cr_assert_not_null(text, "tests run in the root of the repository");
	return text;
}

/* What follows the golden header. */
static const char *golden_lines(void)
{
	return strchr(golden(), '\n') + 1;
}

static void post_window(struct jp_sinks *s)
{
	struct jp_report report;
	jp_sample_report(&report);
	jp_sinks_window(s, &report);
}

Test(sink_csv, file_is_the_golden_one)
{
	const char *path = jp_scratch_path("run.csv");
	jp_sinkrun_whole(path);
	cr_assert_str_eq(jp_scratch_read(path), golden());
}

/* The locale is made on the spot where the machine has none with decimal commas. */
Test(sink_csv, decimal_commas_of_the_locale_change_nothing)
{
	const char *path = jp_scratch_path("run.csv");
	const char *made = jp_scratch_path("de_DE.UTF-8");
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
		char *dir = strdup(made), command[256];
		*strrchr(dir, '/') = 0;
		snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 --no-archive %s >/dev/null 2>&1", made);
		if (system(command) == -1 || setenv("LOCPATH", dir, 1) != 0 || !setlocale(LC_ALL, "de_DE.UTF-8"))
			cr_skip_test("no locale with decimal commas, and localedef cannot make one");
		free(dir);
	}
	cr_assert_str_eq(localeconv()->decimal_point, ",");
	jp_sinkrun_whole(path);
	cr_assert_str_eq(jp_scratch_read(path), golden());
}

Test(sink_csv, facts_and_columns_stand_beside_it)
{
	jp_sinkrun_whole(jp_scratch_path("run.csv"));
	const char *meta = jp_scratch_read(jp_scratch_path("run.csv.meta.json"));
	const char *start =
		"{\"format\":\"jackprobe-windows\",\"version\":1,\"server\":\"jackd2 "
		"1.9.21\",\"run_version\":\"0.1.0\","
		"\"cpu\":\"Some \\\"CPU\\\" @ 2.0 GHz\",\"columns\":[\"time_utc\",\"unix_ns\",\"elapsed_s\",";
	const char *finish = ",\"power_w\",\"power_package_0_w\",\"idle_C6_pct\",\"temp_package_0_c\"]}\n";
	cr_assert_not_null(meta);
	cr_assert_eq(strncmp(meta, start, strlen(start)), 0, "%s", meta);
	cr_assert_str_eq(meta + strlen(meta) - strlen(finish), finish);
	cr_assert_neq(access(jp_scratch_path("run.csv.meta.json.tmp"), F_OK), 0);
}

Test(sink_csv, changed_facts_replace_the_old_ones)
{
	struct jp_sinks *s = jp_sinkrun_log(jp_scratch_path("run.csv"));
	struct jp_meta meta = {.n = 0};
	jp_meta_put(&meta, "server", "first");
	jp_sinks_begin(s, &meta);
	jp_meta_put(&meta, "server", "second");
	jp_sinks_meta(s, &meta);
	jp_sinkrun_end(s, 0);
	const char *text = jp_scratch_read(jp_scratch_path("run.csv.meta.json"));
	cr_assert_not_null(strstr(text, "\"server\":\"second\""));
	cr_assert_null(strstr(text, "first"));
}

/* What was in the file before the run, and what stands there after it. */
Test(sink_csv, continues_a_file_of_the_same_kind)
{
	char *header = jp_scratch_join(golden(), "", "");
	*strchr(header, '\n') = 0;
	const struct {
		const char *before, *after;
	} cases[] = {
		{"", golden()}, {golden(), jp_scratch_join(golden(), golden_lines(), "")},
		{header, golden()}, /* the line end is missing */
		{jp_scratch_join(golden(), "2026-01", ""),
			jp_scratch_join(golden(), "2026-01\n", golden_lines())}, /* a crash */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *path = jp_scratch_path("run%zu.csv", i);
		jp_scratch_write(path, cases[i].before);
		jp_sinkrun_whole(path);
		cr_expect_str_eq(jp_scratch_read(path), cases[i].after, "case %zu", i);
	}
}

Test(sink_csv, refuses_a_file_with_another_header)
{
	char *header = jp_scratch_join(golden(), "", "");
	*strchr(header, '\n') = 0;
	const struct {
		const char *before, *where;
	} cases[] = {
		{"time_utc,elapsed_s,unix_ns\n", "column 2 'elapsed_s' where 'unix_ns' is expected"},
		{"hello", "column 1 'hello' where 'time_utc' is expected"},
		{"\n", "column 1 '' where 'time_utc' is expected"},
		{"time_utc,unix_ns\nx\n", "column 3 '' where 'elapsed_s' is expected"},
		{jp_scratch_join(header, ",watch_cpu_pct", "\n"), "column 59 'watch_cpu_pct' where '' is expected"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *path = jp_scratch_path("run%zu.csv", i);
		jp_scratch_write(path, cases[i].before);
		const char *said = jp_sinkrun_refusal(path, JP_EXISTS);
		cr_expect_not_null(strstr(said, ".csv: has another header"), "%s", said);
		cr_expect_not_null(strstr(said, cases[i].where), "%s", said);
		cr_expect_not_null(strstr(said, "; choose another name or move it away"), "%s", said);
		cr_expect_str_eq(jp_scratch_read(path), cases[i].before, "the file is left alone");
	}
}

Test(sink_csv, says_at_once_what_cannot_be_a_log)
{
	const char *directory = jp_scratch_path("run.csv");
	cr_assert_eq(mkdir(directory, 0700), 0);
	const struct {
		const char *path;
		enum jp_status status;
		const char *said;
	} cases[] = {
		{directory, JP_BAD_ARG, "is a directory"},
		{jp_scratch_path("none/run.csv"), JP_MISSING, "the directory does not exist"},
		{jp_scratch_path("run.txt"), JP_BAD_ARG, ".csv or .jsonl"},
		{".csv", JP_BAD_ARG, ".csv or .jsonl"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *said = jp_sinkrun_refusal(cases[i].path, cases[i].status);
		cr_expect_not_null(strstr(said, cases[i].said), "%s", said);
	}
}

Test(sink_csv, a_directory_without_permission_is_said)
{
	const char *directory = jp_scratch_path("closed");
	cr_assert_eq(mkdir(directory, 0500), 0);
	if (geteuid() == 0)
		cr_assert_eq(seteuid(65534), 0);
	const char *said = jp_sinkrun_refusal(jp_scratch_path("closed/run.csv"), JP_DENIED);
	cr_expect_not_null(strstr(said, "closed/run.csv: no permission"), "%s", said);
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
}

/* Log rotation. */
Test(sink_csv, reopens_by_name)
{
	const char *path = jp_scratch_path("run.csv"), *old = jp_scratch_path("run.csv.1");
	const char *beside = jp_scratch_path("run.csv.meta.json");
	struct jp_meta meta;
	struct jp_sinks *s = jp_sinkrun_log(path);
	jp_sample_meta(&meta);
	jp_sinks_begin(s, &meta);
	post_window(s);
	jp_sinkrun_flush(s);
	cr_assert_eq(rename(path, old), 0);
	cr_assert_eq(unlink(beside), 0);
	jp_sinks_reopen(s);
	jp_sinkrun_flush(s);
	post_window(s);
	jp_sinkrun_end(s, 0);
	cr_assert_str_eq(jp_scratch_read(path), jp_scratch_read(old));
	cr_assert_eq(access(beside, F_OK), 0);
}

Test(sink_csv, a_deleted_file_is_made_anew_and_told)
{
	const char *path = jp_scratch_path("run.csv");
	struct jp_sinks *s = jp_sinkrun_log(path);
	post_window(s);
	jp_sinkrun_flush(s);
	cr_assert_str_eq(jp_sinkrun_news(s), "");
	char *first = strdup(jp_scratch_read(path));
	cr_assert_eq(unlink(path), 0);
	post_window(s);
	jp_sinkrun_flush(s);
	const char *news = jp_sinkrun_news(s);
	cr_assert_not_null(strstr(news, "run.csv: was deleted while it was written"), "%s", news);
	cr_assert_str_eq(jp_sinkrun_news(s), "", "said once");
	jp_sinkrun_end(s, 0);
	cr_assert_str_eq(jp_scratch_read(path), first);
	free(first);
}

/* As logrotate's copytruncate does. */
Test(sink_csv, a_file_that_was_emptied_gets_its_header_again)
{
	const char *path = jp_scratch_path("run.csv");
	struct jp_sinks *s = jp_sinkrun_log(path);
	post_window(s);
	jp_sinkrun_flush(s);
	char *first = strdup(jp_scratch_read(path));
	cr_assert_eq(truncate(path, 0), 0);
	post_window(s);
	jp_sinkrun_flush(s);
	const char *news = jp_sinkrun_news(s);
	cr_assert_not_null(strstr(news, "run.csv: was cut short while it was written"), "%s", news);
	cr_assert_str_eq(jp_scratch_read(path), first);
	cr_assert_eq(truncate(path, (off_t)strlen(first) - 3), 0);
	post_window(s);
	jp_sinkrun_end(s, 0);
	const char *now = jp_scratch_read(path);
	cr_assert_eq(strncmp(now, first, strlen(first) - 3), 0);
	cr_assert_eq(now[strlen(first) - 3], '\n', "what was cut is ended as a line");
	cr_assert_eq(
		strncmp(now + strlen(first) - 2, strchr(first, '\n') + 1, 20), 0, "and the next row stands for itself");
	free(first);
}

Test(sink_csv, reopen_refuses_what_took_its_place_until_it_is_gone)
{
	const char *path = jp_scratch_path("run.csv");
	struct jp_sinks *s = jp_sinkrun_log(path);
	post_window(s);
	jp_sinkrun_flush(s);
	cr_assert_eq(unlink(path), 0);
	jp_scratch_write(path, "somebody else's\n");
	jp_sinks_reopen(s);
	jp_sinkrun_flush(s);
	post_window(s);
	jp_sinkrun_flush(s);
	cr_assert_not_null(strstr(jp_sinkrun_news(s), "has another header"));
	cr_assert_str_eq(jp_scratch_read(path), "somebody else's\n");
	cr_assert_eq(unlink(path), 0);
	post_window(s);
	jp_sinkrun_flush(s);
	cr_assert_not_null(strstr(jp_sinkrun_news(s), "1 window not written"));
	jp_sinkrun_end(s, 1); /* the window; the reopening that failed is no item */
	cr_assert_eq(strncmp(jp_scratch_read(path), "time_utc,", 9), 0);
}

Test(sink_csv, facts_that_cannot_be_written_are_told_as_such)
{
	struct jp_meta meta;
	jp_sample_meta(&meta);
	cr_assert_eq(mkdir(jp_scratch_path("run.csv.meta.json.tmp"), 0777), 0);
	struct jp_sinks *s = jp_sinkrun_log(jp_scratch_path("run.csv"));
	jp_sinks_begin(s, &meta);
	post_window(s);
	jp_sinkrun_flush(s);
	cr_assert_not_null(
		strstr(jp_sinkrun_news(s), "run.csv.meta.json: is a directory (the facts, not written yet)"));
	cr_assert_eq(rmdir(jp_scratch_path("run.csv.meta.json.tmp")), 0);
	post_window(s);
	jp_sinkrun_end(s, 1);
	cr_assert_not_null(jp_scratch_read(jp_scratch_path("run.csv.meta.json")), "the next window brings them");
}

Test(sink_csv, directory_in_the_place_of_the_facts_is_refused)
{
	struct jp_sink_config config = {0};
	struct jp_sink_instance sink;
	struct jp_why why;
	cr_assert_eq(mkdir(jp_scratch_path("run.csv.meta.json"), 0777), 0);
	cr_assert_eq(jp_sink_open_log(jp_scratch_path("run.csv"), &config, &sink, &why), JP_BAD_ARG);
	cr_assert_not_null(strstr(why.text, "run.csv.meta.json: is a directory, and the facts that go with the log "
					    "belong there; give the log another name"),
		"%s", why.text);
}
