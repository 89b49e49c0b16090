/* The parser itself, with rows of its own. */
#include "cli/nearest.h"
#include "cli/value.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

struct conf {
	bool flag;
	int64_t count;
	double real;
	const char *text;
	int choice;
	struct jp_opt_list list;
};

static enum jp_status no_x(const char *value, struct jp_why *why)
{
	return strchr(value, 'x') ? jp_why_set(why, JP_BAD_ARG, "an x in '%s'", value) : JP_OK;
}

static const char *const colours[] = {"red", "green", NULL};
static const struct jp_option rows[] = {
	{.name = "flag", .letter = 'f', .type = JP_OPT_FLAG, .offset = offsetof(struct conf, flag), .help = "Flag."},
	{.name = "count",
		.letter = 'c',
		.type = JP_OPT_INT,
		.arg = "N",
		.min = -2,
		.max = 10,
		.offset = offsetof(struct conf, count),
		.help = "Count."},
	{.name = "real",
		.type = JP_OPT_REAL,
		.arg = "S",
		.unit = "s",
		.min = 0.5,
		.max = 2.25,
		.offset = offsetof(struct conf, real),
		.help = "Real."},
	{.name = "text",
		.type = JP_OPT_TEXT,
		.arg = "T",
		.offset = offsetof(struct conf, text),
		.check = no_x,
		.help = "Text."},
	{.name = "colour",
		.type = JP_OPT_CHOICE,
		.arg = "C",
		.choices = colours,
		.def = "green",
		.offset = offsetof(struct conf, choice),
		.help = "Colour."},
	{.name = "list",
		.type = JP_OPT_LIST,
		.arg = "L",
		.offset = offsetof(struct conf, list),
		.check = no_x,
		.help = "List."},
};
static const struct jp_command command = {.name = "try",
	.synopsis = "try",
	.about = "Try.",
	.options = rows,
	.n_options = 6,
	.config_size = sizeof(struct conf)};

/* Splits the line at blanks. */
static enum jp_status parse(const char *line, struct conf *conf, struct jp_why *why)
{
	static char words[1024];
	char *argv[40];
	int argc = 0;
	snprintf(words, sizeof words, "%s", line);
	for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	*why = (struct jp_why){""};
	return jp_cli_parse(&command, argc, argv, conf, why);
}

Test(cli_parse, nothing_given_means_defaults)
{
	struct conf c;
	struct jp_why why;
	memset(&c, 0x5a, sizeof c);
	cr_assert_eq(parse("", &c, &why), JP_OK);
	cr_assert(!c.flag && c.count == -1 && isnan(c.real) && !c.text && c.choice == 1 && c.list.n == 0);
}

Test(cli_parse, both_spellings_and_letters)
{
	struct conf c;
	struct jp_why why;
	cr_assert_eq(
		parse("--count 3 --real=0.5 -f --text a=b --colour=red --list one --list=two --", &c, &why), JP_OK);
	cr_assert(c.flag && c.count == 3 && c.real == 0.5 && c.choice == 0);
	cr_assert_str_eq(c.text, "a=b");
	cr_assert(c.list.n == 2 && strcmp(c.list.item[0], "one") == 0 && strcmp(c.list.item[1], "two") == 0);
	cr_assert_eq(parse("-c -2", &c, &why), JP_OK);
	cr_assert_eq(c.count, -2);
	cr_assert_eq(parse("-c7 --text -", &c, &why), JP_OK);
	cr_assert_eq(c.count, 7);
	cr_assert_str_eq(c.text, "-");
}

Test(cli_parse, refusals_say_what_and_why)
{
	static const char *const cases[][2] = {
		{"--count 11", "--count wants a whole number from -2 to 10, not '11'"},
		{"--count -3", "--count wants a whole number from -2 to 10, not '-3'"},
		{"--count 1.0", "--count wants a whole number from -2 to 10, not '1.0'"},
		{"--real 2.26", "--real wants a number of seconds from 0.5 to 2.25, not '2.26'"},
		{"--real=", "--real wants a number of seconds from 0.5 to 2.25, not ''"},
		{"--real", "--real wants a number of seconds from 0.5 to 2.25, but nothing follows it"},
		{"--real --flag", "--real wants a number of seconds from 0.5 to 2.25, but nothing follows it"},
		{"--colour blue", "--colour wants one of red, green, not 'blue'"},
		{"--text=", "--text wants a value (T), not ''"},
		{"--text axe", "--text: an x in 'axe'"},
		{"--list ok --list axe", "--list: an x in 'axe'"},
		{"--flag=1", "--flag takes no value"},
		{"--flag -f", "--flag is given twice; give it once"},
		{"--real 1 --real 1", "--real is given twice; give it once"},
		{"--colr red", "there is no option '--colr'; did you mean --colour"},
		{"--cuont=1", "there is no option '--cuont=1'; did you mean --count"},
		{"--re 1", "there is no option '--re'; did you mean --real"},
		{"--zzzzzz", "there is no option '--zzzzzz'"},
		{"-z", "there is no option '-z'"},
		{"stray", "try takes no word like 'stray': options begin with --"},
		{"-f -- --real", "try takes no word like '--real': options begin with --"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct conf c;
		struct jp_why why;
		cr_expect_eq(parse(cases[i][0], &c, &why), JP_BAD_ARG, "%s", cases[i][0]);
		cr_expect_str_eq(why.text, cases[i][1]);
	}
}

Test(cli_parse, list_takes_as_many_as_it_has_room_for)
{
	char line[400] = "";
	struct conf c;
	struct jp_why why;
	for (int i = 0; i < JP_OPT_LIST_MAX; i++)
		strcat(line, " --list a");
	cr_assert_eq(parse(line, &c, &why), JP_OK);
	cr_assert_eq(c.list.n, JP_OPT_LIST_MAX);
	strcat(line, " --list a");
	cr_assert_eq(parse(line, &c, &why), JP_BAD_ARG);
	cr_assert_str_eq(why.text, "--list can be given at most 16 times");
}

Test(cli_parse, numbers_are_plain_decimals_in_any_locale)
{
	static const char *const good[] = {"1", "1.5", ".5", "2.", "+1", "-1", "007"};
	static const double values[] = {1, 1.5, 0.5, 2, 1, -1, 7};
	static const char *const bad[] = {
		"", ".", "-", "1,5", "1x", " 1", "1 ", "nan", "inf", "-inf", "0x10", "1e3", "--1", "1.2.3"};
	double v;
	setlocale(LC_ALL, "de_DE.UTF-8"); /* present or not: the result is the same */
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		cr_expect(jp_value_number(good[i], &v), "%s", good[i]);
		cr_expect_eq(v, values[i], "%s", good[i]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_expect_not(jp_value_number(bad[i], &v), "'%s'", bad[i]);
	char huge[400];
	memset(huge, '9', sizeof huge - 1);
	huge[sizeof huge - 1] = 0;
	cr_expect_not(jp_value_number(huge, &v));
}

Test(cli_parse, quoted_values_are_cut_and_harmless)
{
	char longer[200];
	memset(longer, 'a', sizeof longer - 1);
	longer[sizeof longer - 1] = 0;
	memcpy(longer + 73, "\xc3\xa4", 2); /* the cut would go through it */
	struct jp_quote q = jp_quote(longer);
	cr_assert_eq(strlen(q.text), 1 + 73 + strlen("'..."));
	cr_assert_str_eq(q.text + 70, "aaaa'...");
	cr_assert_str_eq(jp_quote("a\x1b[2J\n-\x7f").text, "'a?[2J?-?'");
	cr_assert_str_eq(jp_quote("").text, "''");
}

Test(cli_parse, help_is_wanted_before_the_double_dash_only)
{
	cr_assert(jp_cli_wants_help(2, (char *[]){(char *)"--flag", (char *)"-h"}));
	cr_assert(jp_cli_wants_help(1, (char *[]){(char *)"--help"}));
	cr_assert_not(jp_cli_wants_help(2, (char *[]){(char *)"--", (char *)"--help"}));
	cr_assert_not(jp_cli_wants_help(0, NULL));
	cr_assert(jp_cli_wants_version(2, (char *[]){(char *)"--flag", (char *)"--version"}));
	cr_assert_not(jp_cli_wants_version(2, (char *[]){(char *)"--", (char *)"--version"}));
}

Test(cli_parse, edit_distance)
{
	cr_assert_eq(jp_nearest_distance("kitten", "sitting"), 3);
	cr_assert_eq(jp_nearest_distance("cuont", "count"), 1);
	cr_assert_eq(jp_nearest_distance("", "abc"), 3);
	cr_assert_eq(jp_nearest_distance("abc", ""), 3);
	cr_assert_eq(jp_nearest_distance("same", "same"), 0);
}
