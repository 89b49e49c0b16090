#include <jackprobe/hist.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <support/cycles.h>

/* value -> index, lowest value of the index, width: HdrHistogram's own figures for 1..60e9 with 3 digits. */
static const struct {
	int64_t value;
	size_t index;
	int64_t low, width;
} geometry[] = {
	{0, 0, 0, 1},
	{1, 1, 1, 1},
	{2047, 2047, 2047, 1},
	{2048, 2048, 2048, 2},
	{2049, 2048, 2048, 2},
	{2050, 2049, 2050, 2},
	{4095, 3071, 4094, 2},
	{4096, 3072, 4096, 4},
	{4099, 3072, 4096, 4},
	{4100, 3073, 4100, 4},
	{100000, 7706, 99968, 64},
	{2666667, 12566, 2666496, 2048},
	{1000000000, 21363, 999817216, 524288},
	{60000000000, 27388, 59995324416, 33554432},
	{68719476735, 27647, 68685922304, 33554432},
	{68719476736, 27647, 68685922304, 33554432},
	{INT64_MAX, 27647, 68685922304, 33554432},
	{-1, 0, 0, 1},
	{INT64_MIN, 0, 0, 1},
};

Test(hist, geometry_is_hdrhistograms)
{
	for (size_t i = 0; i < sizeof geometry / sizeof geometry[0]; i++) {
		size_t index = jp_hist_index(geometry[i].value);
		cr_expect_eq(index, geometry[i].index, "index of %ld is %zu", (long)geometry[i].value, index);
		cr_expect_eq(jp_hist_value_at(index), geometry[i].low, "low of %ld", (long)geometry[i].value);
		cr_expect_eq(jp_hist_width_at(index), geometry[i].width, "width of %ld", (long)geometry[i].value);
	}
}

Test(hist, indices_tile_all_values_without_gap)
{
	int64_t expected = 0;
	for (size_t i = 0; i < JP_HIST_COUNTS; i++) {
		int64_t low = jp_hist_value_at(i), width = jp_hist_width_at(i);
		cr_assert_eq(low, expected, "index %zu", i);
		cr_assert_eq(jp_hist_index(low), i);
		cr_assert_eq(jp_hist_index(low + width - 1), i);
		cr_assert(low < 2048 || width * 1000 <= low, "index %zu is coarser than 3 digits", i);
		expected = low + width;
	}
	cr_assert_eq(expected, (int64_t)2048 << 25);
}

Test(hist, empty_has_no_figures)
{
	struct jp_hist *h = jp_hist_new();
	cr_expect_eq(jp_hist_count(h), 0);
	cr_expect(isnan(jp_hist_mean(h)));
	cr_expect_eq(jp_hist_percentile(h, 50), 0);
	jp_hist_free(h);
}

static void add_many(struct jp_hist *h, int64_t value, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		jp_hist_add(h, value);
}

Test(hist, one_outlier_in_a_thousand_moves_only_the_maximum)
{
	struct jp_hist *h = jp_hist_new();
	add_many(h, 1, 1000);
	jp_hist_add(h, 10000000);
	cr_expect_eq(jp_hist_percentile(h, 95), 1);
	cr_expect_eq(jp_hist_percentile(h, 99), 1);
	cr_expect_eq(jp_hist_percentile(h, 99.9), 1);
	cr_expect_eq(jp_hist_percentile(h, 99.95), 10000000);
	cr_expect_eq(jp_hist_percentile(h, 100), 10000000);
	cr_expect_eq(jp_hist_max(h), 10000000);
	jp_hist_free(h);
}

/* As plain figures and as nanoseconds */
Test(hist, merged_percentiles_come_from_merged_counts)
{
	static const int64_t units[] = {1, 1000};
	for (size_t i = 0; i < 2; i++) {
		int64_t unit = units[i];
		struct jp_hist *a = jp_hist_new(), *b = jp_hist_new();
		add_many(a, 100 * unit, 1000);
		add_many(b, 5000 * unit, 10);
		jp_hist_merge(a, b);
		int64_t p99 = jp_hist_percentile(a, 99);
		cr_expect_eq(jp_hist_index(p99), jp_hist_index(100 * unit), "p99 %ld", (long)p99);
		cr_expect_eq(jp_hist_percentile(a, 99.9), 5000 * unit);
		cr_expect_eq(jp_hist_count(a), 1010);
		cr_expect_eq(jp_hist_min(a), 100 * unit);
		cr_expect_eq(jp_hist_max(a), 5000 * unit);
		jp_hist_free(a);
		jp_hist_free(b);
	}
}

/* The values 1..n once each: the percentile is the rank itself. */
static const struct {
	unsigned n;
	double p;
	int64_t rank;
} ranks[] = {
	{1000, 99.9, 999},
	{1000, 50, 500},
	{1000, 0.1, 1},
	{1000, 29, 290},
	{1000, 57, 570},
	{1000, 58.1, 581},
	{1001, 50, 501},
	{10, 90, 9},
	{10, 99, 10},
	{100, 99, 99},
	{100, 99.01, 100},
	{2000, 99.9, 1998},
	{7, 100, 7},
	{1, 0.0001, 1},
	{1, 50, 1},
};

Test(hist, percentiles_are_nearest_rank)
{
	for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
		struct jp_hist *h = jp_hist_new();
		for (unsigned v = 1; v <= ranks[i].n; v++)
			jp_hist_add(h, v);
		cr_expect_eq(jp_hist_percentile(h, ranks[i].p), ranks[i].rank, "p%g of %u: %ld", ranks[i].p, ranks[i].n,
			(long)jp_hist_percentile(h, ranks[i].p));
		jp_hist_free(h);
	}
}

/* Whole tenths of a percent of n never step up by rounding. */
Test(hist, ranks_of_whole_products_are_exact)
{
	struct jp_hist *h = jp_hist_new();
	for (unsigned v = 1; v <= 2000; v++)
		jp_hist_add(h, v);
	for (int tenth = 1; tenth <= 1000; tenth++)
		cr_expect_eq(jp_hist_percentile(h, tenth / 10.0), 2 * tenth, "p%g", tenth / 10.0);
	jp_hist_free(h);
}

Test(hist, a_percentile_stays_between_the_exact_extremes)
{
	struct jp_hist *h = jp_hist_new();
	jp_hist_add(h, 100001);
	cr_expect_eq(jp_hist_percentile(h, 1), 100001);
	cr_expect_eq(jp_hist_percentile(h, 100), 100001);
	jp_hist_add(h, 200000);
	cr_expect_eq(jp_hist_percentile(h, 50), 100031, "the highest value that counts as 100001");
	jp_hist_free(h);
}

Test(hist, above_the_top_only_the_exact_maximum_is_known)
{
	struct jp_hist *h = jp_hist_new();
	jp_hist_add(h, 5);
	jp_hist_add(h, INT64_MAX);
	jp_hist_add(h, (int64_t)1 << 40);
	cr_expect_eq(jp_hist_count_at(h, JP_HIST_COUNTS - 1), 2);
	cr_expect_eq(jp_hist_max(h), INT64_MAX);
	cr_expect_eq(jp_hist_percentile(h, 99), INT64_MAX);
	cr_expect_float_eq(jp_hist_mean(h) / ((double)INT64_MAX / 3), 1, 1e-6);
	cr_expect_eq(jp_hist_count_at(h, JP_HIST_COUNTS), 0);
	jp_hist_free(h);
}

Test(hist, negative_values_count_as_zero)
{
	struct jp_hist *h = jp_hist_new();
	jp_hist_add(h, -3);
	jp_hist_add(h, INT64_MIN);
	jp_hist_add(h, 8);
	cr_expect_eq(jp_hist_count(h), 3);
	cr_expect_eq(jp_hist_count_at(h, 0), 2);
	cr_expect_eq(jp_hist_min(h), 0);
	cr_expect_float_eq(jp_hist_mean(h), 8.0 / 3, 1e-12);
	jp_hist_free(h);
}

Test(hist, reset_leaves_nothing_behind)
{
	struct jp_hist *h = jp_hist_new();
	static const int64_t values[] = {0, 2047, 2048, 777777, (int64_t)1 << 50};
	for (size_t i = 0; i < 5; i++)
		jp_hist_add(h, values[i]);
	jp_hist_reset(h);
	for (size_t i = 0; i < JP_HIST_COUNTS; i++)
		cr_assert_eq(jp_hist_count_at(h, i), 0, "index %zu", i);
	jp_hist_add(h, 42);
	cr_expect_eq(jp_hist_min(h), 42);
	cr_expect_eq(jp_hist_max(h), 42);
	cr_expect_eq(jp_hist_mean(h), 42);
	jp_hist_free(h);
}

Test(hist, merging_with_an_empty_one_changes_nothing)
{
	struct jp_hist *a = jp_hist_new(), *b = jp_hist_new();
	jp_hist_add(a, 9);
	jp_hist_merge(a, b);
	cr_expect_eq(jp_hist_min(a), 9);
	jp_hist_merge(b, a);
	cr_expect_eq(jp_hist_min(b), 9);
	cr_expect_eq(jp_hist_max(b), 9);
	cr_expect_eq(jp_hist_count(b), 1);
	jp_hist_free(a);
	jp_hist_free(b);
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

enum { SAMPLES = 5000 };
static const double points[] = {0.1, 1, 10, 25, 50, 75, 90, 99, 99.9, 100};

/* Values over the whole range, some negative: parts merged, against the sorted list. */
Test(shist, percentiles_agree_with_the_sorted_values)
{
	static int64_t values[SAMPLES];
	struct jp_shist *all = jp_shist_new(), *part = jp_shist_new();
	uint32_t seed = 7;
	double sum = 0;
	for (int i = 0; i < SAMPLES; i++) {
		int64_t v = (int64_t)cycles_random(&seed, UINT32_MAX) << 3 >> cycles_random(&seed, 35);
		values[i] = cycles_random(&seed, 3) ? v : -v;
		sum += (double)values[i];
		jp_shist_add(i % 3 ? part : all, values[i]);
	}
	jp_shist_merge(all, part);
	qsort(values, SAMPLES, sizeof values[0], by_value);
	cr_expect_eq(jp_shist_count(all), SAMPLES);
	cr_expect_eq(jp_shist_min(all), values[0]);
	cr_expect_eq(jp_shist_max(all), values[SAMPLES - 1]);
	cr_expect_float_eq(jp_shist_mean(all) / (sum / SAMPLES), 1, 1e-9);
	for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
		int64_t exact = values[(int)ceil(points[i] * SAMPLES / 100 - 1e-6) - 1];
		int64_t told = jp_shist_percentile(all, points[i]);
		cr_expect_geq(told, exact, "p%g", points[i]);
		cr_expect_eq(jp_hist_index(llabs(told)), jp_hist_index(llabs(exact)), "p%g", points[i]);
	}
	jp_shist_free(all);
	jp_shist_free(part);
}

Test(shist, only_negative_values)
{
	struct jp_shist *h = jp_shist_new();
	cr_expect(isnan(jp_shist_mean(h)));
	cr_expect_eq(jp_shist_percentile(h, 50), 0);
	jp_shist_add(h, -300);
	jp_shist_add(h, -100);
	jp_shist_add(h, -200);
	cr_expect_eq(jp_shist_min(h), -300);
	cr_expect_eq(jp_shist_max(h), -100);
	cr_expect_eq(jp_shist_percentile(h, 50), -200);
	cr_expect_eq(jp_shist_percentile(h, 1), -300);
	cr_expect_eq(jp_shist_percentile(h, 100), -100);
	cr_expect_float_eq(jp_shist_mean(h), -200, 1e-9);
	jp_shist_reset(h);
	cr_expect_eq(jp_shist_count(h), 0);
	jp_shist_add(h, INT64_MIN);
	cr_expect_eq(jp_shist_min(h), -INT64_MAX);
	jp_shist_free(h);
}
