/* SIGINT, SIGTERM, SIGQUIT and SIGHUP as a descriptor. */
#include "requests.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum jp_status jp_requests_open(int *fd, struct jp_why *why)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGQUIT); /* Ctrl-\: the page has to be taken down */
	sigaddset(&set, SIGHUP);
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	*fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return *fd < 0 ? jp_why_set(why, JP_IO, "cannot wait for signals: %s", strerror(errno)) : JP_OK;
}

enum jp_request jp_requests_take(int fd)
{
	struct signalfd_siginfo info;
	if (read(fd, &info, sizeof info) != sizeof info)
		return JP_REQUEST_NONE;
	return info.ssi_signo == SIGHUP ? JP_REQUEST_REOPEN : JP_REQUEST_STOP;
}
