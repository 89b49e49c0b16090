/** @file server.h
 * Which JACK it is, from what the library says of itself. */
#ifndef JP_SERVER_H
#define JP_SERVER_H

#include <jackprobe/pair.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jp_server_kind { JP_SERVER_UNKNOWN, JP_SERVER_JACK1, JP_SERVER_JACK2, JP_SERVER_PIPEWIRE };

/** @param version of jack_get_version_string, or NULL. @param handle of a port: jackd2's is a small integer; 0 = none
 * at hand. Where the two contradict each other the kind is unknown. Pure. */
enum jp_server_kind jp_server_kind(const char *version, uintptr_t handle);

/** "jackd2 1.9.21", "PipeWire 0.3.65"; "" when nothing is known. Pure. */
void jp_server_text(enum jp_server_kind kind, const char *version, char *out, size_t size);

enum jp_pair_mode jp_server_pair_mode(enum jp_server_kind kind);
/** What pos.usecs of jack_transport_query is. JP_WAKE_FILTERED: it is not known, do not use it. */
enum jp_wake_source jp_server_wake_source(enum jp_server_kind kind);

#endif
