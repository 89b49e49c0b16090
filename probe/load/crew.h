/** @file crew.h
 * All clients of a run, as threads of this process or each in one of its own; the supervisor does not see which.
 * Thread of all calls: main, where nothing else is said. */
#ifndef JP_LOAD_CREW_H
#define JP_LOAD_CREW_H

#include "client.h"

#include <jackprobe/status.h>
#include <stdbool.h>

struct jp_crew; /**< opaque */

/** Make the processes if there are to be any; opens no client yet. The caller owns the result; the plan outlives it.
 * Errors: JP_NO_MEM. */
enum jp_status jp_crew_new(const struct jp_load_plan *plan, struct jp_crew **out, struct jp_why *why);

/** Give client i an order and wait until it is carried out. Errors: those of jp_load_client_do and jp_worker_do. */
enum jp_status jp_crew_do(struct jp_crew *crew, uint32_t i, enum jp_load_order order, struct jp_why *why);

/** Look for something that ended a client since the last call. @return JP_OK nothing; JP_GONE the server went away; JP_IO a client's
 * process died (told once each). */
enum jp_status jp_crew_check(struct jp_crew *crew, struct jp_why *why);

/** CPU time that the clients' processes have used so far, in ns; a process that has died counts as 0. */
int64_t jp_crew_cpu_ns(const struct jp_crew *crew);

/** Close every client that is still open, one after the other, and end the processes. */
void jp_crew_close(struct jp_crew *crew);

/** How many orders have been carried out so far: it stands still while a call of libjack hangs. Thread: any. */
uint32_t jp_crew_progress(const struct jp_crew *crew);

/** Kill the clients' processes, the program is about to end by _exit. Thread: any. */
void jp_crew_abandon(const struct jp_crew *crew);

/** After jp_crew_close. */
void jp_crew_free(struct jp_crew *crew);

#endif
