/* Energy counters of hwmon drivers (amd_energy): energyN_input in uJ, 64 bit, told apart by label. Sockets are the packages;
 * the counters of single cores are left out. */
#include "sense/energy_files.h"

#include <stdio.h>
#include <string.h>

#define ROOT "/sys/class/hwmon"

/* "Esocket1" is package_1. */
static bool socket_name(const char *label, char name[JP_ZONE_NAME])
{
	static const char word[] = "Esocket";
	uint64_t number;
	if (strncmp(label, word, strlen(word)) != 0 || jp_parse_u64(label + strlen(word), &number) != JP_OK)
		return false;
	snprintf(name, JP_ZONE_NAME, "package_%u", (unsigned)number);
	return true;
}

static enum jp_status add_label(
	struct jp_energy_files *files, struct jp_zones *zones, const char *chip, const char *label_file)
{
	char label[64], path[JP_TREE_PATH_MAX];
	struct jp_zone zone = {.headline = true, .always = true};
	size_t stem = strcspn(label_file, "_");
	if (strcmp(label_file + stem, "_label") != 0 ||
		jp_tree_line(files->tree, label, sizeof label, ROOT "/%s/%s", chip, label_file) != JP_OK ||
		!socket_name(label, zone.name))
		return JP_OK;
	snprintf(path, sizeof path, ROOT "/%s/%.*s_input", chip, (int)stem, label_file);
	return jp_energy_files_add(files, zones, &zone, 0, path);
}

static enum jp_status add_chip(struct jp_energy_files *files, struct jp_zones *zones, const char *chip)
{
	char path[JP_TREE_PATH_MAX];
	enum jp_status status = JP_OK;
	snprintf(path, sizeof path, ROOT "/%s", chip);
	struct jp_names names = jp_tree_list(files->tree, path, "energy");
	for (size_t i = 0; i < names.n && status == JP_OK; i++)
		status = add_label(files, zones, chip, names.name[i]);
	jp_names_free(&names);
	return status;
}

static enum jp_status hwmon_open(
	const struct jp_sense_env *env, struct jp_zones *zones, void **self, struct jp_why *why)
{
	struct jp_energy_files *files = jp_energy_files_new(env->tree, "energy_input");
	enum jp_status status = files ? JP_OK : JP_NO_MEM;
	struct jp_names chips = jp_tree_list(env->tree, ROOT, "hwmon");
	for (size_t i = 0; i < chips.n && status == JP_OK; i++)
		status = add_chip(files, zones, chips.name[i]);
	jp_names_free(&chips);
	if (status == JP_OK && jp_zones_headline(zones)) {
		*self = files;
		return JP_OK;
	}
	jp_energy_files_close(files);
	if (status == JP_DENIED)
		return jp_why_set(why, status,
			"energy counters of hwmon are readable by root only: chgrp audio and chmod g+r " ROOT
			"/hwmon*/energy*_input, or run as root");
	return status == JP_NO_MEM ? status : jp_why_set(why, JP_MISSING, "no hwmon chip counts a socket's energy");
}

const struct jp_energy_source jp_energy_hwmon = {
	.name = "hwmon",
	.open = hwmon_open,
	.watts = jp_energy_files_watts,
	.trouble = jp_energy_files_trouble,
	.close = jp_energy_files_close,
};
