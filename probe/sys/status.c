/* Status codes and the sentence that goes with them. */
#include <jackprobe/status.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

const char *jp_status_text(enum jp_status status)
{
	switch (status) {
	case JP_OK:
		return "fine";
	case JP_FULL:
		return "no room";
	case JP_EMPTY:
		return "nothing there";
	case JP_BAD_ARG:
		return "wrong argument";
	case JP_BAD_DATA:
		return "wrong data";
	case JP_NO_MEM:
		return "out of memory";
	case JP_DENIED:
		return "no permission";
	case JP_MISSING:
		return "not there";
	case JP_EXISTS:
		return "exists already";
	case JP_IO:
		return "reading or writing failed";
	case JP_TIMEOUT:
		return "no answer in time";
	case JP_GONE:
		return "server gone";
	case JP_UNSUPPORTED:
		return "not possible here";
	}
	return "unknown status";
}

enum jp_status jp_status_from_errno(int err)
{
	switch (err) {
	case 0:
		return JP_OK;
	case EACCES:
	case EPERM:
	case EROFS:
		return JP_DENIED;
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case ESRCH:
		return JP_MISSING;
	case ENOMEM:
		return JP_NO_MEM;
	case EEXIST:
		return JP_EXISTS;
	case EINVAL:
		return JP_BAD_ARG;
	case ETIMEDOUT:
		return JP_TIMEOUT;
	case ENOSPC:
	case EAGAIN:
		return JP_FULL;
	case EOPNOTSUPP:
	case ENOSYS:
		return JP_UNSUPPORTED;
	default:
		return JP_IO;
	}
}

enum jp_status jp_why_set(struct jp_why *why, enum jp_status status, const char *fmt, ...)
{
	if (why) {
		va_list ap;
		va_start(ap, fmt);
		vsnprintf(why->text, sizeof why->text, fmt, ap);
		va_end(ap);
	}
	return status;
}
