/** @file facts.h
 * Pure parts of the machine's facts. */
#ifndef JP_SENSE_FACTS_H
#define JP_SENSE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

/** The mode in parentheses of sched/preempt ("none voluntary (full)"). @return false: there is none. */
bool jp_facts_preempt_mode(const char *text, char *out, size_t size);
/** The preemption model that /proc/version names; NULL: none. */
const char *jp_facts_preempt_version(const char *version);
/** Value of a key of /proc/cpuinfo, from its first block. @return false: it is not there. */
bool jp_facts_cpuinfo(const char *text, const char *key, char *out, size_t size);

#endif
