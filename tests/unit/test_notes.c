/* What the summary says of the unknown. */
#include "collect/figures.h"

#include <criterion/criterion.h>

static struct jp_summary summary;

Test(notes, nothing_is_said_of_looks_when_all_were_taken)
{
	jp_figures_note_missing(&summary, &(struct jp_ends_missing){.looks = 0, .executions = 7});
	cr_assert_eq(summary.n_notes, 0);
}

Test(notes, looks_left_out_are_told_with_their_number)
{
	jp_figures_note_missing(&summary, &(struct jp_ends_missing){.looks = 12, .executions = 7});
	cr_assert_eq(summary.n_notes, 1);
	cr_assert_str_eq(summary.note[0],
		"per-client times: 12 looks at the server's record were left out because the probe came too late to "
		"take them; of 7 executions the beginning or the end is not known");
}
