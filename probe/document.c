/* Used by the build: writes the manual page or the bash completion, from the tables that the program itself uses.
 * usage: document manual <TEMPLATE >PAGE | document completion >FILE */
#include "cli/manual.h"
#include "cmd/commands.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	const struct jp_manual manual = {jp_commands, jp_n_commands, JP_VERSION};
	struct jp_why why = {"wants one word: manual or completion"};
	enum jp_status status = JP_BAD_ARG;
	if (argc == 2 && strcmp(argv[1], "manual") == 0)
		status = jp_manual_write(&manual, stdin, stdout, &why);
	else if (argc == 2 && strcmp(argv[1], "completion") == 0) {
		jp_cli_completion(jp_commands, jp_n_commands, stdout);
		status = fflush(stdout) == 0 ? JP_OK : jp_why_set(&why, JP_IO, "cannot write");
	}
	if (status != JP_OK)
		fprintf(stderr, "document: %s\n", why.text);
	return status != JP_OK;
}
