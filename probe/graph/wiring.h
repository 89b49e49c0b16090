/** @file wiring.h
 * Keeps the probe's cables as planned while the graph changes: waits until a change has settled, makes few cables at a time,
 * looks again whether they are there. Takes out no cable but its own. Thread of all calls: the session's. */
#ifndef JP_WIRING_H
#define JP_WIRING_H

#include "plan.h"
#include "stay.h"
#include "trial.h"
#include "watch.h"

struct jp_wiring {
	struct jp_stay *stay;
	struct jp_watch *watch;
	bool strict;           /**< head feeds the roots */
	int wire;              /**< enum jp_wire */
	uint32_t seen;         /**< notes.graph at the last look */
	bool pending;          /**< a change has not been dealt with */
	int64_t due_ns;        /**< when to look next, CLOCK_MONOTONIC */
	int64_t latest_ns;     /**< a graph that never settles is dealt with then */
	int rounds_left;       /**< of cables for this change; -1 = not decided yet */
	int64_t span_ns;       /**< start of the span in which rounds are counted */
	int span_rounds;       /**< a program that keeps taking our cables out must not make us rewire for ever */
	int dead_looks;        /**< rounds in a row that found dead entries (guard.h) */
	struct jp_graph last;  /**< the latest picture; its ports' taint is handed on */
	uint32_t turns;        /**< notes.turns at that picture */
	bool wired;            /**< the first wiring is complete */
	struct jp_trial trial; /**< cables of the last round, and clients that do not run */
	char shunned[128];     /**< trouble while such a client is left alone */
	/* Result. */
	int64_t clients, covered; /**< -1 unknown; covered also with --insert head */
	char uncovered[256];
	char trouble[128]; /**< "" none */
};

void jp_wiring_init(
	struct jp_wiring *wiring, struct jp_stay *stay, struct jp_watch *watch, const struct jp_session_config *config);

void jp_wiring_clear(struct jp_wiring *wiring);

/** Do what is due. @return true when clients, covered, uncovered or trouble changed. */
bool jp_wiring_step(struct jp_wiring *wiring);

/** Dead entries do not go away: only closing both clients and opening them anew helps. */
bool jp_wiring_wants_reopening(const struct jp_wiring *wiring);

/** ns until there is something to do; -1 = nothing until the graph changes. */
int64_t jp_wiring_due(const struct jp_wiring *wiring);

#endif
