/* Temperature, wake-up latency, facts, and a whole tree. */
#include "sense/facts.h"
#include "support/tree_fixture.h"
#include "sys/dma_latency.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define CPU_DIR "/sys/devices/system/cpu"
#define DEVICE "/dev/cpu_dma_latency"

static struct jp_host sample_at(struct jp_sense *s, int64_t seconds)
{
	struct jp_host host;
	jp_sense_sample(s, seconds * 1000000000, NULL, &host);
	return host;
}

Test(sense_temperature, chips_and_labels)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	static const struct {
		const char *chip, *label;
		unsigned at;
	} rows[] = {
		{"coretemp", "Package id 1", 61000},
		{"coretemp", "Core 0", 70000},
		{"nvme", "Package id 0", 40000},
		{"k10temp", "Tctl", 55125},
		{"k10temp", "Tctl", 56125},
		{"k10temp", "Tccd1", 80000},
		{"zenpower", "Tctl", 90000},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[128];
		snprintf(path, sizeof path, "/sys/class/hwmon/hwmon%zu/name", i);
		tree_fixture_put(&f, path, rows[i].chip);
		snprintf(path, sizeof path, "/sys/class/hwmon/hwmon%zu/temp3_label", i);
		tree_fixture_put(&f, path, rows[i].label);
		tree_fixture_number(&f, rows[i].at, "/sys/class/hwmon/hwmon%zu/temp3_input", i);
	}
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	struct jp_host host = sample_at(s, 1);
	size_t n;
	jp_sense_columns(s, &n);
	cr_assert_eq(n, 3);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "temp_package_1_c"), 61, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "temp_tctl_c"), 55.125, 1e-9);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "temp_tctl_1_c"), 56.125, 1e-9);
	cr_assert_str_eq(tree_fixture_status(s, "temperature").source, "hwmon");
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_temperature, thermal_zones_when_there_is_no_chip)
{
	static const struct {
		const char *text;
		double celsius;
	} rows[] = {{"47000\n", 47}, {"-5500\n", -5.5}, {"\n", NAN}, {"999999999\n", NAN}, {"warm\n", NAN}};
	struct tree_fixture f = tree_fixture_new(NULL);
	tree_fixture_put(&f, "/sys/class/thermal/thermal_zone0/type", "acpitz\n");
	tree_fixture_put(&f, "/sys/class/thermal/thermal_zone0/temp", "20000\n");
	tree_fixture_put(&f, "/sys/class/thermal/thermal_zone7/type", "x86_pkg_temp\n");
	tree_fixture_put(&f, "/sys/class/thermal/thermal_zone7/temp", "1000\n");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		tree_fixture_put(&f, "/sys/class/thermal/thermal_zone7/temp", rows[i].text);
		struct jp_host host = sample_at(s, (int64_t)i);
		double got = tree_fixture_extra(s, &host, "temp_x86_pkg_temp_c");
		cr_assert(isnan(rows[i].celsius) ? isnan(got) : fabs(got - rows[i].celsius) < 1e-9, "%s: %g",
			rows[i].text, got);
	}
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_temperature, throttling_counts_each_package_once)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	for (int cpu = 0; cpu < 4; cpu++) {
		tree_fixture_number(&f, (uint64_t)cpu / 2, CPU_DIR "/cpu%d/topology/physical_package_id", cpu);
		tree_fixture_number(&f, 13, CPU_DIR "/cpu%d/thermal_throttle/package_throttle_count", cpu);
	}
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	struct jp_host host = sample_at(s, 1);
	cr_assert(isnan(tree_fixture_extra(s, &host, "throttle_count")));
	for (int cpu = 0; cpu < 4; cpu++)
		tree_fixture_number(
			&f, cpu < 2 ? 20 : 15, CPU_DIR "/cpu%d/thermal_throttle/package_throttle_count", cpu);
	host = sample_at(s, 2);
	cr_assert_float_eq(tree_fixture_extra(s, &host, "throttle_count"), 9, 1e-9);
	cr_assert_not(tree_fixture_status(s, "temperature").available);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_dma_latency, what_the_device_gives)
{
	static const struct {
		const char *bytes;
		size_t n;
		enum jp_status status;
		int32_t us;
	} rows[] = {
		{"\0\0\0\0", 4, JP_OK, 0},
		{"\x14\0\0\0", 4, JP_OK, 20},
		{"\0\x94\x35\x77", 4, JP_OK, JP_DMA_LATENCY_NONE},
		{"20\n", 3, JP_OK, 20},
		{"100\n", 4, JP_OK, 100},
		{"2000", 4, JP_OK, 2000},
		{"2000000000\n", 11, JP_OK, JP_DMA_LATENCY_NONE},
		{"\xff\xff\xff\xff", 4, JP_BAD_DATA, 0},
		{"99999999999", 11, JP_BAD_DATA, 0},
		{"", 0, JP_BAD_DATA, 0},
		{"\n\n\n\n", 4, JP_BAD_DATA, 0},
		{"\0\0\0", 3, JP_BAD_DATA, 0},
		{"\0\0\0\0\0", 5, JP_BAD_DATA, 0},
		{"0123456789abcdef", 16, JP_BAD_DATA, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int32_t us = 0;
		cr_assert_eq(jp_dma_latency_parse(rows[i].bytes, rows[i].n, &us), rows[i].status, "row %zu", i);
		if (rows[i].status == JP_OK)
			cr_assert_eq(us, rows[i].us, "row %zu: %d", i, us);
	}
}

Test(sense_dma_latency, limit_in_force_and_none)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	tree_fixture_put_bytes(&f, DEVICE, "\0\x94\x35\x77", 4);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	cr_assert(isnan(sample_at(s, 1).dma_latency_us));
	cr_assert(tree_fixture_status(s, "dma_latency").available);
	tree_fixture_put_bytes(&f, DEVICE, "\0\0\0\0", 4);
	cr_assert_eq(sample_at(s, 2).dma_latency_us, 0);
	tree_fixture_delete(&f, DEVICE);
	cr_assert(isnan(sample_at(s, 3).dma_latency_us));
	cr_assert_not_null(strstr(tree_fixture_status(s, "dma_latency").reason, "not there"));
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_dma_latency, what_is_no_device_is_said)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_dma_latency *held;
	tree_fixture_put(&f, DEVICE "/directory", "");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	cr_assert_str_eq(tree_fixture_status(s, "dma_latency").reason, DEVICE ": wrong data");
	cr_assert_neq(jp_dma_latency_hold(f.root, 0, &held, NULL), JP_OK);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_dma_latency, held_limit_is_read_back)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_dma_latency *held;
	struct jp_tree *tree;
	struct jp_why why = {""};
	static const int32_t limits[] = {0, 20, JP_DMA_LATENCY_NONE - 1};
	tree_fixture_put_bytes(&f, DEVICE, "\0\x94\x35\x77", 4);
	cr_assert_eq(jp_tree_open(f.root, &tree, &why), JP_OK, "%s", why.text);
	for (size_t i = 0; i < 3; i++) {
		int32_t us = -1;
		cr_assert_eq(jp_dma_latency_hold(f.root, limits[i], &held, &why), JP_OK, "%s", why.text);
		cr_assert_eq(jp_dma_latency_read(tree, &us), JP_OK);
		cr_assert_eq(us, limits[i]);
		jp_dma_latency_release(held);
	}
	jp_dma_latency_release(NULL);
	jp_tree_close(tree);
	tree_fixture_remove(&f);
}

Test(sense_dma_latency, refusals_say_what_to_do)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_dma_latency *held;
	struct jp_why why = {""};
	char path[128];
	cr_assert_eq(jp_dma_latency_hold(f.root, -1, &held, &why), JP_BAD_ARG);
	cr_assert_eq(jp_dma_latency_hold(f.root, JP_DMA_LATENCY_NONE, &held, &why), JP_BAD_ARG);
	cr_assert_eq(jp_dma_latency_hold("/nowhere/at/all", 0, &held, &why), JP_BAD_ARG);
	cr_assert_eq(jp_dma_latency_hold(f.root, 0, &held, &why), JP_MISSING);
	tree_fixture_put_bytes(&f, DEVICE, "\0\0\0\0", 4);
	tree_fixture_path(&f, DEVICE, path, sizeof path);
	cr_assert_eq(chmod(path, 0), 0);
	tree_fixture_drop_rights();
	cr_assert_eq(jp_dma_latency_hold(f.root, 0, &held, &why), JP_DENIED);
	cr_assert_not_null(strstr(why.text, "chmod g+rw"), "%s", why.text);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	cr_assert_str_eq(tree_fixture_status(s, "dma_latency").reason, why.text);
	jp_sense_close(s);
	tree_fixture_regain_rights();
	tree_fixture_remove(&f);
}

struct found {
	char text[1024];
};

static void collect(void *arg, const char *key, const char *value)
{
	struct found *found = arg;
	size_t n = strlen(found->text);
	snprintf(found->text + n, sizeof found->text - n, "%s=%s\n", key, value);
}

Test(sense_facts, of_a_client)
{
	struct tree_fixture f = tree_fixture_new("client");
	struct found found = {""};
	tree_fixture_put(&f, CPU_DIR "/cpu2/cpufreq/scaling_governor", "performance\n");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	jp_sense_facts(s, collect, &found);
	cr_assert_str_eq(found.text,
		"kernel=6.12.74-rt22-amd64\npreemption=PREEMPT_RT\n"
		"cpu_model=11th Gen Intel(R) Core(TM) i5-1135G7 @ 2.40GHz\ncpus=4\ncpufreq_driver=intel_pstate\n"
		"governor=powersave, performance\ncpuidle_driver=intel_idle\ncpuidle_governor=menu\n");
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_facts, unknown_ones_are_left_out)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	struct found found = {""};
	tree_fixture_put(&f, "/sys/devices/cpu_core/cpus", "0-3\n");
	tree_fixture_put(&f, "/sys/devices/cpu_atom/cpus", "4-5\n");
	tree_fixture_put(&f, "/proc/version", "Linux version 6.1.0 (gcc) #1 SMP\n");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	jp_sense_facts(s, collect, &found);
	cr_assert_str_eq(found.text, "core_types=4 P, 2 E\n");
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_facts, texts)
{
	char out[32];
	cr_assert(jp_facts_preempt_mode("none voluntary (full)\n", out, sizeof out));
	cr_assert_str_eq(out, "full");
	cr_assert(jp_facts_preempt_mode("(lazy) full", out, sizeof out));
	cr_assert_str_eq(out, "lazy");
	cr_assert_not(jp_facts_preempt_mode("full", out, sizeof out));
	cr_assert_not(jp_facts_preempt_mode("()", out, sizeof out));
	cr_assert_not(jp_facts_preempt_mode(")(", out, sizeof out));
	cr_assert_str_eq(jp_facts_preempt_version("#1 SMP PREEMPT_DYNAMIC Debian"), "PREEMPT_DYNAMIC");
	cr_assert_str_eq(jp_facts_preempt_version("#1 SMP PREEMPT_RT"), "PREEMPT_RT");
	cr_assert_str_eq(jp_facts_preempt_version("#1 SMP PREEMPT"), "PREEMPT");
	cr_assert_null(jp_facts_preempt_version("#1 SMP"));
	cr_assert(jp_facts_cpuinfo("a\t: 1\nmodel name\t: X : y\n", "model name", out, sizeof out));
	cr_assert_str_eq(out, "X : y");
	cr_assert_not(jp_facts_cpuinfo("model\t: 1\nmodel names: 2\n", "model name", out, sizeof out));
	cr_assert_not(jp_facts_cpuinfo("model name\t:\n", "model name", out, sizeof out));
}

/* All columns of a whole machine, in the order of the files; the static tree draws no power that could be told. */
Test(sense_table, columns_of_a_client)
{
	static const char *const want[][2] = {
		{"power_package_0_w", "/power/package_0_w"},
		{"power_psys_w", "/power/psys_w"},
		{"power_package_0_core_w", "/power/package_0_core_w"},
		{"power_package_0_uncore_w", "/power/package_0_uncore_w"},
		{"power_package_0_dram_w", "/power/package_0_dram_w"},
		{"idle_POLL_pct", "/idle/POLL_pct"},
		{"idle_C1_ACPI_pct", "/idle/C1_ACPI_pct"},
		{"idle_C6_pct", "/idle/C6_pct"},
		{"temp_package_0_c", "/temp/package_0_c"},
		{"throttle_count", ""},
	};
	struct tree_fixture f = tree_fixture_new("client");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	size_t n;
	const struct jp_extra_column *c = jp_sense_columns(s, &n);
	cr_assert_eq(n, sizeof want / sizeof *want);
	for (size_t i = 0; i < n; i++) {
		cr_assert_str_eq(c[i].csv, want[i][0]);
		cr_assert_str_eq(c[i].osc, want[i][1]);
	}
	sample_at(s, 1);
	struct jp_host host = sample_at(s, 2);
	cr_assert(isnan(host.power_w) && isnan(host.cpu_user_pct) && isnan(host.dma_latency_us));
	cr_assert_float_eq(tree_fixture_extra(s, &host, "temp_package_0_c"), 52, 1e-9);
	cr_assert_float_eq(host.freq_max_mhz, 3700.012, 1e-9);
	cr_assert(isnan(host.extra[n]));
	jp_sense_close(s);
	tree_fixture_remove(&f);
}
