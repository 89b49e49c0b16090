/* Files below a root path: opening, one-shot reading, listing. */
#include "sys/tree.h"

#include "sys/tree_private.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEPT_MAX = 256 }; /* descriptors held by one tree: far below the usual limit of 1024 */

enum jp_status jp_tree_open(const char *sysroot, struct jp_tree **out, struct jp_why *why)
{
	bool machine = !sysroot || !*sysroot || strcmp(sysroot, "/") == 0;
	struct jp_tree *t = calloc(1, sizeof *t);
	if (!t)
		return jp_why_set(why, JP_NO_MEM, "out of memory while opening the sensors");
	t->machine = machine;
	t->keep_left = KEPT_MAX;
	t->root = open(machine ? "/" : sysroot, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (t->root < 0) {
		int err = errno;
		free(t);
		return jp_why_set(why, JP_BAD_ARG, "--sysroot %s: %s; name a directory that holds sys, proc and dev",
			machine ? "/" : sysroot, strerror(err));
	}
	*out = t;
	return JP_OK;
}

void jp_tree_close(struct jp_tree *t)
{
	if (!t)
		return;
	close(t->root);
	free(t);
}

bool jp_tree_is_machine(const struct jp_tree *t)
{
	return t->machine;
}

/* In a copied tree even an absolute link stays inside (openat2); kernels before 5.6 have no such call. */
static int open_below(const struct jp_tree *t, const char *path, int flags)
{
	while (*path == '/')
		path++;
	if (!*path)
		path = ".";
	if (!t->machine) {
		struct open_how how = {.flags = (unsigned)flags, .resolve = RESOLVE_IN_ROOT};
		long fd = syscall(SYS_openat2, t->root, path, &how, sizeof how);
		if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
			return (int)fd;
	}
	return openat(t->root, path, flags);
}

int jp_tree_fd(const struct jp_tree *t, const char *path, int flags)
{
	struct stat st;
	int fd = open_below(t, path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

enum jp_status jp_tree_status(int err)
{
	return err == EINVAL || err == EISDIR || err == ENOTDIR || err == ELOOP ? JP_BAD_DATA
										: jp_status_from_errno(err);
}

enum jp_status jp_tree_pread(int fd, char *buf, size_t size, size_t *len)
{
	*len = 0;
	buf[0] = 0;
	while (*len < size - 1) {
		ssize_t n = pread(fd, buf + *len, size - 1 - *len, (off_t)*len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return jp_tree_status(errno);
		if (n == 0)
			break;
		*len += (size_t)n;
	}
	buf[*len] = 0;
	return JP_OK;
}

static bool format_path(char path[JP_TREE_PATH_MAX], const char *fmt, va_list ap)
{
	int n = vsnprintf(path, JP_TREE_PATH_MAX, fmt, ap);
	return n > 0 && n < JP_TREE_PATH_MAX;
}

static enum jp_status read_path(const struct jp_tree *t, char *buf, size_t size, const char *fmt, va_list ap)
{
	char path[JP_TREE_PATH_MAX];
	size_t len;
	buf[0] = 0;
	if (!format_path(path, fmt, ap))
		return JP_MISSING;
	int fd = jp_tree_fd(t, path, O_RDONLY);
	if (fd < 0)
		return jp_tree_status(errno);
	enum jp_status status = jp_tree_pread(fd, buf, size, &len);
	close(fd);
	return status;
}

enum jp_status jp_tree_text(const struct jp_tree *t, char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum jp_status status = read_path(t, buf, size, fmt, ap);
	va_end(ap);
	return status;
}

enum jp_status jp_tree_line(const struct jp_tree *t, char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	enum jp_status status = read_path(t, buf, size, fmt, ap);
	va_end(ap);
	size_t n = strcspn(buf, "\n");
	while (n > 0 && isspace((unsigned char)buf[n - 1]))
		n--;
	buf[n] = 0;
	return status == JP_OK && n == 0 ? JP_BAD_DATA : status;
}

enum jp_status jp_tree_u64(const struct jp_tree *t, uint64_t *out, const char *fmt, ...)
{
	char text[64];
	va_list ap;
	va_start(ap, fmt);
	enum jp_status status = read_path(t, text, sizeof text, fmt, ap);
	va_end(ap);
	return status == JP_OK ? jp_parse_u64(text, out) : status;
}

bool jp_tree_has(const struct jp_tree *t, const char *fmt, ...)
{
	char path[JP_TREE_PATH_MAX];
	va_list ap;
	va_start(ap, fmt);
	bool fits = format_path(path, fmt, ap);
	va_end(ap);
	int fd = fits ? open_below(t, path, O_PATH | O_CLOEXEC) : -1;
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int by_number(const void *a, const void *b)
{
	return strverscmp(a, b);
}

/* The name fits: jp_tree_list has looked. */
static bool add_name(struct jp_names *names, size_t *room, const char *name)
{
	if (names->n == *room) {
		size_t more = *room ? *room * 2 : 32;
		void *p = realloc(names->name, more * sizeof *names->name);
		if (!p)
			return false;
		names->name = p;
		*room = more;
	}
	memcpy(names->name[names->n++], name, strlen(name) + 1);
	return true;
}

struct jp_names jp_tree_list(const struct jp_tree *t, const char *path, const char *prefix)
{
	struct jp_names names = {0};
	size_t room = 0, skip = strlen(prefix);
	int fd = open_below(t, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return names;
	}
	for (const struct dirent *e; (e = readdir(dir));)
		if (e->d_name[0] != '.' && strncmp(e->d_name, prefix, skip) == 0 &&
			strlen(e->d_name) < JP_TREE_NAME_MAX && !add_name(&names, &room, e->d_name))
			break;
	closedir(dir);
	if (names.n)
		qsort(names.name, names.n, sizeof *names.name, by_number);
	return names;
}

void jp_names_free(struct jp_names *names)
{
	free(names->name);
	*names = (struct jp_names){0};
}
