/* bash completion, made of the option rows. */
#include "cli.h"

#include <string.h>

static void words_of_options(const struct jp_command *command, FILE *out)
{
	for (size_t i = 0; i < command->n_options; i++)
		fprintf(out, "--%s ", command->options[i].name);
	fputs("--help --version", out);
}

/* "command--option) words" for every option with choices. */
static void choices(const struct jp_command *command, FILE *out)
{
	for (size_t i = 0; i < command->n_options; i++) {
		const struct jp_option *o = &command->options[i];
		if (o->type != JP_OPT_CHOICE)
			continue;
		fprintf(out, "\t%s--%s) words='", command->name, o->name);
		for (size_t c = 0; o->choices[c]; c++)
			fprintf(out, "%s%s", c ? " " : "", o->choices[c]);
		fputs("' ;;\n", out);
	}
}

/* "command--option" of all options whose value is free text: nothing of ours to offer, file names come from bash. */
static void free_values(const struct jp_command *command, FILE *out)
{
	for (size_t i = 0; i < command->n_options; i++) {
		const struct jp_option *o = &command->options[i];
		if (o->type != JP_OPT_CHOICE && o->type != JP_OPT_FLAG)
			fprintf(out, "\t%s--%s) return ;;\n", command->name, o->name);
	}
}

void jp_cli_completion(const struct jp_command *const *commands, size_t n, FILE *out)
{
	fputs("# bash completion of jackprobe\n"
	      "_jackprobe() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words=\n"
	      "\tcase ${COMP_WORDS[1]} in\n",
		out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "\t%s) command=%s ;;\n", commands[i]->name, commands[i]->name);
	fprintf(out, "\t*) command=%s ;;\n\tesac\n\tcase $command in\n", commands[0]->name);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "\t%s) words='", commands[i]->name);
		words_of_options(commands[i], out);
		fputs("' ;;\n", out);
	}
	fputs("\tesac\n\tif [ \"$COMP_CWORD\" -eq 1 ]; then words=\"$words", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, " %s", commands[i]->name);
	fputs(" help\"; fi\n\tcase $command$prev in\n", out);
	for (size_t i = 0; i < n; i++) {
		choices(commands[i], out);
		free_values(commands[i], out);
	}
	fputs("\tesac\n"
	      "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	      "}\n"
	      "complete -o default -F _jackprobe jackprobe\n",
		out);
}
