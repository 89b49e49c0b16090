/* The manual page, made of its template and the program's tables. */
#include "manual.h"

#include <jackprobe/osc_schema.h>
#include <stdlib.h>
#include <string.h>

void jp_manual_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else if (*text == '\'' || *text == '.')
			fprintf(out, "\\&%c", *text);
		else
			fputc(*text, out);
}

static void entry(FILE *out, const char *name, const char *extra, const char *about)
{
	fputs(".TP\n\\fB", out);
	jp_manual_text(out, name);
	fputs("\\fR", out);
	if (*extra) {
		fputs(" \\fI", out);
		jp_manual_text(out, extra);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	jp_manual_text(out, about);
	fputc('\n', out);
}

static enum jp_status title(const struct jp_manual *m, const char *word, FILE *out)
{
	(void)word;
	fprintf(out, ".TH JACKPROBE 1 \"\" \"jackprobe %s\" \"User Commands\"\n", m->version);
	return JP_OK;
}

static enum jp_status commands(const struct jp_manual *m, const char *word, FILE *out)
{
	(void)word;
	for (size_t i = 0; i < m->n_commands; i++)
		entry(out, m->commands[i]->name, "", m->commands[i]->about);
	return JP_OK;
}

static enum jp_status options(const struct jp_manual *m, const char *word, FILE *out)
{
	for (size_t i = 0; i < m->n_commands; i++)
		if (strcmp(m->commands[i]->name, word) == 0) {
			jp_cli_man(m->commands[i], out);
			return JP_OK;
		}
	return JP_BAD_DATA;
}

static const char *osc_type(enum jp_osc_kind kind)
{
	switch (kind) {
	case JP_OSC_REAL:
		return ",f";
	case JP_OSC_COUNT:
	case JP_OSC_INTEGER:
		return ",i";
	case JP_OSC_DECIMAL:
	case JP_OSC_STATE:
	case JP_OSC_WAKE:
	case JP_OSC_END:
		return ",s";
	}
	return "";
}

static enum jp_status osc_values(const struct jp_manual *m, const char *word, FILE *out)
{
	(void)m, (void)word;
	for (size_t i = 0; i < jp_osc_n_values; i++)
		entry(out, jp_osc_values[i].address, osc_type(jp_osc_values[i].kind), jp_osc_values[i].about);
	return JP_OK;
}

static enum jp_status osc_messages(const struct jp_manual *m, const char *word, FILE *out)
{
	(void)m, (void)word;
	for (size_t i = 0; i < jp_osc_n_messages; i++) {
		const struct jp_osc_message *msg = &jp_osc_messages[i];
		char arguments[256];
		snprintf(arguments, sizeof arguments, ",%s %s", msg->types, msg->arguments);
		entry(out, msg->address, arguments, msg->when);
	}
	return JP_OK;
}

static const struct {
	const char *name;
	enum jp_status (*write)(const struct jp_manual *m, const char *word, FILE *out);
} places[] = {
	{"@TITLE", title},
	{"@COMMANDS", commands},
	{"@OPTIONS", options},
	{"@OSC_VALUES", osc_values},
	{"@OSC_MESSAGES", osc_messages},
};

/* A line that begins with '@', without its end. */
static enum jp_status fill_place(const struct jp_manual *m, char *line, FILE *out)
{
	char *rest = NULL;
	const char *name = strtok_r(line, " ", &rest), *word = strtok_r(NULL, " ", &rest);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strcmp(places[i].name, name) == 0)
			return places[i].write(m, word ? word : "", out);
	return JP_BAD_DATA;
}

enum jp_status jp_manual_write(const struct jp_manual *manual, FILE *in, FILE *out, struct jp_why *why)
{
	char *line = NULL;
	size_t size = 0;
	enum jp_status status = JP_OK;
	for (int number = 1; status == JP_OK && getline(&line, &size, in) > 0; number++) {
		line[strcspn(line, "\n")] = 0;
		if (*line != '@')
			fprintf(out, "%s\n", line);
		else if (fill_place(manual, line, out) != JP_OK)
			status = jp_why_set(why, JP_BAD_DATA,
				"line %d of the manual's template: nothing goes into %.80s", number, line);
	}
	free(line);
	if (status == JP_OK && (ferror(in) || fflush(out) != 0 || ferror(out)))
		status = jp_why_set(why, JP_IO, "the manual cannot be read or written");
	return status;
}
