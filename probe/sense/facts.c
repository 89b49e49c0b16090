/* Facts of the machine for the metadata of a run. */
#include "sense/sensor.h"

#include <stdio.h>
#include <string.h>

#define CPU_DIR "/sys/devices/system/cpu"

struct facts {
	const struct jp_tree *tree;
	const struct jp_cpus *cpus;
	void (*put)(void *arg, const char *key, const char *value);
	void *arg;
};

static void put_file(const struct facts *f, const char *key, const char *path)
{
	char line[128];
	if (jp_tree_line(f->tree, line, sizeof line, "%s", path) == JP_OK)
		f->put(f->arg, key, line);
}

void jp_facts_put(const struct jp_tree *tree, const struct jp_cpus *cpus,
	void (*put)(void *arg, const char *key, const char *value), void *arg)
{
	struct facts f = {tree, cpus, put, arg};
	put_file(&f, "kernel", "/proc/sys/kernel/osrelease");
	put_file(&f, "cpuidle_driver", CPU_DIR "/cpuidle/current_driver");
}
