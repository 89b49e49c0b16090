/** @file run.h
 * A whole run of `jackprobe load`. */
#ifndef JP_LOAD_RUN_H
#define JP_LOAD_RUN_H

#include "cli/load_options.h"

/** Open the clients one after the other, connect them, let them run until the duration is over, SIGINT, SIGTERM or the server's end,
 * close them one after the other, write the truth and print what happened: a line on stdout when all run, one at the
 * end; errors on stderr. A second SIGINT or SIGTERM ends the program at once. Thread: main, the only one.
 * @return exit status: 0 fine, 1 something failed. */
int jp_load_run(const struct jp_load_options *options);

#endif
