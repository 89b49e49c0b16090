/** @file edge.h
 * Where windows end. Edges lie whole intervals after the start; a window is closed some time after its edge, when all that is known of
 * the cycles before it has come in (PipeWire tells it 50 ms later), or a bound has passed. Pure: the time is an argument. */
#ifndef JP_EDGE_H
#define JP_EDGE_H

#include <stdbool.h>
#include <stdint.h>

/** How long after its edge a window waits at most. */
#define JP_EDGE_BOUND_NS 200000000LL

struct jp_edge {
	int64_t interval_ns;
	int64_t next_ns; /**< CLOCK_MONOTONIC of the next edge */
	int64_t due_ns;  /**< the one whose window is still open; JP_NS_UNKNOWN = none */
};

void jp_edge_init(struct jp_edge *e, int64_t start_ns, int64_t interval_ns);
/** Up to which instant cycles belong to the window that is open. */
int64_t jp_edge_limit(const struct jp_edge *e);
/** Time passes. @return true when an edge was reached: its window is due from now on. Edges that went by in between are left out, and
 * so is one while a window is due. */
bool jp_edge_reach(struct jp_edge *e, int64_t now_ns);
/** The window that is due has waited for long enough. @param complete all of its cycles have come in. */
bool jp_edge_ripe(const struct jp_edge *e, int64_t now_ns, bool complete);
/** The window is closed. */
void jp_edge_closed(struct jp_edge *e);

#endif
