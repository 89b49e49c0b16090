/** @file sensor.h
 * What a sensor is to the table in sense.c. One file per sensor, one row per sensor; everything here is called from the
 * collector's thread. */
#ifndef JP_SENSOR_H
#define JP_SENSOR_H

#include "sys/tree.h"

#include <jackprobe/sense.h>
#include <math.h>

enum { JP_CPU_NUMBERS = 8192 }; /**< more than any Linux has */

/** CPUs of the machine. */
struct jp_cpus {
	int *number;  /**< numbers of the CPUs that exist, ascending */
	size_t n;     /**< how many */
	size_t limit; /**< highest number + 1 */
	char *kind; /**< by CPU number, JP_CPU_NUMBERS of them: 'P', 'E', or 0 where there is one kind or it is unknown */
	bool hybrid;
};

/** What a sensor gets at open; outlives it. */
struct jp_sense_env {
	struct jp_tree *tree;
	const struct jp_cpus *cpus;
	const char *watch; /**< of --watch, or NULL */
};

/** The instant of a sample. */
struct jp_moment {
	int64_t mono_ns;
	const struct jp_cpu_calls *calls; /**< may be NULL */
};

struct jp_sensor {
	const char *name;
	/** Find it. Not there: a status and the reason in why; nothing is owned then. */
	enum jp_status (*open)(const struct jp_sense_env *env, void **self, struct jp_why *why);
	/** Fill in extra columns, at most room. @return how many; NULL member: none. */
	size_t (*columns)(const void *self, struct jp_extra_column *out, size_t room);
	/** Fill in members of out and the sensor's extra columns, both NaN before. */
	void (*sample)(void *self, const struct jp_moment *now, struct jp_host *out, double *extra);
	/** Fill in available, source and reason; sensor is set already. */
	void (*status)(const void *self, struct jp_sensor_status *out);
	void (*close)(void *self);
	size_t max_columns;
};

extern const struct jp_sensor jp_sensor_energy;
extern const struct jp_sensor jp_sensor_frequency;
extern const struct jp_sensor jp_sensor_idle;
extern const struct jp_sensor jp_sensor_dma_latency;
extern const struct jp_sensor jp_sensor_temperature;
extern const struct jp_sensor jp_sensor_host;
extern const struct jp_sensor jp_sensor_cpu_type;
extern const struct jp_sensor jp_sensor_watch;

/** Find the CPUs and their kinds. Errors: JP_NO_MEM. */
enum jp_status jp_cpus_find(const struct jp_tree *tree, struct jp_cpus *out);
void jp_cpus_free(struct jp_cpus *cpus);

/** The facts of jp_sense_facts. */
void jp_facts_put(const struct jp_tree *tree, const struct jp_cpus *cpus,
	void (*put)(void *arg, const char *key, const char *value), void *arg);

/** Set available and source. */
void jp_sensor_is(struct jp_sensor_status *out, const char *fmt, ...) JP_PRINTF(2, 3);
/** Set not available and the reason. */
void jp_sensor_is_not(struct jp_sensor_status *out, const char *fmt, ...) JP_PRINTF(2, 3);
/** The reason of a group of files that was dropped for slowness. */
void jp_sensor_too_slow(struct jp_sensor_status *out, const char *what, const struct jp_pace *pace);

/* Pure text helpers. */

/** Text as part of a column name: [A-Za-z0-9_], other characters become one '_', none at the ends. "" when nothing is left. */
void jp_slug(char *out, size_t size, const char *text);
/** Call visit for each number of a list as the kernel writes it ("0-3,8,10-11"), below limit. @return JP_BAD_DATA when the
 * text is none (numbers before the fault have been visited). */
enum jp_status jp_cpulist(const char *text, int limit, void (*visit)(void *arg, int cpu), void *arg);

#endif
