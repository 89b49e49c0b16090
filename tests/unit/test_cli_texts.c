/* Help, manual, completion and README against the rows they are made of or speak of. */
#include "cli/manual.h"
#include "cmd/commands.h"
#include "sink/columns.h"
#include "support/scratch.h"

#include <jackprobe/event.h>
#include <jackprobe/osc_schema.h>

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

TestSuite(cli_texts, .init = jp_scratch_make, .fini = jp_scratch_remove);

static char text[256 * 1024];

static FILE *into_text(void)
{
	memset(text, 0, sizeof text);
	return fmemopen(text, sizeof text - 1, "w");
}

static const char *help_of(const struct jp_command *command)
{
	FILE *out = into_text();
	jp_cli_help(command, out);
	fclose(out);
	return text;
}

/* The manual without roff's escapes: "\-" is "-", "\fB" and "\&" nothing. */
static const char *manual_text(void)
{
	const struct jp_manual manual = {jp_commands, jp_n_commands, "9.8.7"};
	struct jp_why why = {""};
	FILE *in = fopen("probe/cli/jackprobe.1.in", "r"), *out = into_text();
	cr_assert_not_null(in);
	cr_assert_eq(jp_manual_write(&manual, in, out, &why), JP_OK, "%s", why.text);
	fclose(in);
	fclose(out);
	char *to = text;
	for (const char *from = text; *from; from++) {
		if (from[0] == '\\' && from[1] == 'f')
			from += 2;
		else if (from[0] == '\\' && from[1] == '&')
			from++;
		else if (from[0] != '\\')
			*to++ = *from;
	}
	*to = 0;
	return text;
}

/* Does the word stand in the text, not as a part of a longer one? */
static bool has_word(const char *in, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = in; (at = strstr(at, word)); at++) {
		bool before = at > in && (isalnum(at[-1]) || at[-1] == '_' || at[-1] == '-' || at[-1] == '/');
		bool after = isalnum(at[n]) || at[n] == '_' || (at[n] == '-' && isalnum(at[n + 1]));
		if (!before && !after)
			return true;
	}
	return false;
}

static bool is_option(const char *name)
{
	if (strcmp(name, "help") == 0 || strcmp(name, "version") == 0)
		return true;
	for (size_t c = 0; c < jp_n_commands; c++)
		for (size_t i = 0; i < jp_commands[c]->n_options; i++)
			if (strcmp(jp_commands[c]->options[i].name, name) == 0)
				return true;
	return false;
}

/* Every "--word" of the text is an option of ours. */
static void check_no_other_options(const char *in, const char *where)
{
	for (const char *at = in; (at = strstr(at, "--")); at += 2) {
		char name[48] = "";
		size_t n = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");
		snprintf(name, sizeof name, "%.*s", (int)n, at + 2);
		cr_expect(n == 0 || strcmp(name, "name") == 0 || is_option(name), "%s speaks of --%s", where, name);
	}
}

static void check_all_options(const char *in, const struct jp_command *command, const char *where)
{
	char word[64];
	for (size_t i = 0; i < command->n_options; i++) {
		snprintf(word, sizeof word, "--%s", command->options[i].name);
		cr_expect(has_word(in, word), "%s does not know %s", where, word);
	}
}

Test(cli_texts, help_and_manual_know_every_option_and_no_other)
{
	for (size_t c = 0; c < jp_n_commands; c++) {
		check_all_options(help_of(jp_commands[c]), jp_commands[c], "--help");
		check_no_other_options(text, "--help");
	}
	for (size_t c = 0; c < jp_n_commands; c++)
		check_all_options(manual_text(), jp_commands[c], "the manual");
	check_no_other_options(text, "the manual");
}

/* One that is made of names alone would be useless: each has an own sentence and, if it takes a value, a name for it. */
Test(cli_texts, rows_are_complete_and_distinct)
{
	for (size_t c = 0; c < jp_n_commands; c++)
		for (size_t i = 0; i < jp_commands[c]->n_options; i++) {
			const struct jp_option *o = &jp_commands[c]->options[i];
			cr_expect(o->help && o->help[strlen(o->help) - 1] == '.', "--%s has no sentence", o->name);
			cr_expect_eq(o->type == JP_OPT_FLAG, o->arg == NULL, "--%s", o->name);
			cr_expect_eq(o->type == JP_OPT_CHOICE, o->choices != NULL, "--%s", o->name);
			for (size_t j = 0; j < i; j++)
				cr_expect_str_neq(o->name, jp_commands[c]->options[j].name);
		}
}

Test(cli_texts, readme_speaks_of_our_options_only)
{
	const char *readme = jp_scratch_read("README.md");
	cr_assert_not_null(readme);
	for (const char *at = readme; (at = strstr(at, "jackprobe ")); at += 10) {
		char line[512];
		snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n`|#&"), at);
		check_no_other_options(line, "README.md");
	}
}

Test(cli_texts, readme_knows_every_option_of_watch_and_every_address)
{
	const char *readme = jp_scratch_read("README.md");
	cr_assert_not_null(readme);
	check_all_options(readme, &jp_watch_command, "README.md");
	for (size_t i = 0; i < jp_osc_n_values; i++) {
		char address[80];
		snprintf(address, sizeof address, "`%s`", jp_osc_values[i].address);
		cr_expect(strstr(readme, address), "README.md does not know %s", address);
	}
	for (size_t i = 0; i < jp_osc_n_messages; i++)
		cr_expect(has_word(readme, jp_osc_messages[i].address), "%s", jp_osc_messages[i].address);
}

Test(cli_texts, help_fits_eighty_columns)
{
	for (size_t c = 0; c < jp_n_commands; c++)
		for (const char *at = help_of(jp_commands[c]); *at; at += strcspn(at, "\n") + 1)
			cr_expect_leq(strcspn(at, "\n"), 80, "%.*s", (int)strcspn(at, "\n"), at);
}

Test(cli_texts, manual_explains_every_column_and_address)
{
	const char *manual = manual_text();
	for (size_t i = 0; i < jp_n_columns; i++)
		cr_expect(has_word(manual, jp_columns[i].name), "column %s", jp_columns[i].name);
	for (size_t i = 0; i < jp_osc_n_values; i++)
		cr_expect(has_word(manual, jp_osc_values[i].address), "%s", jp_osc_values[i].address);
	for (size_t i = 0; i < jp_osc_n_messages; i++)
		cr_expect(has_word(manual, jp_osc_messages[i].address), "%s", jp_osc_messages[i].address);
	for (int i = 0; i < JP_EVENT_TYPES; i++)
		cr_expect(has_word(manual, jp_event_type_text((enum jp_event_type)i)), "event %d", i);
	cr_expect(strstr(manual, "jackprobe 9.8.7"));
	cr_expect_null(strstr(manual, "\n@"));
}

Test(cli_texts, a_place_that_nothing_goes_into_is_told)
{
	static const char *const cases[][2] = {
		{"x\n@NOTHING\n", "line 2 of the manual's template: nothing goes into @NOTHING"},
		{"@OPTIONS nosuch\n", "line 1 of the manual's template: nothing goes into @OPTIONS"},
		{"@\n", "line 1 of the manual's template: nothing goes into @"},
	};
	const struct jp_manual manual = {jp_commands, jp_n_commands, "1"};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct jp_why why = {""};
		FILE *in = fmemopen((void *)cases[i][0], strlen(cases[i][0]), "r"), *out = into_text();
		cr_expect_eq(jp_manual_write(&manual, in, out, &why), JP_BAD_DATA);
		cr_expect_str_eq(why.text, cases[i][1]);
		fclose(in);
		fclose(out);
	}
}

Test(cli_texts, roff_takes_nothing_for_its_own)
{
	FILE *out = into_text();
	jp_manual_text(out, ".a -b \\c 'd");
	fclose(out);
	cr_assert_str_eq(text, "\\&.a \\-b \\ec \\&'d");
}

/* What bash offers for the words; the last one is completed. */
static const char *offers(const char *words)
{
	static char line[2048];
	char command[1024];
	snprintf(command, sizeof command,
		"bash --norc -c '. %s; w=(jackprobe %s); COMP_WORDS=(\"${w[@]}\"); COMP_CWORD=$((${#w[@]}-1)); "
		"_jackprobe; echo \"${COMPREPLY[*]}\"'",
		jp_scratch_path("completion"), words);
	FILE *bash = popen(command, "r");
	cr_assert_not_null(bash);
	line[0] = 0;
	cr_assert_not_null(fgets(line, sizeof line, bash));
	cr_assert_eq(pclose(bash), 0);
	line[strcspn(line, "\n")] = 0;
	return line;
}

Test(cli_texts, completion_offers_commands_options_and_choices)
{
	FILE *out = into_text();
	jp_cli_completion(jp_commands, jp_n_commands, out);
	fclose(out);
	jp_scratch_write(jp_scratch_path("completion"), text);
	cr_expect_str_eq(offers("--wire \"\""), "auto once none");
	cr_expect_str_eq(offers("watch --insert h"), "head-tail head");
	cr_expect_str_eq(offers("--max"), "--max-overruns --max-p99");
	cr_expect_str_eq(offers("load --spike"), "--spike --spike-client");
	cr_expect_str_eq(offers("w"), "watch");
	cr_expect_str_eq(offers("--log \"\""), "");
}
