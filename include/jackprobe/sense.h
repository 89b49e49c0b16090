/** @file sense.h
 * Sensors: energy, frequency, idle states, latency limit, temperature, host figures, watched processes. Sampled by the
 * collector at window edges; every file is read below a root path (--sysroot) so that a copied tree can stand in. */
#ifndef JACKPROBE_SENSE_H
#define JACKPROBE_SENSE_H

#include <jackprobe/report.h>
#include <jackprobe/status.h>
#include <stdbool.h>

JP_BEGIN_DECLS

struct jp_sense_config {
	const char *sysroot; /**< "" or NULL: the machine itself. Perf counters are used only on the machine itself */
	const char *watch;   /**< PID or NAME of --watch, or NULL */
};

/** Calls of head and tail per CPU in the window, from the records. */
struct jp_cpu_calls {
	const uint32_t *calls; /**< indexed by CPU number */
	size_t n;
};

/** One sensor's standing, for summary, metadata and OSC /status. */
struct jp_sensor_status {
	char sensor
		[32]; /**< "energy", "frequency", "idle", "dma_latency", "temperature", "host", "watch", "cpu_type" */
	bool available;
	char source[64]; /**< "perf power", "powercap", "cpufreq cpuinfo_avg_freq", ...; "" when not available */
	char reason
		[224]; /**< why not, with the remedy ("energy_uj is readable by root only: chgrp ..."); "" when available */
};

struct jp_sense; /**< opaque */

/** Find the sensors. A sensor that is not there is no error: it has a status with the reason.
 * Thread: collector; all further calls too. The caller owns the result.
 * Errors: JP_NO_MEM, JP_BAD_ARG (sysroot is no directory; --watch names no process). */
enum jp_status jp_sense_open(const struct jp_sense_config *config, struct jp_sense **out, struct jp_why *why);
void jp_sense_close(struct jp_sense *s);

/** Extra columns found at start; valid and unchanged until jp_sense_close. */
const struct jp_extra_column *jp_sense_columns(const struct jp_sense *s, size_t *n);

/** Read everything; rates are over the time since the call before, so the first call primes and leaves them NaN.
 * Bounded: a file slower than its limit is dropped, and said in its status. @param mono_ns CLOCK_MONOTONIC now.
 * @param calls may be NULL. Never fails: unknown is NaN. */
void jp_sense_sample(struct jp_sense *s, int64_t mono_ns, const struct jp_cpu_calls *calls, struct jp_host *out);

/** Standing of sensor i. @return false past the last one. */
bool jp_sense_status(const struct jp_sense *s, size_t i, struct jp_sensor_status *out);

/** Name of the core type of a CPU on a hybrid machine ("P", "E"), "" on one with a single kind. */
const char *jp_sense_core_type(const struct jp_sense *s, int cpu);

/** Facts of the machine for metadata: kernel, cpu model, preemption model, governor, driver of cpufreq and cpuidle.
 * Puts one key and value at a time through put; unknown ones are left out. */
void jp_sense_facts(const struct jp_sense *s, void (*put)(void *arg, const char *key, const char *value), void *arg);

JP_END_DECLS

#endif
