/* From argv to a command's config struct. */
#include "cli.h"
#include "nearest.h"
#include "value.h"

#include <stdint.h>
#include <string.h>

/* One run over the words. */
struct parse {
	const struct jp_command *command;
	void *config;
	uint64_t seen; /* bit i: option i was given */
	int argc, at;
	char **argv;
	struct jp_why *why;
};

static enum jp_status set_defaults(const struct parse *p)
{
	for (size_t i = 0; i < p->command->n_options; i++) {
		enum jp_status status = jp_value_default(&p->command->options[i], p->config, p->why);
		if (status != JP_OK)
			return status;
	}
	return JP_OK;
}

static enum jp_status unknown_option(const struct parse *p, const char *name)
{
	const struct jp_option *best = NULL;
	size_t least = SIZE_MAX;
	for (size_t i = 0; i < p->command->n_options; i++) {
		const struct jp_option *o = &p->command->options[i];
		size_t distance = jp_nearest_distance(name, o->name);
		if (jp_nearest_worth(name, o->name) && distance < least) {
			least = distance;
			best = o;
		}
	}
	return jp_why_set(p->why, JP_BAD_ARG, "there is no option %s%s%s", jp_quote(p->argv[p->at]).text,
		best ? "; did you mean --" : "", best ? best->name : "");
}

/* --name, --name=value: the row, and the text behind '='. */
static const struct jp_option *find_long(const struct parse *p, const char *word, const char **value)
{
	size_t n = strcspn(word, "=");
	for (size_t i = 0; i < p->command->n_options; i++) {
		const struct jp_option *o = &p->command->options[i];
		if (strlen(o->name) == n && strncmp(word, o->name, n) == 0) {
			*value = word[n] ? word + n + 1 : NULL;
			return o;
		}
	}
	return NULL;
}

/* -x, -xvalue. */
static const struct jp_option *find_short(const struct parse *p, const char *word, const char **value)
{
	for (size_t i = 0; i < p->command->n_options; i++) {
		const struct jp_option *o = &p->command->options[i];
		if (o->letter && o->letter == word[0]) {
			*value = word[1] ? word + 1 : NULL;
			return o;
		}
	}
	return NULL;
}

/* Each option once, but lists as often as they have room. */
static enum jp_status mark_seen(struct parse *p, const struct jp_option *o)
{
	uint64_t bit = (uint64_t)1 << (o - p->command->options);
	if ((p->seen & bit) && o->type != JP_OPT_LIST)
		return jp_why_set(p->why, JP_BAD_ARG, "--%s is given twice; give it once", o->name);
	p->seen |= bit;
	return JP_OK;
}

/* Takes the next word as the value when none stands behind '='. */
static enum jp_status take_value(struct parse *p, const struct jp_option *o, const char *value)
{
	if (o->type == JP_OPT_FLAG) {
		if (value)
			return jp_why_set(p->why, JP_BAD_ARG, "--%s takes no value", o->name);
	} else if (!value) {
		if (p->at + 1 >= p->argc || strncmp(p->argv[p->at + 1], "--", 2) == 0) {
			char wants[160];
			jp_value_wants(o, wants, sizeof wants);
			return jp_why_set(p->why, JP_BAD_ARG, "--%s wants %s, but nothing follows it", o->name, wants);
		}
		value = p->argv[++p->at];
	}
	return jp_value_set(o, value, p->config, p->why);
}

static enum jp_status parse_option(struct parse *p)
{
	const char *word = p->argv[p->at], *value = NULL;
	const struct jp_option *o = word[1] == '-' ? find_long(p, word + 2, &value) : find_short(p, word + 1, &value);
	if (!o) {
		char name[64];
		snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
		return unknown_option(p, name + strspn(name, "-"));
	}
	enum jp_status status = mark_seen(p, o);
	return status == JP_OK ? take_value(p, o, value) : status;
}

enum jp_status jp_cli_parse(const struct jp_command *command, int argc, char **argv, void *config, struct jp_why *why)
{
	struct parse p = {.command = command, .config = config, .argc = argc, .argv = argv, .why = why};
	enum jp_status status = set_defaults(&p);
	for (; status == JP_OK && p.at < argc; p.at++) {
		const char *word = argv[p.at];
		if (strcmp(word, "--") == 0 && p.at + 1 == argc)
			break;
		if (strcmp(word, "--") == 0)
			word = argv[++p.at];
		else if (word[0] == '-' && word[1]) {
			status = parse_option(&p);
			continue;
		}
		status = jp_why_set(why, JP_BAD_ARG, "%s takes no word like %s: options begin with --", command->name,
			jp_quote(word).text);
	}
	return status == JP_OK && command->check ? command->check(config, why) : status;
}

static bool among(const char *wanted, int argc, char **argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], wanted) == 0)
			return true;
	return false;
}

bool jp_cli_wants_help(int argc, char **argv)
{
	return among("--help", argc, argv) || among("-h", argc, argv);
}

bool jp_cli_wants_version(int argc, char **argv)
{
	return among("--version", argc, argv);
}
