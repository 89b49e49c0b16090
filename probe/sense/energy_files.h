/** @file energy_files.h
 * Zones whose counters are files in uJ. */
#ifndef JP_SENSE_ENERGY_FILES_H
#define JP_SENSE_ENERGY_FILES_H

#include "sense/energy.h"

/** Parallel to the zones. */
struct jp_energy_files {
	struct jp_tree *tree;
	const char *what; /**< the files, for a sentence: "energy_uj" */
	struct jp_pace pace;
	struct jp_file file[JP_ZONES_MAX];
	struct jp_counter counter[JP_ZONES_MAX];
	size_t n;
};

/** @return NULL when out of memory. @param what outlives it. */
struct jp_energy_files *jp_energy_files_new(struct jp_tree *tree, const char *what);
/** Open a zone's file and add both. A zone that is there already, or cannot be read and is no package, is left out.
 * Errors: JP_NO_MEM, JP_DENIED. */
enum jp_status jp_energy_files_add(struct jp_energy_files *f, struct jp_zones *zones, const struct jp_zone *zone,
	uint64_t range, const char *path);

/* Members of a struct jp_energy_source; self is a struct jp_energy_files. */
double jp_energy_files_watts(void *self, size_t zone, int64_t mono_ns);
void jp_energy_files_trouble(const void *self, char *out, size_t size);
void jp_energy_files_close(void *self); /**< NULL is allowed */

#endif
