/* A disk that is full, and later is not. As root a 64 KiB tmpfs in a mount name space of the test's own, else a limit of
 * the file's size. */
#include "support/scratch.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(sink_full, .init = jp_scratch_make, .fini = jp_scratch_remove);

enum { SMALL = 64 * 1024, A_BATCH = 100 };

static void limit_size(rlim_t bytes)
{
	struct rlimit limit;
	cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A place where SMALL bytes fit. @return is it a file system of its own? */
static bool make_small_place(const char *dir)
{
	cr_assert_eq(mkdir(dir, 0700), 0);
	if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		mount("jackprobe-test", dir, "tmpfs", 0, "size=64k") == 0)
		return true;
	limit_size(SMALL);
	return false;
}

static void make_room(const char *dir, bool own)
{
	if (own)
		cr_assert_eq(mount("jackprobe-test", dir, "tmpfs", MS_REMOUNT, "size=4m"), 0);
	else
		limit_size(RLIM_INFINITY);
}

/* The kinds of log, and what is posted to them. */
struct kind {
	char file[16];
	char what[16]; /* in the news */
	uint64_t n;    /* of these in one post */
};

static void post_one(struct jp_sinks *s, const struct kind *kind, uint32_t seq)
{
	if (strcmp(kind->file, "cycles.csv") == 0) {
		struct jp_cycle batch[A_BATCH] = {{0}};
		for (size_t i = 0; i < A_BATCH; i++)
			batch[i].frame = seq;
		jp_sinks_cycles(s, batch, A_BATCH);
	} else if (strcmp(kind->file, "executions.csv") == 0) {
		struct jp_exec_row batch[A_BATCH] = {{0}};
		for (size_t i = 0; i < A_BATCH; i++)
			batch[i].frame = seq;
		jp_sinks_executions(s, batch, A_BATCH);
	} else {
		struct jp_report report;
		jp_sample_report(&report);
		report.seq = seq;
		jp_sinks_window(s, &report);
	}
	jp_sinkrun_flush(s);
}

static struct jp_sinks *run_kind(const struct kind *kind)
{
	const char *path = jp_scratch_path("small/%s", kind->file);
	struct jp_meta meta;
	jp_sample_meta(&meta);
	struct jp_sinks *s = strcmp(kind->file, "cycles.csv") == 0       ? jp_sinkrun_cycles(path)
			     : strcmp(kind->file, "executions.csv") == 0 ? jp_sinkrun_executions(path)
									 : jp_sinkrun_log(path);
	jp_sinks_begin(s, &meta);
	jp_sinkrun_flush(s);
	return s;
}

/* Whole lines in the file; asserts that there is nothing else. */
static uint64_t count_lines(const struct kind *kind)
{
	const char *text = jp_scratch_read(jp_scratch_path("small/%s", kind->file));
	uint64_t lines = 0;
	cr_assert_not_null(text);
	for (const char *at = text; *at; lines++) {
		const char *end = strchr(at, '\n');
		cr_assert_not_null(end, "a torn line: %s", at);
		cr_assert(end > at, "an empty line");
		at = end + 1;
	}
	return lines;
}

ParameterizedTestParameters(sink_full, fills_up_and_goes_on)
{
	static struct kind kinds[] = {{"run.csv", "window", 1}, {"run.jsonl", "window", 1},
		{"cycles.csv", "cycle", A_BATCH}, {"executions.csv", "execution", A_BATCH}};
	return cr_make_param_array(struct kind, kinds, sizeof kinds / sizeof kinds[0]);
}

ParameterizedTest(struct kind *kind, sink_full, fills_up_and_goes_on)
{
	const char *dir = jp_scratch_path("small");
	bool own = make_small_place(dir);
	struct jp_sinks *s = run_kind(kind);
	uint32_t seq = 0;
	while (jp_sinks_errors(s) == 0 && seq < 1000)
		post_one(s, kind, ++seq);
	cr_assert_eq(jp_sinks_errors(s), kind->n);
	cr_assert_eq(count_lines(kind), 1 + (seq - 1) * kind->n, "header, and all that was not counted as an error");

	char expected[100];
	const char *news = jp_sinkrun_news(s);
	cr_assert_not_null(strstr(news, "; will go on when there is room"), "%s", news);
	for (int i = 0; i < 3; i++)
		post_one(s, kind, ++seq);
	cr_assert_str_eq(jp_sinkrun_news(s), "", "said once");
	cr_assert_eq(count_lines(kind), 1 + (seq - 4) * kind->n);

	make_room(dir, own);
	post_one(s, kind, ++seq);
	cr_assert_str_eq(jp_sinkrun_news(s), "", "as many may have fitted in by chance");
	post_one(s, kind, ++seq);
	news = jp_sinkrun_news(s);
	snprintf(expected, sizeof expected, "; %d %ss not written", 4 * (int)kind->n, kind->what);
	cr_assert_not_null(strstr(news, expected), "%s", news);
	cr_assert_eq(count_lines(kind), 1 + (seq - 4) * kind->n);
	jp_sinkrun_end(s, 4 * kind->n);
	if (own)
		cr_assert_eq(umount(dir), 0);
}

/* Fill what is left of the small place, byte by byte at the end. */
static void fill(const char *path)
{
	static const char zeros[4096];
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	setvbuf(f, NULL, _IONBF, 0);
	while (fwrite(zeros, 1, sizeof zeros, f) == sizeof zeros)
		;
	fclose(f);
}

/* The disk is full before the run: not even the header fits. */
Test(sink_full, header_and_facts_come_when_there_is_room)
{
	const struct kind kind = {"run.csv", "window", 1};
	const char *dir = jp_scratch_path("small");
	if (!make_small_place(dir))
		cr_skip_test("needs root: a limit of the file's size cannot fill a disk");
	fill(jp_scratch_path("small/filler"));
	struct jp_sinks *s = run_kind(&kind);
	const char *news = jp_sinkrun_news(s);
	cr_assert_not_null(strstr(news, "no space left on device; will go on when there is room"), "%s", news);
	make_room(dir, true);
	post_one(s, &kind, 1);
	jp_sinkrun_end(s, 1);
	cr_assert_eq(count_lines(&kind), 2);
	cr_assert_eq(strncmp(jp_scratch_read(jp_scratch_path("small/run.csv")), "time_utc,", 9), 0);
	const char *meta = jp_scratch_read(jp_scratch_path("small/run.csv.meta.json"));
	cr_assert(meta && strstr(meta, "]}\n"), "the facts are whole");
	cr_assert_eq(umount(dir), 0);
}
