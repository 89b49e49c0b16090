/* Standard error without blocking. */
#include "sys/say.h"

#include "sys/clock.h"
#include "sys/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t waited_ns;

/* A descriptor of our own that does not block; the flags of the shared one are everybody's who has it. A file never blocks, and
 * opened anew would be written from its start. @return -1 = there is none to be had. */
static int own_stderr(void)
{
	struct stat st;
	if (fstat(STDERR_FILENO, &st) || !(S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)))
		return -1;
	return open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static bool wait_for(int fd)
{
	int64_t since = jp_clock_now(CLOCK_MONOTONIC), left_ms = JP_SAY_PATIENCE_MS - waited_ns / 1000000;
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	bool ready = poll(&p, 1, left_ms > 0 ? (int)left_ms : 0) > 0 && p.revents & POLLOUT;
	waited_ns += jp_clock_now(CLOCK_MONOTONIC) - since;
	return ready;
}

static void put(int fd, const char *text, size_t size)
{
	while (size && wait_for(fd)) {
		ssize_t n = write(fd, text, size);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return;
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		} else if (waited_ns / 1000000 >= JP_SAY_PATIENCE_MS) {
			return;
		}
	}
}

void jp_say(const char *fmt, ...)
{
	char said[JP_SAY_MAX + 1], shown[JP_SAY_MAX + 1], line[sizeof "jackprobe: \n" + JP_SAY_MAX];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(said, sizeof said, fmt, ap);
	va_end(ap);
	jp_utf8_show(said, shown, sizeof shown);
	int size = snprintf(line, sizeof line, "jackprobe: %s\n", shown);
	int own = own_stderr();
	put(own >= 0 ? own : STDERR_FILENO, line, (size_t)size);
	if (own >= 0)
		close(own);
}
