/* Texts made of the option rows: --help, the manual's option sections, bash completion. */
#include "cli.h"
#include "manual.h"

#include <string.h>

enum { WIDTH = 80, COLUMN = 28 };

/* ", "-separated facts of a row that its help sentence does not hold: choices, range, default. */
static void facts(const struct jp_option *o, char *out, size_t size)
{
	size_t n = 0;
	out[0] = 0;
	for (size_t i = 0; o->type == JP_OPT_CHOICE && o->choices[i] && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s", i ? ", " : "one of ", o->choices[i]);
	if ((o->type == JP_OPT_INT || o->type == JP_OPT_REAL) && n < size)
		n += (size_t)snprintf(out + n, size - n, "%.15g to %.15g%s%s", o->min, o->max, o->unit ? " " : "",
			o->unit ? o->unit : "");
	if (o->def && n < size)
		snprintf(out + n, size - n, "%sdefault %s", n ? "; " : "", o->def);
}

/* Words of the text from column `at` on, wrapped, following lines indented as far. */
static void wrap(FILE *out, const char *text, size_t at)
{
	bool first = true;
	size_t indent = at;
	while (*text) {
		size_t n = strcspn(text, " ");
		if (!first && at + 1 + n > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
			first = true;
		}
		fprintf(out, "%s%.*s", first ? "" : " ", (int)n, text);
		at += n + !first;
		first = false;
		text += n + (text[n] == ' ');
	}
	fputc('\n', out);
}

static void help_row(const struct jp_option *o, FILE *out)
{
	char left[64], fact[160], right[1024];
	char letter[8] = "";
	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->arg ? " " : "", o->arg ? o->arg : "");
	facts(o, fact, sizeof fact);
	snprintf(right, sizeof right, "%s%s%s%s", o->help, *fact ? " (" : "", fact, *fact ? ")" : "");
	if (strlen(left) + 2 > COLUMN)
		fprintf(out, "%s\n%*s", left, COLUMN, "");
	else
		fprintf(out, "%-*s", COLUMN, left);
	wrap(out, right, COLUMN);
}

static void options(const struct jp_command *command, FILE *out)
{
	for (size_t i = 0; i < command->n_options; i++)
		help_row(&command->options[i], out);
	fprintf(out, "  %-*sShow this help.\n", COLUMN - 2, "-h, --help");
	fprintf(out, "  %-*sShow the version.\n", COLUMN - 2, "--version");
}

void jp_cli_help(const struct jp_command *command, FILE *out)
{
	fprintf(out, "Usage: jackprobe %s\n\n", command->synopsis);
	wrap(out, command->about, 0);
	fputs("\nOptions:\n", out);
	options(command, out);
}

void jp_cli_overview(const struct jp_command *const *commands, size_t n, FILE *out)
{
	fputs("Usage: jackprobe [COMMAND] [options]\n\nCommands:\n", out);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "  %-*s", COLUMN - 2, commands[i]->name);
		wrap(out, commands[i]->about, COLUMN);
	}
	fprintf(out, "  %-*sShow the options of a command.\n", COLUMN - 2, "help COMMAND");
	fprintf(out, "\nOptions of %s, which is meant when no command is named:\n", commands[0]->name);
	options(commands[0], out);
}

static void man_row(const struct jp_option *o, FILE *out)
{
	char fact[160];
	fputs(".TP\n", out);
	if (o->letter)
		fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
	fputs("\\fB\\-\\-", out);
	jp_manual_text(out, o->name);
	fputs("\\fR", out);
	if (o->arg) {
		fputs(" \\fI", out);
		jp_manual_text(out, o->arg);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	jp_manual_text(out, o->help);
	facts(o, fact, sizeof fact);
	if (*fact) {
		fputs("\n(", out);
		jp_manual_text(out, fact);
		fputc(')', out);
	}
	fputc('\n', out);
}

void jp_cli_man(const struct jp_command *command, FILE *out)
{
	for (size_t i = 0; i < command->n_options; i++)
		man_row(&command->options[i], out);
}
