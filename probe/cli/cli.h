/** @file cli.h
 * Options as rows of data: parsing, --help, the manual's option section and the completion all come from the same
 * row. Cross-checks between options come after parsing, in each command's own check function. */
#ifndef JP_CLI_H
#define JP_CLI_H

#include <jackprobe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum jp_opt_type {
	JP_OPT_FLAG,   /**< bool member; no value */
	JP_OPT_INT,    /**< int64_t member */
	JP_OPT_REAL,   /**< double member */
	JP_OPT_TEXT,   /**< const char * member, points into argv */
	JP_OPT_CHOICE, /**< int member: index into choices */
	JP_OPT_LIST,   /**< struct jp_opt_list member: repeatable text */
};

enum { JP_OPT_LIST_MAX = 16 };
struct jp_opt_list {
	const char *item[JP_OPT_LIST_MAX];
	size_t n;
};

struct jp_option {
	const char *name; /**< "interval" (without "--") */
	char letter;      /**< short form or 0 */
	enum jp_opt_type type;
	const char *arg;  /**< placeholder: "S", "HOST:PORT"; NULL for flags */
	const char *unit; /**< "s", "us", "Hz", "frames"; NULL = none */
	double min, max;  /**< range of INT and REAL, both allowed */
	const char
		*def; /**< default as text, parsed like a value; NULL = none: INT -1, REAL NaN, TEXT NULL, flag false */
	const char *const *choices; /**< CHOICE: NULL-terminated */
	size_t offset;              /**< of the member in the command's config struct */
	enum jp_status (*check)(
		const char *value, struct jp_why *why); /**< further check of a TEXT or LIST value, or NULL */
	const char *help;                               /**< one or two sentences */
};

struct jp_command {
	const char *name;     /**< "watch" */
	const char *synopsis; /**< "[watch] [options]" */
	const char *about;    /**< a sentence */
	const struct jp_option *options;
	size_t n_options;
	size_t config_size; /**< bytes of the command's config struct; main allocates it */
	enum jp_status (*check)(void *config, struct jp_why *why); /**< cross-checks, or NULL */
	int (*run)(const void *config);                            /**< exit status */
};

/** Fill config (defaults first, then argv). `--name value`, `--name=value`; unknown options name the nearest known one.
 * @param argv words after the command's name. Errors: JP_BAD_ARG with the sentence. Does not print. */
enum jp_status jp_cli_parse(const struct jp_command *command, int argc, char **argv, void *config, struct jp_why *why);
/** True when --help or -h stands among the words. */
bool jp_cli_wants_help(int argc, char **argv);
/** True when --version does. */
bool jp_cli_wants_version(int argc, char **argv);
/** Overview of all sub-commands: `jackprobe --help`. */
void jp_cli_overview(const struct jp_command *const *commands, size_t n, FILE *out);
/** Options of one command: `jackprobe help CMD`. */
void jp_cli_help(const struct jp_command *command, FILE *out);
/** Option section of the manual (man(7) macros). */
void jp_cli_man(const struct jp_command *command, FILE *out);
/** bash completion of all commands. */
void jp_cli_completion(const struct jp_command *const *commands, size_t n, FILE *out);

#endif
