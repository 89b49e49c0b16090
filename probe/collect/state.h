/** @file state.h
 * Is the probe measuring? Decided from what the session and the rings say. Pure: the time is an argument. */
#ifndef JP_STATE_H
#define JP_STATE_H

#include <jackprobe/report.h>
#include <stdbool.h>

/** No cycle for so long: stale. */
#define JP_STALE_NS 2000000000LL

struct jp_state_track {
	enum jp_state state;
	int64_t last_record_ns; /**< CLOCK_MONOTONIC of the last poll that took a record, or of the attachment */
	bool attached;
};

/** Before anything is known: disconnected. */
void jp_state_init(struct jp_state_track *t, int64_t mono_ns);

/** Work out the state. @param attached head and tail are in the graph. @param records the rings held something.
 * @param freewheel the last record was a freewheeling one. @return true when the state changed. */
bool jp_state_update(struct jp_state_track *t, int64_t mono_ns, bool attached, bool records, bool freewheel);

/** ns for which nothing has come. */
int64_t jp_state_silence_ns(const struct jp_state_track *t, int64_t mono_ns);

#endif
