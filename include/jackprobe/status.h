/** @file status.h
 * One polarity everywhere: a function that can fail returns an enum jp_status, JP_OK (0) is success; the sentence
 * for people goes into a struct jp_why that the caller owns. */
#ifndef JACKPROBE_STATUS_H
#define JACKPROBE_STATUS_H

#include <jackprobe/attributes.h>

JP_BEGIN_DECLS

enum jp_status {
	JP_OK = 0,
	JP_FULL,        /**< no room; what was left out has been counted */
	JP_EMPTY,       /**< nothing there (now) */
	JP_BAD_ARG,     /**< an option or argument of the user's is wrong */
	JP_BAD_DATA,    /**< a file, packet or sysfs entry does not hold what it should */
	JP_NO_MEM,      /**< out of memory */
	JP_DENIED,      /**< no permission */
	JP_MISSING,     /**< the thing is not there */
	JP_EXISTS,      /**< it is there already and is not ours */
	JP_IO,          /**< reading or writing failed */
	JP_TIMEOUT,     /**< no answer in time; the call may still be going on */
	JP_GONE,        /**< the server went away */
	JP_UNSUPPORTED, /**< this machine, server or library cannot do it */
};

/** One sentence for a person: what happened, to what, what to do. No newline, no full stop at the end. */
struct jp_why {
	char text[256];
};

/** Short English name of a status ("no permission"). Thread: any. Never NULL. */
const char *jp_status_text(enum jp_status status);

/** The status that an errno value means (EACCES and EPERM: JP_DENIED, ENOENT: JP_MISSING, else JP_IO ...). Thread: any. */
enum jp_status jp_status_from_errno(int err);

/** Write the sentence (cut to fit) and hand the status back, so that `return jp_why_set(why, JP_DENIED, "...")` reads well.
 * @param why may be NULL: then only the status is returned. Thread: any, not RT safe. */
enum jp_status jp_why_set(struct jp_why *why, enum jp_status status, const char *fmt, ...) JP_PRINTF(3, 4);

JP_END_DECLS

#endif
