/** @file commands.h
 * The sub-commands: one file each in this folder, one constant each here, one row each in commands.c. */
#ifndef JP_COMMANDS_H
#define JP_COMMANDS_H

#include "cli/cli.h"

extern const struct jp_command jp_watch_command;
extern const struct jp_command jp_load_command;

/** All commands, in the order in which help and manual show them. The first one runs when none is named. */
extern const struct jp_command *const jp_commands[];
extern const size_t jp_n_commands;

/** The command of that name, or NULL. Thread: any. */
const struct jp_command *jp_command_find(const char *name);

#endif
