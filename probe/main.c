/* jackprobe: dispatch only. */
#include "cmd/commands.h"
#include "sys/say.h"
#include "sys/secure.h"

#include <errno.h>
#include <jack/jack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma weak jack_get_version_string

enum { EXIT_RUNTIME = 1, EXIT_USAGE = 2 };

static int usage_error(const struct jp_command *command, const char *text)
{
	bool first = command == jp_commands[0];
	jp_say("%s; see jackprobe%s%s --help", text, first ? "" : " ", first ? "" : command->name);
	return EXIT_USAGE;
}

/* @return exit status of what was printed. */
static int printed(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_SUCCESS;
	jp_say("cannot write to standard output: %s", strerror(errno));
	return EXIT_RUNTIME;
}

/* `jackprobe help [COMMAND]`, `jackprobe --help`. */
static int help(int argc, char **argv)
{
	struct jp_why why;
	const struct jp_command *command = argc > 0 ? jp_command_find(argv[0]) : NULL;
	if (command)
		jp_cli_help(command, stdout);
	else if (argc > 0) {
		jp_why_set(&why, JP_BAD_ARG, "there is no command '%.40s' to help with", argv[0]);
		return usage_error(jp_commands[0], why.text);
	} else
		jp_cli_overview(jp_commands, jp_n_commands, stdout);
	return printed();
}

/* argv[argc - 1] is there also without words: it is what names the program or the command then. */
static int run(const struct jp_command *command, int argc, char **argv)
{
	struct jp_why why = {""};
	if (jp_cli_wants_help(argc, argv))
		return help(1, (char *[]){(char *)command->name});
	if (jp_cli_wants_version(argc, argv)) {
		printf("jackprobe %s\n", JP_VERSION);
		return printed();
	}
	const char *libjack = jack_get_version_string ? jack_get_version_string() : NULL;
	if (jp_secure_check(argv[argc - 1], libjack, &why) != JP_OK) {
		jp_say("%s", why.text);
		return EXIT_RUNTIME;
	}
	void *config = calloc(1, command->config_size);
	if (!config) {
		jp_say("out of memory");
		return EXIT_RUNTIME;
	}
	bool parsed = jp_cli_parse(command, argc, argv, config, &why) == JP_OK;
	int status = parsed ? command->run(config) : usage_error(command, why.text);
	free(config);
	return status;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return help(0, NULL);
	if (strcmp(word, "help") == 0)
		return help(argc - 2, argv + 2);
	const struct jp_command *command = jp_command_find(word);
	if (command)
		return run(command, argc - 2, argv + 2);
	if (*word && *word != '-') {
		struct jp_why why;
		jp_why_set(&why, JP_BAD_ARG, "there is no command '%.40s'", word);
		return usage_error(jp_commands[0], why.text);
	}
	return run(jp_commands[0], argc - 1, argv + 1);
}
