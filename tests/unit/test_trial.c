#include "graph/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>

Test(trial, verdicts)
{
	const struct {
		uint32_t head, tail; /* calls since it began */
		enum jp_verdict want;
	} rows[] = {
		{0, 0, JP_TRIAL_PENDING},
		{20, 0, JP_TRIAL_PENDING},
		{21, 0, JP_TRIAL_STARVED},
		{21, 2, JP_TRIAL_STARVED}, /* calls that were on their way */
		{21, 3, JP_TRIAL_FINE},
		{4, 3, JP_TRIAL_FINE},
		{0, 100, JP_TRIAL_FINE},
	};
	const uint32_t start = UINT32_MAX - 5; /* counters wrap */
	struct jp_trial trial = {.n = 0};
	cr_assert_eq(jp_trial_verdict(&trial, 1000, 0), JP_TRIAL_NONE);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		jp_trial_begin(&trial, start, start);
		jp_trial_add(&trial, "a:o", "T:audio");
		cr_expect_eq(jp_trial_verdict(&trial, start + rows[i].head, start + rows[i].tail), rows[i].want,
			"row %zu", i);
	}
}

Test(trial, a_batch_that_fails_is_tried_singly_and_then_the_one_is_shunned)
{
	struct jp_trial trial = {.n = 0};
	jp_trial_begin(&trial, 0, 0);
	jp_trial_add(&trial, "a:o", "T:audio");
	jp_trial_add(&trial, "b:o", "T:audio");
	jp_trial_failed(&trial, 1000);
	cr_assert(trial.singly);
	cr_assert_not(jp_trial_shuns(&trial, "a:o", "T:audio", 0));
	jp_trial_begin(&trial, 0, 0);
	jp_trial_add(&trial, "b:o", "T:audio");
	jp_trial_failed(&trial, 1000);
	cr_assert_not(jp_trial_shuns(&trial, "a:o", "T:audio", 999));
	cr_assert(jp_trial_shuns(&trial, "b:o", "T:audio", 999));
	cr_assert_not(jp_trial_shuns(&trial, "b:o", "T:midi", 999));
	cr_assert_not(jp_trial_shuns(&trial, "b:o", "T:audio", 1000), "for a while only");
}

Test(trial, the_oldest_make_room)
{
	struct jp_trial trial = {.n = 0};
	char name[16];
	for (int i = 0; i < JP_TRIAL_SHUNNED + 3; i++) {
		snprintf(name, sizeof name, "c%d:o", i);
		jp_trial_begin(&trial, 0, 0);
		jp_trial_add(&trial, name, "T:audio");
		jp_trial_failed(&trial, 1000);
	}
	cr_assert_eq(trial.n_shunned, JP_TRIAL_SHUNNED);
	cr_assert_not(jp_trial_shuns(&trial, "c2:o", "T:audio", 0));
	cr_assert(jp_trial_shuns(&trial, "c3:o", "T:audio", 0));
	cr_assert(jp_trial_shuns(&trial, name, "T:audio", 0));
}
