#include "sense/process.h"
#include "support/tree_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct fake {
	int pid;
	const char *comm;
	char state;
	unsigned majflt, utime, stime, start;
	long rss;
};

static void put_process(const struct tree_fixture *f, struct fake p)
{
	char path[64], text[512];
	snprintf(path, sizeof path, "/proc/%d/comm", p.pid);
	snprintf(text, sizeof text, "%s\n", p.comm);
	tree_fixture_put(f, path, text);
	snprintf(path, sizeof path, "/proc/%d/stat", p.pid);
	snprintf(text, sizeof text,
		"%d (%s) %c 1 %d %d 0 -1 4194560 100 0 %u 0 %u %u 0 0 20 0 1 0 %u 10485760 %ld 184467 1 1 0 0\n", p.pid,
		p.comm, p.state, p.pid, p.pid, p.majflt, p.utime, p.stime, p.start, p.rss);
	tree_fixture_put(f, path, text);
}

static struct jp_host sample_at(struct jp_sense *s, int64_t seconds)
{
	struct jp_host host;
	jp_sense_sample(s, seconds * 1000000000, NULL, &host);
	return host;
}

Test(sense_watch, use_of_a_process)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	long hz = sysconf(_SC_CLK_TCK), page = sysconf(_SC_PAGESIZE);
	struct fake p = {4711, "synth", 'S', 3, 100, 50, 777, 2560};
	put_process(&f, p);
	struct jp_sense *s = tree_fixture_sense(&f, "4711");
	cr_assert_str_eq(tree_fixture_status(s, "watch").source, "pid 4711 (synth)");
	struct jp_host host = sample_at(s, 10);
	cr_assert(isnan(tree_fixture_extra(s, &host, "watch_cpu_pct")));
	cr_assert(isnan(tree_fixture_extra(s, &host, "watch_majflt")));
	p.utime += (unsigned)hz;
	p.stime += (unsigned)hz / 2;
	p.majflt += 4;
	p.rss = 5120;
	put_process(&f, p);
	host = sample_at(s, 12);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "watch_cpu_pct"), 75, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "watch_majflt"), 4, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "watch_rss_mib"), 5120.0 * (double)page / 1048576, 1e-9);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_watch, name_that_ends_and_comes_back)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	put_process(&f, (struct fake){300, "synth", 'S', 0, 10, 0, 1, 10});
	put_process(&f, (struct fake){1200, "synth", 'S', 0, 10, 0, 1, 10});
	put_process(&f, (struct fake){20, "synth2", 'S', 0, 10, 0, 1, 10});
	put_process(&f, (struct fake){7, "synth", 'Z', 0, 10, 0, 1, 10});
	struct jp_sense *s = tree_fixture_sense(&f, "synth");
	cr_assert_str_eq(tree_fixture_status(s, "watch").source, "pid 300 (synth), first of 2");
	sample_at(s, 1);
	tree_fixture_delete(&f, "/proc/300");
	tree_fixture_delete(&f, "/proc/1200");
	struct jp_host host = sample_at(s, 2);
	cr_assert(isnan(tree_fixture_extra(s, &host, "watch_rss_mib")));
	struct jp_sensor_status status = tree_fixture_status(s, "watch");
	cr_assert_not(status.available);
	cr_assert_not_null(strstr(status.reason, "process ended"), "%s", status.reason);
	put_process(&f, (struct fake){301, "synth", 'S', 0, 5000, 0, 99, 20});
	sample_at(s, 5);
	host = sample_at(s, 8);
	cr_assert_str_eq(tree_fixture_status(s, "watch").source, "pid 301 (synth)");
	cr_assert_float_eq(tree_fixture_extra(s, &host, "watch_cpu_pct"), 0, 1e-9);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_watch, number_given_to_another_process_is_not_followed)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	put_process(&f, (struct fake){300, "synth", 'S', 0, 10, 0, 1, 10});
	struct jp_sense *s = tree_fixture_sense(&f, "300");
	sample_at(s, 1);
	put_process(&f, (struct fake){300, "other", 'S', 0, 500, 0, 2, 10});
	for (int64_t at = 2; at < 10; at += 3) {
		struct jp_host host = sample_at(s, at);
		cr_assert(isnan(tree_fixture_extra(s, &host, "watch_rss_mib")));
	}
	cr_assert_str_eq(tree_fixture_status(s, "watch").reason, "process ended: 300");
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_watch, no_such_process_is_the_users_error)
{
	static const char *const bad[] = {"999", "nosuch", "", "99999999999999999999999", "3000000000"};
	struct tree_fixture f = tree_fixture_new(NULL);
	put_process(&f, (struct fake){300, "synth", 'S', 0, 10, 0, 1, 10});
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct jp_sense_config config = {.sysroot = f.root, .watch = bad[i]};
		struct jp_sense *s;
		struct jp_why why = {""};
		cr_assert_eq(jp_sense_open(&config, &s, &why), JP_BAD_ARG, "%s", bad[i]);
		cr_assert_not_null(strstr(why.text, "--watch"), "%s", why.text);
	}
	tree_fixture_remove(&f);
}

Test(sense_watch, not_asked_for_has_no_standing)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	struct jp_sensor_status status;
	for (size_t i = 0; jp_sense_status(s, i, &status); i++)
		cr_assert_str_neq(status.sensor, "watch");
	cr_assert_not(tree_fixture_has(s, "watch_cpu_pct"));
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_watch, names_of_any_kind)
{
	static const char *const names[] = {
		"a b", "x) R 1 2", "((", "))", "tmux: server", "fifteen-letters", "1 (2) 3"};
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_tree *tree;
	cr_assert_eq(jp_tree_open(f.root, &tree, NULL), JP_OK);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct jp_process p;
		size_t others;
		int pid = 100 + (int)i;
		put_process(&f, (struct fake){pid, names[i], 'R', 1, 20, 3, 4, 55});
		cr_assert_eq(jp_process_read(tree, pid, &p), JP_OK, "%s", names[i]);
		cr_assert_str_eq(p.comm, names[i]);
		cr_assert_eq(p.major_faults, 1);
		cr_assert_eq(p.cpu_ticks, 23);
		cr_assert_eq(p.start_ticks, 4);
		cr_assert_eq(p.rss_pages, 55);
		cr_assert_eq(jp_process_find(tree, names[i], &others), pid, "%s", names[i]);
		cr_assert_eq(others, 0);
	}
	size_t others;
	cr_assert_eq(jp_process_find(tree, "fifteen-letters-and-more", &others), 105);
	cr_assert_eq(jp_process_find(tree, "fifteen", &others), -1);
	jp_tree_close(tree);
	tree_fixture_remove(&f);
}

Test(sense_watch, malformed_stat)
{
	static const char *const bad[] = {
		"",
		"\n",
		"12 synth S 1 2 3",
		"12 (synth",
		"12 (synth)",
		"12 (synth) ",
		"12 (synth) S 1 2 3\n",
		"12 )synth( S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
		"12 (synth) S 1 1 1 1 1 1 1 1 x 1 1 1 1 1 1 1 1 1 1 1 1\n",
		"12 (synth) S 1 1 1 1 1 1 1 1 99999999999999999999999999 1 1 1 1 1 1 1 1 1 1 1 1\n",
	};
	struct jp_process p;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_assert_eq(jp_process_parse(bad[i], &p), JP_BAD_DATA, "%s", bad[i]);
	cr_assert_eq(jp_process_parse("12 (s) S -1 1 1 1 1 1 1 1 5 1 6 7 1 1 1 1 1 1 8 1 9\n", &p), JP_OK);
	cr_assert_eq(p.cpu_ticks, 13);
}
