/** @file requests.h
 * What the user asks of a running program by signals, read from a descriptor: no work is done in a signal handler. */
#ifndef JP_REQUESTS_H
#define JP_REQUESTS_H

#include <jackprobe/status.h>

enum jp_request {
	JP_REQUEST_NONE,
	JP_REQUEST_STOP,   /**< SIGINT, SIGTERM, SIGQUIT */
	JP_REQUEST_REOPEN, /**< SIGHUP: open the logs again */
};

/** Block SIGINT, SIGTERM, SIGQUIT and SIGHUP in this thread (those it starts inherit that) and open a descriptor that becomes
 * readable when one of them comes; ignore SIGPIPE. Thread: main, before others start. The caller closes *fd.
 * Errors: JP_IO. */
enum jp_status jp_requests_open(int *fd, struct jp_why *why);

/** Take the next request. Does not wait. */
enum jp_request jp_requests_take(int fd);

#endif
