/* Log files of whole lines: open, append, full disk, rotation. */
#include "logfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_LINE_MAX = 64 * 1024, NAME_SHOWN = 100 };

static bool no_room(int err)
{
	return err == ENOSPC || err == EDQUOT || err == EFBIG;
}

static enum jp_status status_of(int err)
{
	return no_room(err) ? JP_FULL : jp_status_from_errno(err);
}

/* errno's sentence, small at the beginning: it stands after a colon. */
static enum jp_status say_errno(struct jp_why *why, int err)
{
	enum jp_status status = jp_why_set(why, status_of(err), "%s", strerror(err));
	if (why)
		why->text[0] = (char)tolower((unsigned char)why->text[0]);
	return status;
}

enum jp_status jp_logfile_name_it(struct jp_why *why, enum jp_status status, const char *path)
{
	if (!why)
		return status;
	struct jp_why said = *why;
	size_t len = strlen(path);
	const char *cut = len > NAME_SHOWN ? "..." : "";
	const char *shown = len > NAME_SHOWN ? path + len - NAME_SHOWN : path;
	return jp_why_set(why, status, "%s%s: %s", cut, shown, said.text);
}

enum jp_status jp_logfile_init(struct jp_logfile *f, const char *path, const char *header, jp_logfile_judge judge)
{
	*f = (struct jp_logfile){
		.path = strdup(path), .header = header ? strdup(header) : NULL, .judge = judge, .fd = -1};
	if (f->path && (f->header || !header))
		return JP_OK;
	jp_logfile_close(f);
	return JP_NO_MEM;
}

static enum jp_status say_open_error(struct jp_why *why, int err)
{
	switch (err) {
	case ENOENT:
	case ENOTDIR:
		return jp_why_set(why, JP_MISSING, "the directory does not exist; make it first");
	case EACCES:
	case EPERM:
		return jp_why_set(why, JP_DENIED, "no permission to read and write it; choose another place");
	case EROFS:
		return jp_why_set(why, JP_DENIED, "the file system is read-only; choose another place");
	default:
		return say_errno(why, err);
	}
}

/* Judge the first line of a file that is not empty and look at its last byte. */
static enum jp_status look_inside(struct jp_logfile *f, off_t size, struct jp_why *why)
{
	char *line = malloc(FIRST_LINE_MAX);
	if (!line)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	char last = 0;
	ssize_t got = pread(f->fd, line, FIRST_LINE_MAX, 0);
	enum jp_status status;
	if (got <= 0 || pread(f->fd, &last, 1, size - 1) != 1) {
		status = say_errno(why, got == 0 ? EIO : errno);
	} else {
		const char *end = memchr(line, '\n', (size_t)got);
		status = f->judge(line, end ? (size_t)(end - line) : (size_t)got, f->header, why);
	}
	f->torn = last != '\n';
	free(line);
	return status;
}

static void shut(struct jp_logfile *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

/* The file is open: what is it, and what is in it? */
static enum jp_status examine(struct jp_logfile *f, struct jp_why *why)
{
	struct stat st;
	if (fstat(f->fd, &st) != 0)
		return say_errno(why, errno);
	f->regular = S_ISREG(st.st_mode);
	f->fresh = !f->regular || st.st_size == 0;
	f->header_due = f->fresh && f->header;
	f->torn = false;
	if (f->regular)
		return f->fresh ? JP_OK : look_inside(f, st.st_size, why);
	int flags = fcntl(f->fd, F_GETFL);
	if (flags < 0 || fcntl(f->fd, F_SETFL, flags & ~O_NONBLOCK) != 0)
		return say_errno(why, errno);
	return JP_OK;
}

/* Flags to open what is there: nothing that could wait for another process. @return -1 with the sentence when it cannot be a
 * log. */
static int open_flags(const char *path, struct jp_why *why)
{
	struct stat st;
	const int common = O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
		return common | O_RDWR | O_CREAT;
	if (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode))
		return common | O_WRONLY;
	jp_why_set(why, JP_BAD_ARG, "is %s; give the name of a file",
		S_ISDIR(st.st_mode)   ? "a directory"
		: S_ISBLK(st.st_mode) ? "a block device"
				      : "a socket");
	return -1;
}

/* Open and examine. *later: not now, but it is worth trying again. */
static enum jp_status try_open(struct jp_logfile *f, bool *later, struct jp_why *why)
{
	*later = false;
	int flags = open_flags(f->path, why);
	if (flags < 0)
		return JP_BAD_ARG;
	f->fd = open(f->path, flags, 0666);
	if (f->fd < 0) {
		int err = errno;
		*later = no_room(err) || err == ENXIO;
		return err == ENXIO ? jp_why_set(why, JP_MISSING, "nobody reads from it") : say_open_error(why, err);
	}
	f->end = 0;
	enum jp_status status = examine(f, why);
	if (status != JP_OK)
		shut(f);
	return status;
}

enum jp_status jp_logfile_open(struct jp_logfile *f, struct jp_why *why)
{
	bool later;
	enum jp_status status = try_open(f, &later, why);
	return later ? JP_OK : status;
}

/* A regular file got part of a line: take it out again. Only if it still is the end of the file. @return done? */
static bool take_back(const struct jp_logfile *f, size_t n)
{
	struct stat st;
	off_t end = lseek(f->fd, 0, SEEK_CUR);
	return f->regular && end >= (off_t)n && fstat(f->fd, &st) == 0 && st.st_size == end &&
	       ftruncate(f->fd, end - (off_t)n) == 0;
}

/* All of it, or nothing of it. */
static enum jp_status put(struct jp_logfile *f, const char *bytes, size_t len, struct jp_why *why)
{
	size_t done = 0;
	while (done < len) {
		ssize_t n = write(f->fd, bytes + done, len - done);
		if (n > 0) {
			done += (size_t)n;
			f->end = lseek(f->fd, 0, SEEK_CUR);
		} else if (n == 0 || errno != EINTR) {
			int err = n == 0 ? EIO : errno;
			if (done && take_back(f, done))
				f->end -= (off_t)done;
			else
				f->torn = f->torn || done;
			if (err == EPIPE)
				shut(f);
			return say_errno(why, err);
		}
	}
	return JP_OK;
}

/* Nobody could ever read what is written to it. */
static bool was_deleted(const struct jp_logfile *f)
{
	struct stat st;
	return f->fd >= 0 && f->regular && fstat(f->fd, &st) == 0 && st.st_nlink == 0;
}

/* By one who copies a log and empties it, for example. */
static bool was_cut(const struct jp_logfile *f)
{
	struct stat st;
	return f->fd >= 0 && f->regular && fstat(f->fd, &st) == 0 && st.st_size < f->end;
}

enum jp_status jp_logfile_ready(struct jp_logfile *f, struct jp_why *why)
{
	bool later, deleted = was_deleted(f), cut = !deleted && was_cut(f);
	if (deleted || cut)
		shut(f);
	enum jp_status status = f->fd < 0 ? try_open(f, &later, why) : JP_OK;
	if (status == JP_OK && f->torn) {
		status = put(f, "\n", 1, why);
		f->torn = status != JP_OK;
	}
	if (status == JP_OK && f->header_due) {
		size_t len = strlen(f->header);
		char *line = malloc(len + 1);
		if (!line)
			return jp_why_set(why, JP_NO_MEM, "out of memory");
		memcpy(line, f->header, len);
		line[len] = '\n';
		status = put(f, line, len + 1, why);
		f->header_due = status != JP_OK;
		free(line);
	}
	if (deleted && status == JP_OK)
		jp_why_set(why, JP_OK,
			"was deleted while it was written; what stood in it is lost, it goes on in a new file");
	if (cut && status == JP_OK)
		jp_why_set(why, JP_OK,
			"was cut short while it was written; it goes on behind what is left, with a header where "
			"nothing is");
	return status;
}

enum jp_status jp_logfile_write(struct jp_logfile *f, const char *lines, size_t len, struct jp_why *why)
{
	enum jp_status status = jp_logfile_ready(f, why);
	return status == JP_OK ? put(f, lines, len, why) : status;
}

enum jp_status jp_logfile_reopen(struct jp_logfile *f, struct jp_why *why)
{
	bool later;
	shut(f);
	return try_open(f, &later, why);
}

void jp_logfile_close(struct jp_logfile *f)
{
	shut(f);
	free(f->path);
	free(f->header);
	f->path = f->header = NULL;
}

static enum jp_status write_whole(const char *path, const char *text, size_t len, struct jp_why *why)
{
	struct jp_logfile f = {.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
	if (f.fd < 0)
		return say_open_error(why, errno);
	enum jp_status status = put(&f, text, len, why);
	if (status == JP_OK && fsync(f.fd) != 0)
		status = say_errno(why, errno);
	shut(&f);
	return status;
}

enum jp_status jp_logfile_replace(const char *path, const char *text, size_t len, struct jp_why *why)
{
	char *beside;
	if (asprintf(&beside, "%s.tmp", path) < 0)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	enum jp_status status = write_whole(beside, text, len, why);
	if (status == JP_OK && rename(beside, path) != 0)
		status = say_errno(why, errno);
	if (status != JP_OK)
		unlink(beside);
	free(beside);
	return status == JP_OK ? JP_OK : jp_logfile_name_it(why, status, path);
}
