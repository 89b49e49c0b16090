/* The summary for people. */
#include "sink/summary_text.h"
#include "support/golden.h"
#include "support/sample.h"

#include <criterion/criterion.h>
#include <string.h>

static char text[16384];

static const char *show(const struct jp_summary *summary)
{
	struct jp_print p = {.buf = text, .size = sizeof text, .utf8 = true};
	text[0] = 0;
	jp_summary_text(summary, &p);
	return text;
}

Test(summary_text, looks_as_it_should)
{
	struct jp_summary summary;
	jp_sample_summary(&summary);
	jp_golden("summary.txt", show(&summary));
}

Test(summary_text, unknown_is_not_zero)
{
	struct jp_summary summary;
	jp_sample_summary(&summary);
	jp_sample_stale(&summary.last);
	summary.threshold[0] = 0;
	summary.n_notes = 0;
	summary.osc_sent = summary.osc_dropped = summary.sink_errors = 0;
	jp_golden("summary-unknown.txt", show(&summary));
	cr_assert_null(strstr(text, "nan"));
	cr_assert_null(strstr(text, "-1"));
}

Test(summary_text, every_note_has_a_line)
{
	struct jp_summary summary;
	jp_sample_summary(&summary);
	memset(summary.note, 'x', sizeof summary.note);
	for (size_t i = 0; i < JP_NOTES_MAX; i++)
		summary.note[i][sizeof summary.note[i] - 1] = 0;
	summary.n_notes = JP_NOTES_MAX;
	size_t n = 0;
	for (const char *at = show(&summary); (at = strstr(at, "    xxx")); at++)
		n++;
	cr_assert_eq(n, JP_NOTES_MAX);
	cr_assert_eq(text[strlen(text) - 1], '\n');
}

Test(summary_text, notes_are_broken_between_words_and_fit_eighty_columns)
{
	struct jp_summary summary;
	jp_sample_summary(&summary);
	memset(summary.note, 0, sizeof summary.note);
	for (size_t i = 0; i < 50; i++)
		memcpy(summary.note[0] + 5 * i, "word ", 5);
	summary.n_notes = 1;
	size_t words = 0;
	for (const char *at = show(&summary); *at; at += strcspn(at, "\n") + 1) {
		cr_expect_leq(strcspn(at, "\n"), 80, "%.*s", (int)strcspn(at, "\n"), at);
		for (const char *w = at; (w = strstr(w, " word")) && w < at + strcspn(at, "\n"); w += 5)
			words++;
	}
	cr_assert_eq(words, 50);
}
