#include "sense/energy.h"
#include "support/tree_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define POWERCAP "/sys/class/powercap"

/* A zone of a fake powercap tree; range 0: no max_energy_range_uj. */
struct zone {
	const char *dir, *name;
	uint64_t range, uj;
};

static const struct zone client_zones[] = {
	{"intel-rapl:0", "package-0", 262143328850, 1000000000},
	{"intel-rapl:0:0", "core", 262143328850, 500000000},
	{"intel-rapl:0:1", "uncore", 262143328850, 7000000},
	{"intel-rapl:0:2", "dram", 65712999613, 300000000},
	{"intel-rapl:1", "psys", 262143328850, 2000000000},
	{"intel-rapl-mmio:0", "package-0", 262143328850, 999000000},
};

static void put_zones(const struct tree_fixture *f, const struct zone *z, size_t n)
{
	char path[256];
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof path, POWERCAP "/%s/name", z[i].dir);
		tree_fixture_put(f, path, z[i].name);
		tree_fixture_number(f, z[i].uj, POWERCAP "/%s/energy_uj", z[i].dir);
		if (z[i].range)
			tree_fixture_number(f, z[i].range, POWERCAP "/%s/max_energy_range_uj", z[i].dir);
	}
}

static void advance(const struct tree_fixture *f, const char *dir, uint64_t uj)
{
	tree_fixture_number(f, uj, POWERCAP "/%s/energy_uj", dir);
}

static struct jp_host sample_at(struct jp_sense *s, int64_t seconds)
{
	struct jp_host host;
	jp_sense_sample(s, seconds * 1000000000, NULL, &host);
	return host;
}

/* Counters that begin anew, at the zone's own range or at none. */
Test(sense_counter, delta_uses_the_zones_own_range)
{
	static const struct {
		uint64_t before, after, range;
		bool good;
		uint64_t delta;
	} rows[] = {
		{262143328000, 500, 262143328850, true, 1350},
		{65712999000, 1000, 65712999613, true, 1613},
		{65532610000, 0, 65532610987, true, 987},
		{262143328850, 0, 262143328850, true, 0},
		{0, 0, 0, true, 0},
		{5, 12, 0, true, 7},
		{UINT64_MAX - 1, UINT64_MAX, 0, true, 1},
		{12, 5, 0, false, 0},
		{70000000000, 1, 65712999613, false, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t delta = 0;
		cr_assert_eq(jp_counter_delta(rows[i].before, rows[i].after, rows[i].range, &delta), rows[i].good,
			"row %zu", i);
		cr_assert_eq(delta, rows[i].delta, "row %zu", i);
	}
}

/* One reading a second. */
static void expect_watts(struct jp_counter c, const uint64_t *raw, const double *want, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double watts = jp_counter_watts(&c, raw[i], (int64_t)(i + 1) * 1000000000);
		if (isnan(want[i]))
			cr_assert(isnan(watts), "reading %zu: %g", i, watts);
		else
			cr_assert_float_eq(watts, want[i], 1e-9, "reading %zu: %g", i, watts);
	}
}

Test(sense_counter, implausible_steps_are_gaps)
{
	struct jp_counter c = {.unit_j = 1e-6, .range = 262143328850};
	/* Reset to 0 at 100 J: as a wrap it would be 262 kW. The next window is right again. */
	const uint64_t reset[] = {90000000, 100000000, 0, 15000000};
	const double reset_w[] = {NAN, 10, NAN, 15};
	expect_watts(c, reset, reset_w, 4);
	/* One absurd reading: neither the step up nor the step back is power. */
	const uint64_t absurd[] = {1000000, 260000000000, 2000000, 4000000};
	const double absurd_w[] = {NAN, NAN, NAN, 2};
	expect_watts(c, absurd, absurd_w, 4);
	c.range = 0;
	const uint64_t back[] = {9000000, 8000000, 9500000};
	const double back_w[] = {NAN, NAN, 1.5};
	expect_watts(c, back, back_w, 3);
}

Test(sense_counter, no_movement_is_zero_only_where_it_may_be)
{
	struct jp_counter c = {.unit_j = 1e-6, .range = 262143328850};
	const uint64_t still[] = {7000000, 7000000};
	const double zero[] = {NAN, 0}, unknown[] = {NAN, NAN};
	expect_watts(c, still, zero, 2);
	c.must_move = true;
	expect_watts(c, still, unknown, 2);
}

Test(sense_counter, window_longer_than_a_wrap_is_unknown)
{
	struct jp_counter c = {.unit_j = 1e-6, .range = 65532610987, .headline = true};
	char text[128];
	jp_counter_watts(&c, 1000, 0);
	cr_assert(isnan(jp_counter_watts(&c, 2000000, 600000000000)));
	jp_counters_trouble(&c, 1, text, sizeof text);
	cr_assert_not_null(strstr(text, "--interval 109"), "%s", text);
	double next = jp_counter_watts(&c, 5000000, 601000000000);
	cr_assert_float_eq(next, 3, 1e-9);
}

/* With the package that two interfaces show, and without. */
Test(sense_energy, total_is_each_package_once)
{
	for (size_t n = 5; n <= 6; n++) {
		struct tree_fixture f = tree_fixture_new(NULL);
		put_zones(&f, client_zones, n);
		struct jp_sense *s = tree_fixture_sense(&f, NULL);
		cr_assert(isnan(sample_at(s, 10).power_w));
		advance(&f, "intel-rapl:0", 1000000000 + 30000000);
		advance(&f, "intel-rapl:0:0", 500000000 + 12000000);
		advance(&f, "intel-rapl:0:2", 300000000 + 4000000);
		advance(&f, "intel-rapl:1", 2000000000 + 50000000);
		advance(&f, "intel-rapl-mmio:0", 999000000 + 30000000);
		struct jp_host host = sample_at(s, 12);
		cr_assert_float_eq(host.power_w, 15, 1e-9);
		cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_0_w"), 15, 1e-9);
		cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_0_core_w"), 6, 1e-9);
		cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_0_uncore_w"), 0, 1e-9);
		cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_0_dram_w"), 2, 1e-9);
		cr_assert_float_eq(tree_fixture_extra(s, &host, "power_psys_w"), 25, 1e-9);
		cr_assert_str_eq(tree_fixture_status(s, "energy").source, "powercap");
		jp_sense_close(s);
		tree_fixture_remove(&f);
	}
}

Test(sense_energy, memory_mapped_package_serves_where_it_is_the_only_one)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	put_zones(&f, client_zones + 5, 1);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	sample_at(s, 1);
	advance(&f, "intel-rapl-mmio:0", 999000000 + 8000000);
	struct jp_host host = sample_at(s, 2);
	cr_assert_float_eq(host.power_w, 8, 1e-9);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

/* Two sockets, directory numbers against package numbers, zones nested as the kernel's own tree has them. */
Test(sense_energy, zones_go_by_name_not_by_directory_number)
{
	static const struct zone zones[] = {
		{"intel-rapl/intel-rapl:0", "package-1\n", 262143328850, 100},
		{"intel-rapl/intel-rapl:0/intel-rapl:0:0", "dram\n", 65712999613, 65712999000},
		{"intel-rapl/intel-rapl:1", "package-0\n", 262143328850, 200},
		{"intel-rapl/intel-rapl:1/intel-rapl:1:0", "dram\n", 65712999613, 100},
	};
	struct tree_fixture f = tree_fixture_new(NULL);
	put_zones(&f, zones, 4);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	sample_at(s, 1);
	advance(&f, zones[0].dir, 100 + 40000000);
	advance(&f, zones[1].dir, 1999387);
	advance(&f, zones[2].dir, 200 + 60000000);
	struct jp_host host = sample_at(s, 2);
	cr_assert_float_eq(host.power_w, 100, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_1_w"), 40, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_0_w"), 60, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_1_dram_w"), 2, 1e-9);
	cr_assert(isnan(tree_fixture_extra(s, &host, "power_package_0_dram_w"))); /* it stands still */
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_energy, one_unknown_package_makes_the_total_unknown)
{
	static const struct zone zones[] = {
		{"intel-rapl:0", "package-0", 262143328850, 0},
		{"intel-rapl:1", "package-1", 262143328850, 0},
	};
	static const char *const junk[] = {
		"", "\n", "garbage", "-5\n", "99999999999999999999999\n", "12 34\n", "\x01\x02\xff\n"};
	struct tree_fixture f = tree_fixture_new(NULL);
	put_zones(&f, zones, 2);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	for (size_t i = 0; i < sizeof junk / sizeof *junk; i++) {
		int64_t at = (int64_t)i * 10;
		sample_at(s, at + 1);
		advance(&f, "intel-rapl:0", 5000000 * (i + 1));
		tree_fixture_put(&f, POWERCAP "/intel-rapl:1/energy_uj", junk[i]);
		struct jp_host host = sample_at(s, at + 2);
		cr_assert(isnan(host.power_w), "%s", junk[i]);
		cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_0_w"), 5, 1e-9);
		advance(&f, "intel-rapl:1", 0);
	}
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_energy, unreadable_counter_says_the_remedy)
{
	char path[256];
	struct tree_fixture f = tree_fixture_new(NULL);
	put_zones(&f, client_zones, 6);
	for (size_t i = 0; i < 6; i++) {
		char file[128];
		snprintf(file, sizeof file, POWERCAP "/%s/energy_uj", client_zones[i].dir);
		tree_fixture_path(&f, file, path, sizeof path);
		cr_assert_eq(chmod(path, 0), 0);
	}
	tree_fixture_drop_rights();
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	struct jp_sensor_status status = tree_fixture_status(s, "energy");
	cr_assert_not(status.available);
	cr_assert_not_null(strstr(status.reason, "root only"), "%s", status.reason);
	cr_assert_not_null(strstr(status.reason, "chmod"), "%s", status.reason);
	cr_assert(isnan(sample_at(s, 1).power_w));
	cr_assert(isnan(sample_at(s, 2).power_w));
	jp_sense_close(s);
	tree_fixture_regain_rights();
	tree_fixture_remove(&f);
}
