/** @file names.h
 * Whose reference number it was at a given time: numbers are re-used by later clients. Pure. */
#ifndef JP_NAMES_H
#define JP_NAMES_H

#include <jackprobe/report.h>
#include <stdbool.h>
#include <stdint.h>

enum { JP_NAMES_MAX = 1024 };

/** A name and its time, in ns on JACK's clock; until_ns means something for the owner before only. "" = nobody known. */
struct jp_name {
	char text[JP_NAME_MAX];
	int64_t since_ns, until_ns;
};

struct jp_names {
	struct jp_name now[JP_NAMES_MAX], before[JP_NAMES_MAX];
};

/** Say who has a number as of a time (that of the notification). "" = nobody any more. Numbers out of range are ignored. */
void jp_names_set(struct jp_names *names, int32_t ref, const char *name, int64_t since_ns);

/** Who had a number at a time: of the last two owners. A client that registered its first port only after it began to run is known
 * by its name from the start. Writes "#N" when nobody is known. @return whether somebody is. */
bool jp_names_get(const struct jp_names *names, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX]);

#endif
