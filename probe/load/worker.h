/** @file worker.h
 * A child process that holds one synthetic client, and the orders it gets. It is forked before any call of libjack, so that each client
 * has a libjack of its own as in a real session. It closes its client and ends when its parent closes the socket or
 * dies; SIGINT and SIGTERM are the parent's business. */
#ifndef JP_LOAD_WORKER_H
#define JP_LOAD_WORKER_H

#include "client.h"

#include <stdbool.h>
#include <sys/types.h>

struct jp_worker {
	pid_t pid; /**< 0 = none, or already waited for */
	int fd;    /**< our end of the socket; -1 = none */
};

/** Fork the process of client i. @param workers the i workers made so far: the child closes their sockets.
 * Errors: JP_NO_MEM (no process, no socket). Thread: main, while it is the only one. */
enum jp_status jp_worker_start(const struct jp_load_plan *plan, uint32_t i, const struct jp_worker *workers,
	struct jp_worker *out, struct jp_why *why);

/** Give an order and wait for the answer. Errors: those of jp_load_client_do; JP_TIMEOUT (20 s without an answer), JP_IO (the process
 * died). */
enum jp_status jp_worker_do(struct jp_worker *worker, enum jp_load_order order, struct jp_why *why);

/** Has the process ended by itself? Then it is waited for and *how says how ("signal 9", "exit status 1"). */
bool jp_worker_ended(struct jp_worker *worker, char how[32]);

/** Let it end: close the socket, wait up to 5 s, then kill. */
void jp_worker_stop(struct jp_worker *worker);

#endif
