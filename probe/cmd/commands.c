/* The table of sub-commands. */
#include "commands.h"

#include <string.h>

const struct jp_command *const jp_commands[] = {
	&jp_watch_command,
	&jp_load_command,
};
const size_t jp_n_commands = sizeof jp_commands / sizeof jp_commands[0];

const struct jp_command *jp_command_find(const char *name)
{
	for (size_t i = 0; i < jp_n_commands; i++)
		if (strcmp(jp_commands[i]->name, name) == 0)
			return jp_commands[i];
	return NULL;
}
