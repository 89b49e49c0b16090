#include "sense/core_events.h"
#include "sense/freq.h"
#include "sense/pmu.h"
#include "support/tree_fixture.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEVICES "/sys/bus/event_source/devices"
#define CPU_DIR "/sys/devices/system/cpu"

static struct jp_host sample(struct jp_sense *s, int64_t seconds, const struct jp_cpu_calls *calls)
{
	struct jp_host host;
	jp_sense_sample(s, seconds * 1000000000, calls, &host);
	return host;
}

/* 8 P cores at 4.2 GHz and above, 12 E cores at 2.1 GHz and above. */
static struct tree_fixture hybrid_tree(void)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	tree_fixture_put(&f, "/sys/devices/cpu_core/cpus", "0-7\n");
	tree_fixture_put(&f, "/sys/devices/cpu_atom/cpus", "8-19\n");
	for (unsigned cpu = 0; cpu < 20; cpu++)
		tree_fixture_number(
			&f, (cpu < 8 ? 4200000 : 2100000) + cpu * 1000, CPU_DIR "/cpu%u/cpufreq/scaling_cur_freq", cpu);
	return f;
}

Test(sense_freq, hybrid_kinds_are_kept_apart)
{
	struct tree_fixture f = hybrid_tree();
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	uint32_t calls[20] = {[2] = 300, [9] = 100};
	struct jp_host host = sample(s, 1, &(struct jp_cpu_calls){calls, 20});
	static const char *const kinds[] = {"P", "P", "E", "E", "", ""};
	static const int cpus[] = {0, 7, 8, 19, 20, -1};
	for (size_t i = 0; i < 6; i++)
		cr_assert_str_eq(jp_sense_core_type(s, cpus[i]), kinds[i], "CPU %d", cpus[i]);
	cr_assert_float_eq(host.rt_pcore_pct, 75, 1e-9);
	cr_assert_float_eq(host.rt_freq_mhz, (300 * 4202.0 + 100 * 2109.0) / 400, 1e-9);
	cr_assert_float_eq(host.freq_min_mhz, 2108, 1e-9);
	cr_assert_float_eq(host.freq_max_mhz, 4207, 1e-9);
	cr_assert_float_eq(host.freq_mean_mhz, (8 * 4200.0 + 12 * 2100.0 + 190) / 20, 1e-9);
	host = sample(s, 2, NULL);
	cr_assert(isnan(host.rt_pcore_pct) && isnan(host.rt_freq_mhz));
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_freq, one_kind_has_no_types)
{
	static const char *const only[] = {
		"/sys/devices/cpu_core/cpus", "/sys/devices/cpu_atom/cpus", "/sys/devices/none"};
	for (size_t i = 0; i < 3; i++) {
		struct tree_fixture f = tree_fixture_new(NULL);
		uint32_t calls[2] = {5, 5};
		tree_fixture_put(&f, only[i], "0-1\n");
		tree_fixture_put(&f, CPU_DIR "/cpu1/online", "1\n");
		struct jp_sense *s = tree_fixture_sense(&f, NULL);
		cr_assert_str_eq(jp_sense_core_type(s, 0), "");
		cr_assert(isnan(sample(s, 1, &(struct jp_cpu_calls){calls, 2}).rt_pcore_pct));
		cr_assert(tree_fixture_status(s, "cpu_type").available);
		jp_sense_close(s);
		tree_fixture_remove(&f);
	}
}

Test(sense_freq, average_is_preferred_and_named)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	tree_fixture_number(&f, 400000, CPU_DIR "/cpu0/cpufreq/scaling_cur_freq");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	cr_assert_str_eq(tree_fixture_status(s, "frequency").source, "cpufreq scaling_cur_freq");
	cr_assert_float_eq(sample(s, 1, NULL).freq_mean_mhz, 400, 1e-9);
	jp_sense_close(s);
	tree_fixture_number(&f, 3184097, CPU_DIR "/cpu0/cpufreq/cpuinfo_avg_freq");
	s = tree_fixture_sense(&f, NULL);
	cr_assert_str_eq(tree_fixture_status(s, "frequency").source, "cpufreq cpuinfo_avg_freq");
	cr_assert_float_eq(sample(s, 1, NULL).freq_mean_mhz, 3184.097, 1e-9);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_freq, no_cpufreq_is_one_reason_for_the_whole_run)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_sensor_status first;
	tree_fixture_put(&f, CPU_DIR "/cpu0/online", "1\n");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	first = tree_fixture_status(s, "frequency");
	cr_assert_not(first.available);
	cr_assert_not_null(strstr(first.reason, "no cpufreq directory"), "%s", first.reason);
	for (int window = 1; window <= 60; window++) {
		struct jp_host host = sample(s, window, NULL);
		struct jp_sensor_status now = tree_fixture_status(s, "frequency");
		cr_assert(isnan(host.freq_mean_mhz) && isnan(host.freq_min_mhz) && isnan(host.freq_max_mhz));
		cr_assert_eq(memcmp(&now, &first, sizeof now), 0);
	}
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_freq, malformed_files_are_unknown)
{
	static const char *const junk[] = {"", "<unknown>\n", "0\n", "-1\n", "99999999999\n", "1e6\n"};
	struct tree_fixture f = tree_fixture_new(NULL);
	tree_fixture_number(&f, 1500000, CPU_DIR "/cpu0/cpufreq/scaling_cur_freq");
	tree_fixture_number(&f, 1500000, CPU_DIR "/cpu1/cpufreq/scaling_cur_freq");
	tree_fixture_put(&f, CPU_DIR "/cpu2/cpufreq/scaling_cur_freq/directory", "1\n");
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	uint32_t calls[2] = {1, 1};
	for (size_t i = 0; i < sizeof junk / sizeof *junk; i++) {
		tree_fixture_put(&f, CPU_DIR "/cpu1/cpufreq/scaling_cur_freq", junk[i]);
		struct jp_host host = sample(s, (int64_t)i, &(struct jp_cpu_calls){calls, 2});
		cr_assert_float_eq(host.freq_max_mhz, 1500, 1e-9, "%s", junk[i]);
		cr_assert_float_eq(host.freq_mean_mhz, 1500, 1e-9, "%s", junk[i]);
		cr_assert(isnan(host.rt_freq_mhz), "%s", junk[i]);
	}
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_freq, figures)
{
	const double mhz[] = {1000, NAN, 3000};
	const uint32_t known[] = {1, 0, 3}, unknown[] = {1, 1, 0}, beyond[] = {1, 0, 0, 2}, none[] = {0, 0, 0};
	const struct {
		struct jp_cpu_calls calls;
		double rt;
	} rows[] = {{{known, 3}, 2500}, {{unknown, 3}, NAN}, {{beyond, 4}, NAN}, {{none, 3}, NAN}};
	for (size_t i = 0; i < 4; i++) {
		struct jp_host host = {
			.freq_mean_mhz = NAN, .freq_min_mhz = NAN, .freq_max_mhz = NAN, .rt_freq_mhz = NAN};
		jp_freq_figures(mhz, 3, &rows[i].calls, &host);
		cr_assert_float_eq(host.freq_mean_mhz, 2000, 1e-9);
		cr_assert_float_eq(host.freq_min_mhz, 1000, 1e-9);
		cr_assert_float_eq(host.freq_max_mhz, 3000, 1e-9);
		cr_assert(isnan(rows[i].rt) ? isnan(host.rt_freq_mhz) : host.rt_freq_mhz == rows[i].rt, "row %zu", i);
	}
}

Test(sense_pmu, formats)
{
	static const struct {
		const char *format;
		uint64_t value;
		enum jp_status status;
		uint64_t config;
	} rows[] = {
		{"config:0-7", 0x3c, JP_OK, 0x3c},
		{"config:8-15", 3, JP_OK, 0x300},
		{"config:0-63", UINT64_MAX, JP_OK, UINT64_MAX},
		{"config:21", 1, JP_OK, 1 << 21},
		{"config:0-7,32-35", 0x176, JP_OK, 0x100000076},
		{"config:0-7", 0x100, JP_BAD_DATA, 0},
		{"config1:0-7", 1, JP_BAD_DATA, 0},
		{"config:7-0", 1, JP_BAD_DATA, 0},
		{"config:0-64", 1, JP_BAD_DATA, 0},
		{"config:", 1, JP_BAD_DATA, 0},
		{"config:0-", 1, JP_BAD_DATA, 0},
		{"", 1, JP_BAD_DATA, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t config = 0;
		enum jp_status status = jp_pmu_place(rows[i].format, rows[i].value, &config);
		cr_assert_eq(status, rows[i].status, "%s", rows[i].format);
		if (status == JP_OK)
			cr_assert_eq(config, rows[i].config, "%s: %lx", rows[i].format, config);
	}
}

/* One event for each core PMU: as sysfs describes it, else the kernel's generic number with the PMU's type above it. The
 * types are none that libpfm could know. */
Test(sense_pmu, events_of_each_core_pmu)
{
	static const struct {
		const char *pmu;
		enum jp_core_event event;
		uint32_t type;
		uint64_t config;
	} rows[] = {
		{"cpu_core", JP_CORE_CYCLES, 201, 0x3c},
		{"cpu_core", JP_CORE_REF_CYCLES, 201, 0x300},
		{"cpu_atom", JP_CORE_CYCLES, PERF_TYPE_HARDWARE, UINT64_C(202) << 32 | PERF_COUNT_HW_CPU_CYCLES},
		{"cpu_atom", JP_CORE_REF_CYCLES, PERF_TYPE_HARDWARE,
			UINT64_C(202) << 32 | PERF_COUNT_HW_REF_CPU_CYCLES},
	};
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_tree *tree;
	struct perf_event_attr attr = {0};
	tree_fixture_put(&f, DEVICES "/cpu_core/type", "201\n");
	tree_fixture_put(&f, DEVICES "/cpu_core/format/event", "config:0-7\n");
	tree_fixture_put(&f, DEVICES "/cpu_core/format/umask", "config:8-15\n");
	tree_fixture_put(&f, DEVICES "/cpu_core/events/cpu-cycles", "event=0x3c\n");
	tree_fixture_put(&f, DEVICES "/cpu_core/events/ref-cycles", "event=0x00,umask=0x03\n");
	tree_fixture_put(&f, DEVICES "/cpu_atom/type", "202\n");
	cr_assert_eq(jp_tree_open(f.root, &tree, NULL), JP_OK);
	struct jp_core_events *pfm = jp_core_events_begin();
	cr_assert_not_null(pfm);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_assert(jp_core_event(pfm, tree, rows[i].pmu, rows[i].event, &attr));
		cr_assert_eq(attr.type, rows[i].type, "row %zu", i);
		cr_assert_eq(attr.config, rows[i].config, "row %zu: %llx", i, (unsigned long long)attr.config);
	}
	cr_assert_not(jp_core_event(pfm, tree, "cpu", JP_CORE_CYCLES, &attr));
	jp_core_events_end(pfm);
	jp_tree_close(tree);
	tree_fixture_remove(&f);
}

/* The machine's own software counters stand in for hardware ones, which a virtual machine lacks. */
Test(sense_pmu, group_of_counters)
{
	struct jp_tree *machine;
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK};
	uint64_t first[2], second[2], more[3];
	cr_assert_eq(jp_tree_open("", &machine, NULL), JP_OK);
	int leader = jp_pmu_open(&attr, 0, -1);
	if (leader < 0) {
		struct jp_why why;
		cr_assert_eq(jp_pmu_why(machine, EACCES, "counters", &why), JP_DENIED);
		cr_skip("perf counters are closed here");
	}
	int other = jp_pmu_open(&attr, 0, leader);
	cr_assert_geq(other, 0);
	cr_assert(jp_pmu_read(leader, first, 2));
	do
		cr_assert(jp_pmu_read(leader, second, 2));
	while (second[0] == first[0] || second[1] == first[1]);
	cr_assert_gt(second[0], first[0]);
	cr_assert_not(jp_pmu_read(leader, more, 3));
	close(other);
	close(leader);
	jp_tree_close(machine);
}

Test(sense_pmu, refusal_names_the_remedy)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_tree *tree;
	struct jp_why why;
	tree_fixture_put(&f, "/proc/sys/kernel/perf_event_paranoid", "4\n");
	cr_assert_eq(jp_tree_open(f.root, &tree, NULL), JP_OK);
	cr_assert_eq(jp_pmu_why(tree, EACCES, "energy counters", &why), JP_DENIED);
	cr_assert_not_null(strstr(why.text, "perf_event_paranoid is 4"), "%s", why.text);
	cr_assert_not_null(strstr(why.text, "cap_perfmon+ep on the program (not with pw-jack)"), "%s", why.text);
	cr_assert_eq(jp_pmu_why(tree, ENOENT, "energy counters", &why), JP_UNSUPPORTED);
	jp_tree_close(tree);
	tree_fixture_remove(&f);
}

/* On whatever machine this runs: no crash, and a figure or a reason. */
Test(sense_machine, every_sensor_has_a_source_or_a_reason)
{
	struct jp_sense *s;
	struct jp_sensor_status status;
	struct jp_host host;
	struct jp_why why = {""};
	cr_assert_eq(jp_sense_open(&(struct jp_sense_config){0}, &s, &why), JP_OK, "%s", why.text);
	jp_sense_sample(s, 1000000000, NULL, &host);
	jp_sense_sample(s, 2000000000, NULL, &host);
	size_t n = 0;
	for (; jp_sense_status(s, n, &status); n++)
		cr_assert((status.source[0] != 0) == status.available && (status.reason[0] == 0) == status.available,
			"%s", status.sensor);
	cr_assert_eq(n, 7);
	if (!tree_fixture_status(s, "energy").available)
		cr_assert(isnan(host.power_w));
	jp_sense_close(s);
}
