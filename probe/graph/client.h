/** @file client.h
 * Opens, activates and closes the probe's two clients. Thread of all calls: the session's; all call libjack. */
#ifndef JP_CLIENT_H
#define JP_CLIENT_H

#include "stay.h"
#include "watch.h"

/** Open head and tail with the guard against dead entries (guard.h), find JACK's clock, register ports and callbacks.
 * Nothing runs yet. On failure nothing is left open.
 * Errors: JP_MISSING (no server), JP_DENIED, JP_UNSUPPORTED (clock, protocol), JP_IO; each with the sentence. */
enum jp_status jp_clients_open(
	struct jp_stay *stay, const struct jp_session_config *config, struct jp_watch *watch, struct jp_why *why);

/** Let the callbacks run: the tail's first, so that no head is without its tail. Errors: JP_IO. */
enum jp_status jp_clients_activate(struct jp_stay *stay, struct jp_watch *watch, struct jp_why *why);

/** Close both; the server takes their cables out. After return no callback runs. */
void jp_clients_close(struct jp_stay *stay, struct jp_watch *watch);

#endif
