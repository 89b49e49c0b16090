/* Which looks at the slots prove something. */
#include "collect/look_times.h"

#include <criterion/criterion.h>
#include <jackprobe/cycle.h>

enum { US = 1000 };

Test(look_times, a_look_proves_something_when_it_is_over)
{
	struct jp_look_times t = {.n = 0};
	cr_assert_eq(jp_look_times_before(&t, 5000 * US, false), JP_NS_UNKNOWN);
	jp_look_times_put(&t, 1000 * US);
	jp_look_times_put(&t, 1040 * US);
	jp_look_times_put(&t, 1040 * US);
	cr_expect_eq(jp_look_times_before(&t, 1040 * US, false), JP_NS_UNKNOWN);
	cr_expect_eq(jp_look_times_before(&t, 1090 * US, false), 1000 * US);
	cr_expect_eq(jp_look_times_before(&t, 1091 * US, false), 1040 * US);
	cr_expect_eq(jp_look_times_before(&t, 1091 * US, true), JP_NS_UNKNOWN, "none was at late ones");
}

Test(look_times, an_interrupted_one_proves_nothing)
{
	struct jp_look_times t = {.n = 0};
	jp_look_times_late(&t, 1000 * US);
	jp_look_times_slow(&t, 1200 * US);
	jp_look_times_put(&t, 1100 * US);
	jp_look_times_late(&t, 1200 * US);
	jp_look_times_put(&t, 1300 * US);
	cr_expect_eq(jp_look_times_before(&t, 1280 * US, false), 1100 * US);
	cr_expect_eq(jp_look_times_before(&t, 1400 * US, false), 1300 * US);
	cr_expect_eq(jp_look_times_before(&t, 1400 * US, true), 1000 * US);
}

Test(look_times, what_is_long_ago_is_forgotten)
{
	struct jp_look_times t = {.n = 0};
	jp_look_times_late(&t, 1000 * US);
	for (int i = 1; i < JP_LOOK_TIMES; i++)
		jp_look_times_put(&t, (1000 + i) * US);
	cr_expect_eq(jp_look_times_before(&t, 5000 * US, true), 1000 * US);
	jp_look_times_put(&t, 2000 * US);
	cr_expect_eq(jp_look_times_before(&t, 5000 * US, true), JP_NS_UNKNOWN);
	cr_expect_eq(jp_look_times_before(&t, 5000 * US, false), 2000 * US);
}
