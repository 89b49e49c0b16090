/* Text for people: what may not be trusted, widths, numbers. */
#include "sink/print.h"
#include "sys/utf8.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static char text[256];

static struct jp_print line(int columns, bool utf8)
{
	text[0] = 0;
	return (struct jp_print){.buf = text, .size = sizeof text, .utf8 = utf8, .columns = columns};
}

Test(print, one_character_of_text_that_may_be_anything)
{
	static const struct {
		const char *in;
		bool utf8;
		const char *shown;
		int columns;
		size_t bytes;
	} cases[] = {
		{"a", true, "a", 1, 1}, {"\xc3\xa9z", true, "\xc3\xa9", 1, 2}, {"\xc3\xa9z", false, "?", 1, 2},
		{"\x1b[2J", true, "\\x1b", 4, 1}, {"\n", false, "\\x0a", 4, 1}, {"\x7f", true, "\\x7f", 4, 1},
		{"\xc2\x9b", true, "\\x9b", 4, 2},            /* C1: CSI */
		{"\xe2\x80\xae", true, "\\u202e", 6, 3},      /* right-to-left override */
		{"\xe2\x80\x8b", false, "\\u200b", 6, 3},     /* zero width space */
		{"\xe6\x97\xa5", true, "\xe6\x97\xa5", 2, 3}, /* CJK */
		{"\xcc\x81", true, "\xcc\x81", 0, 2},         /* combining acute */
		{"\xf0\x9f\x98\x80", true, "\xf0\x9f\x98\x80", 2, 4}, {"\xff", true, "\\xff", 4, 1},
		{"\xc3", true, "\\xc3", 4, 1},             /* cut at the end */
		{"\xc0\xaf", true, "\\xc0", 4, 1},         /* overlong */
		{"\xe0\x80\xaf", true, "\\xe0", 4, 1},     /* overlong */
		{"\xed\xa0\x80", true, "\\xed", 4, 1},     /* surrogate */
		{"\xf4\x90\x80\x80", true, "\\xf4", 4, 1}, /* beyond U+10FFFF */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct jp_utf8 c = jp_utf8_next(cases[i].in, cases[i].utf8);
		cr_expect_str_eq(c.text, cases[i].shown, "case %zu: %s", i, c.text);
		cr_expect_eq(c.columns, cases[i].columns, "case %zu", i);
		cr_expect_eq(c.bytes, cases[i].bytes, "case %zu", i);
	}
}

Test(print, lines_are_cut_at_the_width_and_stay_cut)
{
	struct jp_print p = line(5, true);
	jp_print(&p, JP_PLAIN, "abcd\xe6\x97\xa5");
	jp_print(&p, JP_PLAIN, "e"); /* would fit, but not in its place */
	jp_print_end(&p);
	jp_print(&p, JP_PLAIN, "12345678");
	jp_print(&p, JP_PLAIN, "9");
	jp_print_end(&p);
	jp_print(&p, JP_PLAIN, "54321");
	cr_assert_str_eq(text, "abcd\u2026\n1234\u2026\n54321");
}

Test(print, the_mark_of_a_cut_replaces_a_wide_character)
{
	struct jp_print p = line(3, false);
	p.utf8 = true;
	jp_print(&p, JP_PLAIN,
		"a\xe6\x97\xa5"
		"b");
	cr_assert_str_eq(text, "a\u2026");
	p = line(1, false);
	jp_print(&p, JP_PLAIN, "12");
	cr_assert_str_eq(text, ">");
}

Test(print, tones_take_no_columns_and_end_behind_a_cut)
{
	struct jp_print p = line(4, true);
	p.color = true;
	jp_print(&p, JP_BAD, "abc");
	jp_print(&p, JP_DIM, "def");
	cr_assert_str_eq(text, "\033[1;31mabc\033[0m\033[2m\033[0m\u2026\033[0m");
}

Test(print, columns_are_filled_up)
{
	struct jp_print p = line(0, true);
	jp_print(&p, JP_PLAIN, "\xc3\xa9");
	jp_print_to(&p, 4);
	jp_print(&p, JP_PLAIN, "x");
	jp_print_to(&p, 2);
	cr_assert_str_eq(text, "\xc3\xa9   x");
}

Test(print, a_full_buffer_is_left_as_it_is)
{
	char small[8];
	struct jp_print p = {.buf = small, .size = sizeof small, .utf8 = true};
	jp_print(&p, JP_PLAIN, "1234567890");
	jp_print_end(&p);
	cr_assert_str_eq(small, "1234567");
	cr_assert_eq(p.len, 7);
}

Test(print, numbers)
{
	setlocale(LC_ALL, "de_DE.UTF-8");
	const struct {
		struct jp_num got;
		const char *want;
	} cases[] = {
		{jp_num(1234.56, 1), "1234.6"},
		{jp_num(-0.25, 1), "-0.3"},
		{jp_num(0, 2), "0.00"},
		{jp_num(-0.01, 1), "0.0"},
		{jp_num(2.5, 0), "3"},
		{jp_num(NAN, 1), "n/a"},
		{jp_num(INFINITY, 0), "n/a"},
		{jp_num(1e30, 1), "n/a"},
		{jp_num_us(99999.94), "99999.9"},
		{jp_num_us(123456.7), "123457"},
		{jp_num_count(0), "0"},
		{jp_num_count(-1), "n/a"},
		{jp_num_count(123456789), "123456789"},
		{jp_num_elapsed(83.9), "00:01:23"},
		{jp_num_elapsed(90061), "1d 01:01:01"},
		{jp_num_elapsed(NAN), "n/a"},
		{jp_num_utc(1767225600123456789, true), "2026-01-01T00:00:00.123Z"},
		{jp_num_utc(1767225599999999999, false), "2025-12-31T23:59:59Z"},
		{jp_num_utc(-1, true), "n/a"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		cr_expect_str_eq(cases[i].got.text, cases[i].want, "case %zu: %s", i, cases[i].got.text);
	cr_expect_str_eq(jp_num_covered(7, 8).text, "7/8");
	cr_expect_str_eq(jp_num_covered(-1, 8).text, "n/a"); /* there is no tail */
	cr_expect_str_eq(jp_num_covered(-1, -1).text, "n/a");
	cr_expect_str_eq(jp_num_ran(&(struct jp_ran){3, "P", 98.4}).text, "CPU 3 (P-core) 98 %");
	cr_expect_str_eq(jp_num_ran(&(struct jp_ran){1023, "", 100}).text, "CPU 1023 100 %");
	cr_expect_str_eq(jp_num_ran(&(struct jp_ran){-1, "", NAN}).text, "n/a");
	cr_expect_str_eq(jp_or_na(""), "n/a");
	cr_expect_str_eq(jp_or_na("x"), "x");
}

Test(print, percentiles_with_few_samples_are_marked)
{
	struct jp_dist few = {.n = 999}, enough = {.n = 1000}, none = {.n = 0};
	cr_expect_str_eq(jp_num_percentile(&few, 12.34, 99).text, "12.3~");
	cr_expect_str_eq(jp_num_percentile(&enough, 12.34, 99).text, "12.3");
	cr_expect_str_eq(jp_num_percentile(&enough, 12.34, 99.9).text, "12.3~");
	cr_expect_str_eq(jp_num_percentile(&none, NAN, 50).text, "n/a");
}
