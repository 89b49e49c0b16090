/* Where energy figures come from besides powercap. */
#include "sense/energy_perf.h"
#include "support/tree_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define POWER "/sys/bus/event_source/devices/power"
#define CPU_DIR "/sys/devices/system/cpu"
#define SUPPLY "/sys/class/power_supply"

static struct jp_host sample_at(struct jp_sense *s, int64_t seconds)
{
	struct jp_host host;
	jp_sense_sample(s, seconds * 1000000000, NULL, &host);
	return host;
}

static enum jp_status plan_of(const struct tree_fixture *f, struct jp_energy_plan *plan, struct jp_zones *zones)
{
	struct jp_tree *tree;
	memset(plan, 0, sizeof *plan);
	memset(zones, 0, sizeof *zones);
	cr_assert_eq(jp_tree_open(f->root, &tree, NULL), JP_OK);
	enum jp_status status = jp_energy_plan(tree, plan, zones);
	jp_tree_close(tree);
	return status;
}

static size_t zone(const struct jp_zones *zones, const char *name)
{
	for (size_t i = 0; i < zones->n; i++)
		if (strcmp(zones->zone[i].name, name) == 0)
			return i;
	cr_assert_fail("no zone %s", name);
	return 0;
}

Test(sense_power, perf_zones_of_a_client)
{
	struct tree_fixture f = tree_fixture_new("client");
	struct jp_energy_plan plan;
	struct jp_zones zones;
	cr_assert_eq(plan_of(&f, &plan, &zones), JP_OK);
	cr_assert_eq(zones.n, 4);
	size_t package = zone(&zones, "package_0"), core = zone(&zones, "package_0_core"), psys = zone(&zones, "psys");
	cr_assert(zones.zone[package].headline);
	cr_assert_not(zones.zone[core].headline || zones.zone[psys].headline);
	cr_assert_eq(plan.row[package].attr.type, 21);
	cr_assert_eq(plan.row[package].attr.config, 2);
	cr_assert_eq(plan.row[core].attr.config, 1);
	cr_assert_float_eq(plan.row[package].unit_j, 1.0 / 4294967296.0, 1e-20);
	tree_fixture_remove(&f);
}

/* Two packages of two dies each, counted by CPUs 0, 12, 24 and 36. */
Test(sense_power, perf_zones_of_packages_and_dies)
{
	static const char *const names[] = {"package_0_die_0", "package_0_die_1", "package_1_die_0", "package_1_die_1"};
	struct tree_fixture f = tree_fixture_new("client");
	struct jp_energy_plan plan;
	struct jp_zones zones;
	tree_fixture_put(&f, POWER "/cpumask", "0,12,24,36\n");
	for (unsigned i = 0; i < 4; i++) {
		tree_fixture_number(&f, i / 2, CPU_DIR "/cpu%u/topology/physical_package_id", i * 12);
		tree_fixture_number(&f, i % 2, CPU_DIR "/cpu%u/topology/die_id", i * 12);
	}
	cr_assert_eq(plan_of(&f, &plan, &zones), JP_OK);
	for (size_t i = 0; i < 4; i++) {
		size_t z = zone(&zones, names[i]);
		cr_assert(zones.zone[z].headline);
		cr_assert_eq(plan.row[z].cpu, (int)i * 12);
	}
	cr_assert_eq(zones.n, 4 + 2 * 4 + 1);
	tree_fixture_remove(&f);
}

Test(sense_power, perf_description_that_is_not_understood_is_not_used)
{
	static const struct {
		const char *file, *text;
	} rows[] = {
		{POWER "/events/energy-pkg.unit", "Watts\n"},
		{POWER "/events/energy-pkg.scale", "2,3\n"},
		{POWER "/events/energy-pkg.scale", "0\n"},
		{POWER "/events/energy-pkg.scale", "\n"},
		{POWER "/events/energy-pkg", "event=\n"},
		{POWER "/events/energy-pkg", "event=0x02,other=3\n"},
		{POWER "/events/energy-pkg", "event=0x102\n"},
		{POWER "/format/event", "config1:0-7\n"},
		{POWER "/type", "many\n"},
		{POWER "/cpumask", "\n"},
		{POWER "/cpumask", "x\n"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tree_fixture f = tree_fixture_new("client");
		struct jp_energy_plan plan;
		struct jp_zones zones;
		tree_fixture_put(&f, rows[i].file, rows[i].text);
		cr_assert_neq(plan_of(&f, &plan, &zones), JP_OK, "%s: %s", rows[i].file, rows[i].text);
		tree_fixture_remove(&f);
	}
}

Test(sense_power, perf_is_not_used_below_a_sysroot)
{
	struct tree_fixture f = tree_fixture_new("client");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	cr_assert_str_eq(tree_fixture_status(s, "energy").source, "powercap");
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_power, hwmon_counts_sockets)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	static const char *const labels[] = {"Ecore000", "Ecore001", "Esocket0", "Esocket1", "Esocketx"};
	tree_fixture_put(&f, "/sys/class/hwmon/hwmon2/name", "amd_energy\n");
	for (unsigned i = 0; i < 5; i++) {
		char path[128];
		snprintf(path, sizeof path, "/sys/class/hwmon/hwmon2/energy%u_label", i + 1);
		tree_fixture_put(&f, path, labels[i]);
		tree_fixture_number(&f, 1000, "/sys/class/hwmon/hwmon2/energy%u_input", i + 1);
	}
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	cr_assert_str_eq(tree_fixture_status(s, "energy").source, "hwmon");
	cr_assert(isnan(sample_at(s, 1).power_w));
	for (unsigned i = 0; i < 5; i++)
		tree_fixture_number(&f, 1000 + (i + 1) * 10000000, "/sys/class/hwmon/hwmon2/energy%u_input", i + 1);
	struct jp_host host = sample_at(s, 2);
	cr_assert_float_eq(host.power_w, 70, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "power_package_1_w"), 40, 1e-9);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

static void put_battery(const struct tree_fixture *f, const char *status)
{
	tree_fixture_put(f, SUPPLY "/BAT0/type", "Battery\n");
	tree_fixture_put(f, SUPPLY "/BAT0/status", status);
	tree_fixture_put(f, SUPPLY "/BAT1/type", "Battery\n");
	tree_fixture_put(f, SUPPLY "/BAT1/status", "Not charging\n");
	tree_fixture_put(f, SUPPLY "/BAT1/power_now", "7000000\n");
	tree_fixture_put(f, SUPPLY "/AC/type", "Mains\n");
	tree_fixture_put(f, SUPPLY "/mouse/type", "Battery\n");
	tree_fixture_put(f, SUPPLY "/mouse/scope", "Device\n");
	tree_fixture_put(f, SUPPLY "/mouse/status", "Discharging\n");
	tree_fixture_put(f, SUPPLY "/mouse/power_now", "9000000\n");
}

Test(sense_power, battery_counts_while_discharging)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	put_battery(&f, "Discharging\n");
	tree_fixture_put(&f, SUPPLY "/BAT0/current_now", "-1500000\n");
	tree_fixture_put(&f, SUPPLY "/BAT0/voltage_now", "12000000\n");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	cr_assert_str_eq(tree_fixture_status(s, "energy").source, "battery (whole machine)");
	struct jp_host host = sample_at(s, 1);
	cr_assert_float_eq(host.power_w, 18, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "power_battery_w"), 18, 1e-9);
	tree_fixture_put(&f, SUPPLY "/BAT0/power_now", "11000000\n");
	cr_assert_float_eq(sample_at(s, 2).power_w, 11, 1e-9);
	tree_fixture_put(&f, SUPPLY "/BAT0/status", "Charging\n");
	cr_assert(isnan(sample_at(s, 3).power_w));
	cr_assert_not_null(strstr(tree_fixture_status(s, "energy").reason, "mains"));
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

/* On a laptop: the remedy is said, on mains as the reason and on battery beside the source. */
Test(sense_power, battery_does_not_hide_that_rapl_is_closed)
{
	char path[256];
	struct tree_fixture f = tree_fixture_new(NULL);
	put_battery(&f, "Full\n");
	tree_fixture_put(&f, SUPPLY "/BAT0/power_now", "11000000\n");
	tree_fixture_put(&f, "/sys/class/powercap/intel-rapl:0/name", "package-0\n");
	tree_fixture_number(&f, 1, "/sys/class/powercap/intel-rapl:0/energy_uj");
	tree_fixture_path(&f, "/sys/class/powercap/intel-rapl:0/energy_uj", path, sizeof path);
	cr_assert_eq(chmod(path, 0), 0);
	tree_fixture_drop_rights();
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	tree_fixture_regain_rights();
	cr_assert_not_null(strstr(tree_fixture_status(s, "energy").reason, "chmod"));
	tree_fixture_put(&f, SUPPLY "/BAT0/status", "Discharging\n");
	cr_assert_float_eq(sample_at(s, 1).power_w, 11, 1e-9);
	cr_assert_str_eq(tree_fixture_status(s, "energy").source, "battery (whole machine); RAPL closed to this user");
	jp_sense_close(s);
	tree_fixture_remove(&f);
}
