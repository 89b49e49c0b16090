#include <jackprobe/client_stats.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

static struct jp_exec exec_of(int64_t wait_us, int64_t busy_us)
{
	int64_t awake = 1000000000 + wait_us * 1000;
	return (struct jp_exec){1000000000, awake, awake + busy_us * 1000, awake, 3, JP_EXEC_FINISHED};
}

static void add(struct jp_client_stats *cs, const char *name, int times, int64_t wait_us, int64_t busy_us, bool late)
{
	struct jp_exec e = exec_of(wait_us, busy_us);
	for (int i = 0; i < times; i++)
		jp_client_stats_add(cs, jp_client_stats_find(cs, name), &e, late);
}

static void near(double got, double wanted)
{
	cr_assert(fabs(got - wanted) <= wanted * 0.008 + 0.016, "%g, not %g", got, wanted);
}

Test(client_stats, percentiles_are_nearest_rank_to_two_digits_and_the_maximum_is_exact)
{
	struct jp_client_stats *cs = jp_client_stats_new();
	struct jp_client_figures f;
	add(cs, "synth", 98, 20, 400, false);
	add(cs, "synth", 1, 90, 777, false);
	add(cs, "synth", 1, 95, 61234567, true);
	cr_assert_eq(jp_client_stats_window(cs, &f, 1), 1u);
	cr_assert_str_eq(f.name, "synth");
	cr_assert_eq(f.cycles, 100);
	cr_assert_eq(f.late, 1);
	cr_assert_eq(f.blamed, 0);
	near(f.wait_p50_us, 20);
	near(f.wait_p99_us, 90);
	near(f.busy_p50_us, 400);
	near(f.busy_p99_us, 777);
	cr_assert_eq(f.busy_max_us, 61234567);
	jp_client_stats_free(cs);
}

Test(client_stats, every_size_is_within_a_percent)
{
	struct jp_client_stats *cs = jp_client_stats_new();
	struct jp_client_figures f;
	for (int64_t us = 3; us < 50000000; us = us * 3 + 1) {
		add(cs, "c", 1, 1, us, false);
		add(cs, "c", 1, 1, us * 4, false);
		cr_assert_eq(jp_client_stats_window(cs, &f, 1), 1u);
		near(f.busy_p50_us, (double)us);
	}
	jp_client_stats_free(cs);
}

Test(client_stats, a_window_ends_and_the_total_goes_on)
{
	struct jp_client_stats *cs = jp_client_stats_new();
	struct jp_client_figures f[2];
	add(cs, "a", 3, 10, 100, true);
	jp_client_stats_blame(
		cs, jp_client_stats_find(cs, "a"), &(struct jp_blame){JP_BLAME_BUSY, 1, 3100000, 400000, 2700000});
	cr_assert_eq(jp_client_stats_window(cs, f, 2), 1u);
	cr_assert_eq(f[0].blamed, 1);
	cr_assert_eq(jp_client_stats_window(cs, f, 2), 0u);
	add(cs, "a", 2, 10, 100, false);
	cr_assert_eq(jp_client_stats_total(cs, f, 2), 1u);
	cr_assert_eq(f[0].cycles, 5);
	cr_assert_eq(f[0].late, 3);
	cr_assert_eq(f[0].blamed, 1);
	jp_client_stats_new_epoch(cs);
	cr_assert_eq(jp_client_stats_total(cs, f, 2), 1u);
	cr_assert_eq(f[0].blamed, 1);
	cr_assert(isnan(f[0].busy_p50_us));
	jp_client_stats_free(cs);
}

Test(client_stats, who_hurts_most_comes_first)
{
	struct jp_client_stats *cs = jp_client_stats_new();
	struct jp_client_figures f[4];
	add(cs, "heavy", 5, 10, 900, false);
	add(cs, "light", 5, 10, 9, false);
	add(cs, "late", 5, 10, 50, true);
	add(cs, "culprit", 5, 10, 40, false);
	jp_client_stats_blame(cs, jp_client_stats_find(cs, "culprit"),
		&(struct jp_blame){JP_BLAME_BUSY, 1, 3100000, 400000, 2700000});
	cr_assert_eq(jp_client_stats_total(cs, f, 4), 4u);
	static const char *const order[] = {"culprit", "late", "heavy", "light"};
	for (int i = 0; i < 4; i++)
		cr_assert_str_eq(f[i].name, order[i]);
	cr_assert_eq(jp_client_stats_total(cs, f, 2), 2u);
	jp_client_stats_free(cs);
}

Test(client_stats, usual_is_the_median_of_the_last_window_with_enough_behind_it)
{
	struct jp_client_stats *cs = jp_client_stats_new();
	struct jp_client_figures f;
	int64_t busy, wait;
	add(cs, "c", JP_CLIENT_USUAL_MIN - 1, 20, 400, false);
	int c = jp_client_stats_find(cs, "c");
	jp_client_stats_usual(cs, c, &busy, &wait);
	cr_assert_eq(busy, JP_NS_UNKNOWN);
	add(cs, "c", 1, 20, 400, false);
	jp_client_stats_usual(cs, c, &busy, &wait);
	near((double)busy / 1000, 400);
	near((double)wait / 1000, 20);
	jp_client_stats_window(cs, &f, 1);
	add(cs, "c", 100, 20, 800, false);
	jp_client_stats_usual(cs, c, &busy, &wait);
	near((double)busy / 1000, 400);
	jp_client_stats_window(cs, &f, 1);
	jp_client_stats_window(cs, &f, 1);
	jp_client_stats_usual(cs, c, &busy, &wait);
	near((double)busy / 1000, 800);
	jp_client_stats_free(cs);
}

Test(client_stats, unknown_times_count_as_cycles_only)
{
	struct jp_client_stats *cs = jp_client_stats_new();
	struct jp_client_figures f;
	struct jp_exec e = {JP_NS_UNKNOWN, 5000, JP_NS_UNKNOWN, 6000, 1, JP_EXEC_RUNNING};
	jp_client_stats_add(cs, jp_client_stats_find(cs, "gone"), &e, true);
	cr_assert_eq(jp_client_stats_window(cs, &f, 1), 1u);
	cr_assert_eq(f.cycles, 1);
	cr_assert(isnan(f.busy_p50_us) && isnan(f.busy_max_us) && isnan(f.wait_p99_us));
	jp_client_stats_free(cs);
}

Test(client_stats, the_one_that_has_not_run_for_longest_makes_room)
{
	struct jp_client_stats *cs = jp_client_stats_new();
	struct jp_client_figures *f = calloc(JP_CLIENTS_MAX + 1, sizeof *f);
	char name[16];
	for (int i = 0; i < JP_CLIENTS_MAX; i++) {
		snprintf(name, sizeof name, "c%d", i);
		add(cs, name, 1, 10, 10, false);
	}
	add(cs, "c0", 1, 10, 10, false);
	add(cs, "new", 1, 10, 10, false);
	size_t n = jp_client_stats_total(cs, f, JP_CLIENTS_MAX + 1), c0 = 0, c1 = 0;
	cr_assert_eq(n, (size_t)JP_CLIENTS_MAX);
	for (size_t i = 0; i < n; i++) {
		c0 += !strcmp(f[i].name, "c0");
		c1 += !strcmp(f[i].name, "c1");
	}
	cr_assert_eq(c0, 1u);
	cr_assert_eq(c1, 0u);
	free(f);
	jp_client_stats_free(cs);
}
