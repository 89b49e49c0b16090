/** @file stay.h
 * Everything that belongs to one stay at a server, in one piece of memory that is touched and locked before a callback
 * uses it. */
#ifndef JP_STAY_H
#define JP_STAY_H

#include "rt/rt.h"
#include "server.h"
#include "session.h"
#include "timing/timing.h"

struct jp_stay {
	struct jp_attachment shown; /**< what the collector gets */
	struct jp_head head;
	struct jp_tail tail; /**< client NULL with --insert head */
	struct jp_notes notes;
	struct jp_slots *slots;  /**< of head and tail; NULL = none */
	struct jp_times *timing; /**< NULL = none (yet) */
	struct jp_ring head_ring, tail_ring, xrun_ring;
	jack_port_t *tail_audio, *tail_midi;
	enum jp_server_kind kind;
	char server[64];
	bool server_realtime;
	bool met_freewheel;   /**< the server freewheels: nothing was set up */
	size_t size;          /**< of the mapping, slots included */
	struct jp_stay *next; /**< in the session's list of those that wait to be freed */
};

/** @param wake posted by the notifications; outlives the stay. @return NULL when out of memory. */
struct jp_stay *jp_stay_new(uint32_t generation, bool with_tail, sem_t *wake);
/** Only when its clients are closed and nobody reads its rings. */
void jp_stay_free(struct jp_stay *stay);

#endif
