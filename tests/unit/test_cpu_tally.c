/* On which CPUs head and tail ran. */
#include "collect/cpu_tally.h"

#include <criterion/criterion.h>
#include <math.h>

static struct jp_cpu_tally tally;

static void run_on(enum jp_role role, int cpu, int calls)
{
	for (int i = 0; i < calls; i++)
		jp_cpu_tally_add(&tally, role, cpu);
}

static void expect(const char *about, const uint64_t *calls, int cpu, double pct)
{
	struct jp_ran ran = jp_cpu_tally_mostly(calls);
	cr_expect_eq(ran.cpu, cpu, "%s: on %d", about, ran.cpu);
	cr_expect(isnan(pct) ? isnan(ran.pct) : fabs(ran.pct - pct) < 1e-9, "%s: %g %%", about, ran.pct);
	cr_expect_str_eq(ran.type, "");
}

Test(cpu_tally, most_calls_decide_for_each_role)
{
	run_on(JP_HEAD, 3, 75);
	run_on(JP_HEAD, 1, 25);
	run_on(JP_TAIL, 3, 10);
	run_on(JP_TAIL, 1023, 30);
	run_on(JP_TAIL, -1, 1000); /* unknown */
	run_on(JP_TAIL, 1024, 1000);
	expect("head", tally.window[JP_HEAD], 3, 75);
	expect("tail", tally.window[JP_TAIL], 1023, 75);
	cr_expect_eq(jp_cpu_tally_both(&tally).n, 1024u);
	cr_expect_eq(jp_cpu_tally_both(&tally).calls[3], 85u);
}

Test(cpu_tally, a_window_is_forgotten_and_the_run_is_not)
{
	run_on(JP_HEAD, 2, 60);
	jp_cpu_tally_next_window(&tally);
	expect("nothing yet", tally.window[JP_HEAD], -1, NAN);
	run_on(JP_HEAD, 0, 40);
	expect("window", tally.window[JP_HEAD], 0, 100);
	expect("run", tally.run[JP_HEAD], 2, 60);
	expect("no tail", tally.run[JP_TAIL], -1, NAN);
	cr_expect_eq(jp_cpu_tally_both(&tally).calls[2], 0u);
}
