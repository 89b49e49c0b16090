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

Test(notes, why_an_end_is_not_known)
{
	static const struct {
		uint64_t n;
		const char *server;
		bool tail;
		const char *text;
	} rows[] = {
		{3, "jackd2 1.9.21", true,
			"cycle end: of 3 cycles the end is not known (a client that the tail does not wait for ran "
			"again, or "
			"left, before anybody looked): they are in no distribution, nor are overruns among them "
			"counted"},
		{1, "jackd2 1.9.21", false,
			"cycle end: of 1 cycle the end is not known (a client ran again, or left, before anybody "
			"looked): it is "
			"in no distribution, nor is it counted if it was an overrun"},
		{2, "PipeWire 0.3.65", true,
			"cycle end: of 2 cycles the end is not known (PipeWire ran a client or the tail once for two "
			"cycles, or "
			"did not report one): they are in no distribution, nor are overruns among them counted"},
	};
	jp_figures_note_endless(&summary, 0, "", true);
	cr_assert_eq(summary.n_notes, 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		jp_figures_note_endless(&summary, rows[i].n, rows[i].server, rows[i].tail);
		cr_assert_eq(summary.n_notes, i + 1);
		cr_expect_str_eq(summary.note[i], rows[i].text);
	}
}
