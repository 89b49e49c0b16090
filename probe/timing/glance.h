/** @file glance.h
 * One more look at the server's slots in each cycle, shortly before the next wake-up, by a thread that every client's comes before. It sees
 * what our callbacks cannot: who the tail does not wait for (recorders; everybody with --insert head) may have begun anew before
 * the head looks again. While somebody is in his callback then, it looks again and again until he has ended. Costs at least
 * one wake-up of a CPU per cycle, so it rests until it is asked for. */
#ifndef JP_GLANCE_H
#define JP_GLANCE_H

#include "rt/slots.h"

#include <stdbool.h>
#include <time.h>

struct jp_glance; /**< opaque */

/** Start the thread; it rests. @param slots outlives the result. @param clock JACK's. The caller owns the result.
 * @param driver number of the slot that is the driver's; -1 = none.
 * @param realtime run it as SCHED_FIFO 1, if that is allowed: only where all of JACK's threads have a higher priority. Else programs
 * that compute keep it from its CPU for milliseconds.
 * @return NULL when there is no memory or no thread to be had: then nothing glances. */
struct jp_glance *jp_glance_new(struct jp_slots *slots, int32_t driver, clockid_t clock, bool realtime);
/** End the thread and wait for it. */
void jp_glance_free(struct jp_glance *g);

/** What cycles look like at present. Thread: any one. @param period_ns period; 0 = rest.
 * @param dispatch_ns from a wake-up to the entry of the head's callback: the thread knows the latter only. */
void jp_glance_set(struct jp_glance *g, int64_t period_ns, int64_t dispatch_ns);

/** Up to when its looks are in its ring. Thread: the one that reads the ring.
 * @param now_ns JACK's clock. @return now_ns, or an instant before the look that is being taken. */
int64_t jp_glance_horizon(struct jp_glance *g, int64_t now_ns);

/** How long before the next wake-up the look is due. Pure. */
int64_t jp_glance_margin(int64_t period_ns);

/** When to look next. Pure. @param entry_ns latest entry of the head. @param last_ns the look before this one; 0 = none.
 * @return the first instant after now_ns that lies the margin before a wake-up, and in no cycle that has had its look. */
int64_t jp_glance_due(int64_t entry_ns, int64_t dispatch_ns, int64_t period_ns, int64_t last_ns, int64_t now_ns);

/** While somebody runs late: from one look to the next. Pure. Short at first, and again after each period: who has been late for several
 * periods must not be seen less exactly. @param since_ns since the first look at him. */
int64_t jp_glance_step(int64_t since_ns, int64_t period_ns);

#endif
