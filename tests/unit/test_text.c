/* Numbers, times and quoting without the locale. */
#include "sys/text.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The text so far, as a string. */
static const char *string_of(struct jp_text *t)
{
	jp_text_char(t, '\0');
	cr_assert_not(t->failed);
	return t->at;
}

Test(text, reals)
{
	static const struct {
		double value;
		int decimals;
		const char *text; /* "" = unknown, nothing written */
	} cases[] = {
		{0, 3, "0.000"},
		{-0.0, 3, "0.000"},
		{-0.0004, 3, "0.000"},
		{-0.0005, 3, "-0.001"},
		{0.0005, 3, "0.001"},
		{1.0004, 3, "1.000"},
		{0.9996, 3, "1.000"},
		{-1177622016.25, 1, "-1177622016.3"},
		{2666.667, 3, "2666.667"},
		{49.5, 0, "50"},
		{2e9, 0, "2000000000"},
		{1.5, 9, "1.500000000"},
		{8999999999999999.0, 3, "8999999999999999.000"},
		{4e18, 3, "4000000000000000000.000"},
		{9e18, 3, ""},
		{NAN, 3, ""},
		{INFINITY, 3, ""},
		{-INFINITY, 0, ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct jp_text t = {0};
		cr_expect_eq(jp_text_real(&t, cases[i].value, cases[i].decimals), cases[i].text[0] != 0);
		cr_expect_str_eq(string_of(&t), cases[i].text);
		jp_text_free(&t);
	}
}

/* Every whole nanosecond of a us value survives. */
Test(text, microseconds_keep_each_nanosecond)
{
	for (int64_t ns = 1; ns < INT64_C(60000000000); ns = ns * 3 + 7) {
		struct jp_text t = {0};
		char expected[40];
		snprintf(expected, sizeof expected, "%" PRId64 ".%03" PRId64, ns / 1000, ns % 1000);
		jp_text_real(&t, (double)ns / 1000, 3);
		cr_expect_str_eq(string_of(&t), expected);
		jp_text_free(&t);
	}
}

Test(text, integers_up_to_their_ends)
{
	static const struct {
		int64_t value;
		const char *text;
	} cases[] = {{0, "0"}, {-1, "-1"}, {10, "10"}, {INT64_MAX, "9223372036854775807"},
		{INT64_MIN, "-9223372036854775808"}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct jp_text t = {0};
		jp_text_int(&t, cases[i].value);
		cr_expect_str_eq(string_of(&t), cases[i].text);
		jp_text_free(&t);
	}
	char digits[JP_TEXT_DIGITS_MAX];
	cr_expect_eq(jp_text_digits(digits, UINT64_MAX), JP_TEXT_DIGITS_MAX);
	cr_expect_eq(memcmp(digits, "18446744073709551615", JP_TEXT_DIGITS_MAX), 0);
}

Test(text, times)
{
	static const struct {
		int64_t unix_ns;
		const char *text;
	} cases[] = {
		{0, "1970-01-01T00:00:00.000Z"},
		{999999, "1970-01-01T00:00:00.000Z"},
		{-1, "1969-12-31T23:59:59.999Z"},
		{INT64_C(1709210096789000000), "2024-02-29T12:34:56.789Z"},
		{INT64_C(4102444799999999999), "2099-12-31T23:59:59.999Z"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct jp_text t = {0};
		jp_text_time(&t, cases[i].unix_ns);
		cr_expect_str_eq(string_of(&t), cases[i].text);
		jp_text_free(&t);
	}
}

#define REPLACED "\xef\xbf\xbd"

/* Commas, quotes, braces, and what else a name may hold. */
Test(text, names)
{
	static const struct {
		const char *name, *csv, *json;
	} cases[] = {
		{"synth", "\"synth\"", "\"synth\""},
		{"My #1 {synth}*, \"x\"", "\"My #1 {synth}*, \"\"x\"\"\"", "\"My #1 {synth}*, \\\"x\\\"\""},
		{"a\nb\tc\x01\x1f\x7f", "\"a\nb\tc\x01\x1f\x7f\"", "\"a\\u000ab\\u0009c\\u0001\\u001f\x7f\""},
		{"C:\\x", "\"C:\\x\"", "\"C:\\\\x\""},
		{"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xb9", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xb9\"",
			"\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xb9\""},
		{"\xff", "\"" REPLACED "\"", "\"" REPLACED "\""},
		{"cut\xe2\x82", "\"cut" REPLACED REPLACED "\"", "\"cut" REPLACED REPLACED "\""},
		{"\xc3\"", "\"" REPLACED "\"\"\"", "\"" REPLACED "\\\"\""},
		{"\xc0\xaf", "\"" REPLACED REPLACED "\"", "\"" REPLACED REPLACED "\""},
		{"\xed\xa0\x80", "\"" REPLACED REPLACED REPLACED "\"", "\"" REPLACED REPLACED REPLACED "\""},
		{"\xf4\x90\x80\x80", "\"" REPLACED REPLACED REPLACED REPLACED "\"",
			"\"" REPLACED REPLACED REPLACED REPLACED "\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct jp_text csv = {0}, json = {0};
		jp_text_csv(&csv, cases[i].name);
		jp_text_json(&json, cases[i].name);
		cr_expect_str_eq(string_of(&csv), cases[i].csv, "case %zu", i);
		cr_expect_str_eq(string_of(&json), cases[i].json, "case %zu", i);
		jp_text_free(&csv);
		jp_text_free(&json);
	}
}
