/* Standard output without surprises. */
#include "out.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* write(2) with SIGPIPE kept from this thread; one that came of this write is taken away again. */
static ssize_t write_quietly(int fd, const char *text, size_t n)
{
	sigset_t pipe_only, before, pending;
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
	ssize_t done = write(fd, text, n);
	int err = errno;
	if (done < 0 && err == EPIPE && !sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe_only, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = err;
	return done;
}

enum jp_status jp_out_write(int fd, const char *text, size_t n, struct jp_why *why)
{
	while (n > 0) {
		ssize_t done = write_quietly(fd, text, n);
		if (done >= 0) {
			text += done;
			n -= (size_t)done;
		} else if (errno == EAGAIN) {
			poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
		} else if (errno != EINTR) {
			return jp_why_set(why, errno == EPIPE || errno == EIO ? JP_GONE : jp_status_from_errno(errno),
				"%s", errno == EPIPE || errno == EIO ? "nobody reads it any more" : strerror(errno));
		}
	}
	return JP_OK;
}

bool jp_out_utf8(void)
{
	locale_t user = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	if (!user)
		return false;
	bool utf8 = strcmp(nl_langinfo_l(CODESET, user), "UTF-8") == 0;
	freelocale(user);
	return utf8;
}
