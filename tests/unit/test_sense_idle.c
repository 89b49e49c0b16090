#include "sense/sensor.h"
#include "support/tree_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define CPU_DIR "/sys/devices/system/cpu"

static void put_state(const struct tree_fixture *f, int cpu, int state, const char *name, uint64_t us)
{
	char path[128];
	snprintf(path, sizeof path, CPU_DIR "/cpu%d/cpuidle/state%d/name", cpu, state);
	tree_fixture_put(f, path, name);
	tree_fixture_number(f, us, CPU_DIR "/cpu%d/cpuidle/state%d/time", cpu, state);
}

static struct jp_host sample_at(struct jp_sense *s, int64_t seconds)
{
	struct jp_host host;
	jp_sense_sample(s, seconds * 1000000000, NULL, &host);
	return host;
}

Test(sense_idle, residency_by_name_over_the_cpus)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	/* CPU 1 numbers its states otherwise, as the efficient ones of a hybrid machine do. */
	put_state(&f, 0, 0, "POLL\n", 0);
	put_state(&f, 0, 1, "C1E\n", 1000);
	put_state(&f, 0, 2, "haltpoll idle\n", 5000);
	put_state(&f, 1, 0, "POLL\n", 0);
	put_state(&f, 1, 1, "haltpoll idle\n", 9000);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	struct jp_host host = sample_at(s, 10);
	cr_assert(isnan(tree_fixture_extra(s, &host, "idle_C1E_pct")));
	put_state(&f, 0, 1, "C1E\n", 1000 + 500000);
	put_state(&f, 0, 2, "haltpoll idle\n", 5000 + 1000000);
	put_state(&f, 1, 1, "haltpoll idle\n", 9000 + 600000);
	host = sample_at(s, 12);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "idle_POLL_pct"), 0, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "idle_C1E_pct"), 12.5, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "idle_haltpoll_idle_pct"), 40, 1e-9);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_idle, sleep_longer_than_the_window_is_cut)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	put_state(&f, 0, 0, "C6\n", 0);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	sample_at(s, 1);
	put_state(&f, 0, 0, "C6\n", 5000000);
	struct jp_host host = sample_at(s, 2);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "idle_C6_pct"), 100, 1e-9);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_idle, offline_cpu_counts_for_nothing)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	put_state(&f, 0, 0, "C6", 0);
	put_state(&f, 1, 0, "C6", 0);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	sample_at(s, 1);
	put_state(&f, 0, 0, "C6", 800000);
	tree_fixture_delete(&f, CPU_DIR "/cpu1/cpuidle");
	struct jp_host host = sample_at(s, 2);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "idle_C6_pct"), 80, 1e-9);
	tree_fixture_put(&f, CPU_DIR "/cpu0/cpuidle/state0/time", "junk\n");
	host = sample_at(s, 3);
	cr_assert(isnan(tree_fixture_extra(s, &host, "idle_C6_pct")));
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_idle, none_is_said)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	tree_fixture_put(&f, CPU_DIR "/cpu0/online", "1\n");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	cr_assert_not_null(strstr(tree_fixture_status(s, "idle").reason, "no CPU has idle states"));
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_text, names_for_columns)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"package-0", "package_0"},
		{"haltpoll idle", "haltpoll_idle"},
		{"C1E", "C1E"},
		{"  x / y  ", "x_y"},
		{"\xc3\xa4", ""},
		{"a,b\"c\n", "a_b_c"},
		{"---", ""},
		{"", ""},
		{"0123456789012345", "012345678901234"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char got[16];
		jp_slug(got, sizeof got, rows[i].text);
		cr_assert_str_eq(got, rows[i].want);
	}
}

static void collect(void *arg, int cpu)
{
	char *list = arg;
	snprintf(list + strlen(list), 64 - strlen(list), "%d ", cpu);
}

Test(sense_text, cpu_lists)
{
	static const struct {
		const char *text;
		enum jp_status status;
		const char *want;
	} rows[] = {
		{"0-3,8,10-11\n", JP_OK, "0 1 2 3 8 10 11 "},
		{"5", JP_OK, "5 "},
		{"14-99999999999", JP_OK, "14 15 "},
		{"", JP_BAD_DATA, ""},
		{"\n", JP_BAD_DATA, ""},
		{"3-1", JP_BAD_DATA, ""},
		{"1-", JP_BAD_DATA, ""},
		{"1,", JP_BAD_DATA, "1 "},
		{"-4", JP_BAD_DATA, ""},
		{"1;2", JP_BAD_DATA, "1 "},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char got[64] = "";
		cr_assert_eq(jp_cpulist(rows[i].text, 16, collect, got), rows[i].status, "%s", rows[i].text);
		cr_assert_str_eq(got, rows[i].want);
	}
}
