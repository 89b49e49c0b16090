/** @file cables.h
 * Who is cabled to whom, by names: for servers whose numbers of clients (PipeWire's node ids) JACK's calls do not tell. One thread sets,
 * another asks. */
#ifndef JP_CABLES_H
#define JP_CABLES_H

#include <jackprobe/blame.h>
#include <jackprobe/report.h>

struct jp_cables; /**< opaque */

/** @return NULL when out of memory. The caller owns it. */
struct jp_cables *jp_cables_new(void);
void jp_cables_free(struct jp_cables *c);

/** Take a new picture. @param names of clients, longer ones are cut to JP_NAME_MAX - 1. @param cables from and to are places in names.
 * Out of memory: the picture before stays. */
void jp_cables_set(struct jp_cables *c, const char *const *names, size_t n_names, const struct jp_blame_cable *cables,
	size_t n_cables);

/** A client that is asked about. */
struct jp_cables_client {
	char name[JP_NAME_MAX];
	int32_t ref;
};
/** Cables between these clients, by their numbers. @return how many; -1 when no picture was taken yet. */
int64_t jp_cables_between(
	struct jp_cables *c, const struct jp_cables_client *clients, size_t n, struct jp_blame_cable *out, size_t max);

#endif
