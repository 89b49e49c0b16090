/* The server's shared memory, read-only. */
#include "timing/shm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* "/dev/shm/jack-<uid>-<n>" and nothing after it. */
static bool is_segment(const char *path)
{
	static const char prefix[] = "/dev/shm/jack-";
	if (strncmp(path, prefix, sizeof prefix - 1) != 0)
		return false;
	const char *p = path + sizeof prefix - 1;
	size_t uid = strspn(p, "0123456789"), n = p[uid] == '-' ? strspn(p + uid + 1, "0123456789") : 0;
	return uid && n && !p[uid + 1 + n];
}

/* The next number of a line, and what must follow it. */
static bool number(const char **p, int base, char after, uint64_t *out)
{
	char *end;
	errno = 0;
	*out = strtoull(*p, &end, base);
	if (end == *p || *end != after || errno)
		return false;
	*p = end + 1;
	return true;
}

/* Past the next blank-separated word. */
static const char *skip_word(const char *p)
{
	p += strcspn(p, " \n");
	return p + strspn(p, " ");
}

bool jp_shm_parse(const char *line, struct jp_shm_line *out)
{
	struct jp_shm_line l;
	uint64_t start, end;
	const char *p = line;
	if (!number(&p, 16, '-', &start) || !number(&p, 16, ' ', &end) || end <= start)
		return false;
	p = skip_word(p); /* rights */
	if (!number(&p, 16, ' ', &l.offset))
		return false;
	p = skip_word(p); /* device */
	if (!number(&p, 10, ' ', &l.inode))
		return false;
	p += strspn(p, " ");
	size_t n = strcspn(p, "\n");
	if (n >= sizeof l.path)
		return false;
	memcpy(l.path, p, n);
	l.path[n] = 0;
	if (!is_segment(l.path))
		return false;
	l.start = (uintptr_t)start;
	l.end = (uintptr_t)end;
	*out = l;
	return true;
}

bool jp_shm_largest(FILE *maps, struct jp_shm_line *out)
{
	char line[512];
	struct jp_shm_line l;
	bool found = false;
	while (fgets(line, sizeof line, maps)) {
		if (!jp_shm_parse(line, &l) || (found && l.end - l.start <= out->end - out->start))
			continue;
		*out = l;
		found = true;
	}
	return found;
}

static enum jp_status map_it(int fd, struct jp_shm *shm, struct jp_why *why)
{
	struct stat st;
	if (fstat(fd, &st) || st.st_ino != shm->theirs.inode)
		return jp_why_set(why, JP_UNSUPPORTED,
			"%s is not the file that libjack uses any more: per-client times are not available",
			shm->theirs.path);
	void *base = st.st_size > 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (base == MAP_FAILED)
		return jp_why_set(why, JP_IO, "cannot map %s: %s; per-client times are not available", shm->theirs.path,
			strerror(errno));
	shm->base = base;
	shm->size = (size_t)st.st_size;
	return JP_OK;
}

enum jp_status jp_shm_open(struct jp_shm *out, struct jp_why *why)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	bool found = maps && jp_shm_largest(maps, &out->theirs);
	if (maps)
		fclose(maps);
	if (!found)
		return jp_why_set(why, JP_UNSUPPORTED,
			"libjack maps no shared memory of a server: per-client times are not available");
	int fd = open(out->theirs.path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return jp_why_set(why, jp_status_from_errno(errno),
			"cannot open %s: %s; run as the server's user for per-client times", out->theirs.path,
			strerror(errno));
	enum jp_status status = map_it(fd, out, why);
	close(fd);
	return status;
}

void jp_shm_close(struct jp_shm *shm)
{
	if (shm->base)
		munmap(shm->base, shm->size);
	shm->base = NULL;
}

size_t jp_shm_offset(const struct jp_shm *shm, const void *theirs)
{
	uintptr_t p = (uintptr_t)theirs;
	if (p < shm->theirs.start || p >= shm->theirs.end)
		return SIZE_MAX;
	return p - shm->theirs.start + shm->theirs.offset;
}

void jp_shm_hold(const struct jp_shm *shm, size_t from, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), first = from / page * page;
	if (from >= shm->size || size > shm->size - from)
		return;
	for (size_t at = first; at < from + size; at += page)
		(void)*(const volatile unsigned char *)(shm->base + at);
	(void)mlock(shm->base + first, from + size - first);
}
