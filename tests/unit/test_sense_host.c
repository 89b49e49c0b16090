#include "sense/host.h"
#include "support/tree_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_stat(const struct tree_fixture *f, const char *cpu, unsigned irqs, unsigned switches)
{
	char text[512];
	snprintf(text, sizeof text, "cpu  %s\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr %u 9 0 0\nctxt %u\nbtime 1\n", cpu, irqs,
		switches);
	tree_fixture_put(f, "/proc/stat", text);
}

static struct jp_host sample_at(struct jp_sense *s, int64_t ns)
{
	struct jp_host host;
	jp_sense_sample(s, ns, NULL, &host);
	return host;
}

/* Steal counts in the total; guest time is in user already and counts once. */
Test(sense_host, shares_of_all_cpu_time)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	put_stat(&f, "1000 100 500 8000 40 10 20 30 900 0", 5000, 7000);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	struct jp_host host = sample_at(s, 1000000000);
	cr_assert(isnan(host.cpu_user_pct) && isnan(host.irq_per_s) && isnan(host.ctxt_per_s));
	put_stat(&f, "1040 110 520 8100 45 11 24 50 940 0", 6500, 10000);
	host = sample_at(s, 2500000000);
	cr_assert_float_eq(host.cpu_user_pct, 20, 1e-9);
	cr_assert_float_eq(host.cpu_nice_pct, 5, 1e-9);
	cr_assert_float_eq(host.cpu_system_pct, 10, 1e-9);
	cr_assert_float_eq(host.cpu_iowait_pct, 2.5, 1e-9);
	cr_assert_float_eq(host.cpu_irq_pct, 0.5, 1e-9);
	cr_assert_float_eq(host.cpu_softirq_pct, 2, 1e-9);
	cr_assert_float_eq(host.irq_per_s, 1000, 1e-9);
	cr_assert_float_eq(host.ctxt_per_s, 2000, 1e-9);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_host, what_goes_backwards)
{
	static const struct {
		struct jp_proc_stat after;
		double user, iowait, irqs;
	} rows[] = {
		/* iowait and idle do so by themselves */
		{{{110, 0, 0, 190, 5, 0, 0, 0}, 110, 100}, 100, 0, 10},
		{{{150, 0, 0, 190, 60, 0, 0, 0}, 110, 100}, 50, 50, 10},
		/* the others do not: nothing is known */
		{{{90, 0, 0, 300, 10, 0, 0, 0}, 110, 100}, NAN, NAN, 10},
		{{{110, 0, 0, 300, 10, 0, 0, 0}, 90, 100}, 100.0 * 10 / 110, 0, NAN},
		/* no time has passed */
		{{{100, 0, 0, 200, 10, 0, 0, 0}, 100, 100}, NAN, NAN, 0},
	};
	const struct jp_proc_stat before = {{100, 0, 0, 200, 10, 0, 0, 0}, 100, 100};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct jp_host host = {.cpu_user_pct = NAN, .cpu_iowait_pct = NAN, .irq_per_s = NAN};
		const double *want[] = {&rows[i].user, &rows[i].iowait, &rows[i].irqs};
		jp_proc_stat_rates(&before, &rows[i].after, 1000000000, &host);
		const double got[] = {host.cpu_user_pct, host.cpu_iowait_pct, host.irq_per_s};
		for (size_t k = 0; k < 3; k++)
			cr_assert(isnan(*want[k]) ? isnan(got[k]) : fabs(got[k] - *want[k]) < 1e-9,
				"row %zu: %g, not %g", i, got[k], *want[k]);
	}
}

Test(sense_host, malformed_text)
{
	static const char *const bad[] = {
		"",
		"garbage",
		"cpu  1 2 3\nintr 1\nctxt 1\n",
		"cpu  1 2 3 4 5 6 7 8 9 10\nintr 1 2 3\n",
		"cpu  1 2 3 4 5 6 7 8 9 10\nctxt 5\n",
		"cpu0 1 2 3 4 5 6 7 8 9 10\nintr 1 2\nctxt 5\n",
		"cpu  1 2 3 4 5 6 7 8 9 10\nintr 1 2\nctxt 5", /* cut: may be 51 */
		"cpu  1 2 3 99999999999999999999999 5 6 7 8\nintr 1\nctxt 5\n",
		"cpu  1 2 x 4 5 6 7 8\nintr 1\nctxt 5\n",
		"cpu  1 2 -3 4 5 6 7 8\nintr 1\nctxt 5\n",
	};
	struct jp_proc_stat stat;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_assert_eq(jp_proc_stat_parse(bad[i], &stat), JP_BAD_DATA, "%s", bad[i]);
	cr_assert_eq(jp_proc_stat_parse("cpu 1 2 3 4 5 6 7 8\nintr 11\nctxt 12\n", &stat), JP_OK);
	cr_assert_eq(stat.time[JP_CPU_STEAL], 8);
	cr_assert_eq(stat.irqs, 11);
	cr_assert_eq(stat.switches, 12);
}

/* The interrupt line of a machine with many CPUs is longer than any first guess. */
Test(sense_host, long_interrupt_line)
{
	enum { IRQS = 60000 };
	struct tree_fixture f = tree_fixture_new(NULL);
	char *text = malloc(IRQS * 2 + 200);
	for (unsigned round = 0; round < 2; round++) {
		int n = sprintf(text, "cpu  %u 0 0 100 0 0 0 0 0 0\nintr 777", round * 50);
		for (int i = 0; i < IRQS; i++)
			n += sprintf(text + n, " 0");
		sprintf(text + n, "\nctxt %u\n", 1000 + round * 10);
		tree_fixture_put(&f, "/proc/stat", text);
		if (round == 0) {
			struct jp_sense *s = tree_fixture_sense(&f, NULL);
			cr_assert(tree_fixture_status(s, "host").available);
			jp_sense_close(s);
		}
	}
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	sample_at(s, 1);
	tree_fixture_delete(&f, "/proc/stat");
	cr_assert(isnan(sample_at(s, 1000000001).ctxt_per_s));
	tree_fixture_put(&f, "/proc/stat", text);
	cr_assert(isnan(sample_at(s, 2000000001).ctxt_per_s));
	double rate = sample_at(s, 3000000001).ctxt_per_s;
	cr_assert_eq(rate, 0);
	free(text);
	jp_sense_close(s);
	tree_fixture_remove(&f);
}

Test(sense_host, no_proc_is_said)
{
	struct tree_fixture f = tree_fixture_new(NULL);
	struct jp_sense *s = tree_fixture_sense(&f, NULL);
	struct jp_sensor_status status = tree_fixture_status(s, "host");
	cr_assert_not(status.available);
	cr_assert_str_eq(status.reason, "/proc/stat: not there");
	jp_sense_close(s);
	tree_fixture_remove(&f);
}
