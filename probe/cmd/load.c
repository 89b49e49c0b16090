/* `jackprobe load`: synthetic clients. */
#include "commands.h"
#include "load/run.h"

static int run(const void *config)
{
	return jp_load_run(config);
}

const struct jp_command jp_load_command = {
	.name = "load",
	.synopsis = "load [options]",
	.about = "Run synthetic clients: a load of known size and shape, which can write down what it did.",
	.options = jp_load_option_rows,
	.n_options = JP_LOAD_N_OPTIONS,
	.config_size = sizeof(struct jp_load_options),
	.check = jp_load_check,
	.run = run,
};
