/* --log x.jsonl. */
#include "support/scratch.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

TestSuite(sink_jsonl, .init = jp_scratch_make, .fini = jp_scratch_remove);

static const char *golden(void)
{
	const char *text = jp_scratch_read("tests/golden/events.jsonl");
	cr_assert_not_null(text, "tests run in the root of the repository");
	return text;
}

Test(sink_jsonl, file_is_the_golden_one)
{
	const char *path = jp_scratch_path("run.jsonl");
	jp_sinkrun_whole(path);
	cr_assert_str_eq(jp_scratch_read(path), golden());
}

Test(sink_jsonl, every_run_begins_with_its_facts)
{
	const char *path = jp_scratch_path("run.jsonl");
	jp_sinkrun_whole(path);
	jp_sinkrun_whole(path);
	const char *text = jp_scratch_read(path);
	cr_assert_eq(strncmp(text, golden(), strlen(golden())), 0);
	cr_assert_str_eq(text + strlen(golden()), golden());
}

Test(sink_jsonl, only_json_lines_are_continued)
{
	static const struct {
		const char *before;
		bool fine;
	} cases[] = {
		{"", true},
		{"{\"a\":1,\"type\":\"note\"}\n", true},
		{"{\"type\":\"meta\"}", true},
		{"{\"a\":1}\n{\"type\":\"meta\"}\n", false},
		{"[\"type\"]\n", false},
		{"time_utc,unix_ns\n", false},
		{"\n", false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *path = jp_scratch_path("run%zu.jsonl", i);
		jp_scratch_write(path, cases[i].before);
		if (cases[i].fine)
			jp_sinkrun_end(jp_sinkrun_log(path), 0);
		else
			cr_expect_not_null(strstr(jp_sinkrun_refusal(path, JP_EXISTS), "choose another name"));
		cr_expect_str_eq(jp_scratch_read(path), cases[i].before);
	}
}

/* A rotated log is of use by itself. */
Test(sink_jsonl, a_new_file_begins_with_the_facts_again)
{
	const char *path = jp_scratch_path("run.jsonl");
	struct jp_event event;
	struct jp_meta meta;
	struct jp_sinks *s = jp_sinkrun_log(path);
	jp_sample_meta(&meta);
	jp_sinks_begin(s, &meta);
	jp_sinkrun_flush(s);
	cr_assert_eq(rename(path, jp_scratch_path("old.jsonl")), 0);
	jp_sinks_reopen(s);
	jp_sinkrun_flush(s);
	jp_sample_event(&event);
	jp_sinks_event(s, &event);
	jp_sinkrun_end(s, 0);
	const char *old = jp_scratch_read(jp_scratch_path("old.jsonl")), *text = jp_scratch_read(path);
	cr_assert_eq(strncmp(text, old, strlen(old)), 0);
	cr_assert_eq(strncmp(text + strlen(old), "{\"type\":\"event\"", 15), 0);
}
