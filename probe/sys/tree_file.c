/* Files that are read again and again, and patience with slow ones. */
#include "sys/clock.h"
#include "sys/tree_private.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool jp_pace_note(struct jp_pace *pace, int64_t took_ns)
{
	if (took_ns > pace->worst_ns)
		pace->worst_ns = took_ns;
	pace->strikes = took_ns > pace->limit_ns ? pace->strikes + 1 : 0;
	if (pace->strikes >= JP_PACE_STRIKES)
		pace->dropped = true;
	return !pace->dropped;
}

enum jp_status jp_parse_u64(const char *text, uint64_t *out)
{
	char *end;
	while (isspace((unsigned char)*text))
		text++;
	if (!isdigit((unsigned char)*text))
		return JP_BAD_DATA;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	while (isspace((unsigned char)*end))
		end++;
	if (errno || *end)
		return JP_BAD_DATA;
	*out = value;
	return JP_OK;
}

enum jp_status jp_file_open(struct jp_file *f, struct jp_tree *t, const char *fmt, ...)
{
	char path[JP_TREE_PATH_MAX];
	va_list ap;
	*f = (struct jp_file){.fd = -1};
	va_start(ap, fmt);
	int n = vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	if (n <= 0 || n >= (int)sizeof path)
		return JP_MISSING;
	int fd = jp_tree_fd(t, path, O_RDONLY);
	if (fd < 0)
		return jp_tree_status(errno);
	f->path = strdup(path);
	if (!f->path) {
		close(fd);
		return JP_NO_MEM;
	}
	f->keep = t->machine && t->keep_left > 0;
	if (f->keep) {
		t->keep_left--;
		f->fd = fd;
	} else {
		close(fd);
	}
	return JP_OK;
}

void jp_file_close(struct jp_file *f, struct jp_tree *t)
{
	if (f->path && f->keep)
		t->keep_left++;
	if (f->path && f->fd >= 0)
		close(f->fd);
	free(f->path);
	*f = (struct jp_file){.fd = -1};
}

static enum jp_status read_once(struct jp_file *f, const struct jp_tree *t, char *buf, size_t size, size_t *len)
{
	if (f->fd < 0)
		f->fd = jp_tree_fd(t, f->path, O_RDONLY);
	if (f->fd < 0)
		return jp_tree_status(errno);
	enum jp_status status = jp_tree_pread(f->fd, buf, size, len);
	if (status != JP_OK || !f->keep) {
		close(f->fd);
		f->fd = -1;
	}
	return status;
}

enum jp_status jp_file_text(
	struct jp_file *f, const struct jp_tree *t, struct jp_pace *pace, char *buf, size_t size, size_t *len)
{
	*len = 0;
	buf[0] = 0;
	if (!f->path)
		return JP_MISSING;
	if (!pace)
		return read_once(f, t, buf, size, len);
	if (pace->dropped)
		return JP_TIMEOUT;
	int64_t start = jp_clock_now(CLOCK_MONOTONIC);
	enum jp_status status = read_once(f, t, buf, size, len);
	jp_pace_note(pace, jp_clock_now(CLOCK_MONOTONIC) - start);
	return status;
}

enum jp_status jp_file_u64(struct jp_file *f, const struct jp_tree *t, struct jp_pace *pace, uint64_t *out)
{
	char text[64] = "";
	size_t len;
	enum jp_status status = jp_file_text(f, t, pace, text, sizeof text, &len);
	return status == JP_OK ? jp_parse_u64(text, out) : status;
}
