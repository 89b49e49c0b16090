/* Standard error without blocking. */
#include "sys/say.h"

#include "sys/clock.h"

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
	char text[2048] = "jackprobe: ";
	size_t head = strlen(text), room = sizeof text - head - 1;
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(text + head, room, fmt, ap);
	va_end(ap);
	size_t size = head + (n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1);
	text[size++] = '\n';
	int own = own_stderr();
	put(own >= 0 ? own : STDERR_FILENO, text, size);
	if (own >= 0)
		close(own);
}
