/** @file snapshot.h
 * Takes a picture of the graph through libjack. */
#ifndef JP_SNAPSHOT_H
#define JP_SNAPSHOT_H

#include "plan.h"

#include <jack/jack.h>
#include <stdbool.h>

/** Whose eyes and which clients are ours. */
struct jp_snapshot {
	jack_client_t *client;
	const char *head, *tail; /**< names as the server gave them; tail may be NULL */
	enum jp_server_kind kind;
	bool every_cable; /**< strict mode and blame need the cables of all; else only the tail's are read */
};

/** Fill an empty graph. What vanishes meanwhile is left out. Thread: the session's; calls libjack.
 * Errors: JP_NO_MEM. */
enum jp_status jp_snapshot_take(const struct jp_snapshot *how, struct jp_graph *out);

#endif
