/* Guard against clients that are never called. */
#include "guard.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Path and inode of a line `from-to perms offset dev inode path`; NULL when it maps no semaphore of JACK's. */
static char *semaphore(char *line, uint64_t *inode)
{
	int before = -1, after = -1;
	sscanf(line, "%*s %*s %*s %*s %n%*s %n", &before, &after);
	if (after < 0 || strncmp(line + after, "/dev/shm/jack_sem.", 18) != 0)
		return NULL;
	char *path = line + after;
	*inode = strtoull(line + before, NULL, 10);
	path[strcspn(path, "\n")] = 0;
	return path;
}

/* The kernel writes the newline of a name as \\012, and a \\012 as itself. */
static void read_newlines(char *path)
{
	for (char *p; (p = strstr(path, "\\012"));) {
		*p = '\n';
		memmove(p + 1, p + 4, strlen(p + 4) + 1);
	}
}

int jp_guard_count(FILE *maps, jp_guard_inode inode_of)
{
	char *line = NULL;
	size_t room = 0;
	int dead = 0;
	while (getline(&line, &room, maps) > 0) {
		uint64_t inode;
		char *path = semaphore(line, &inode);
		/* The kernel marks a file that is gone with " (deleted)": a name that does not exist either way. */
		if (!path || inode_of(path) == inode)
			continue;
		read_newlines(path);
		dead += inode_of(path) != inode;
	}
	free(line);
	return dead;
}

static uint64_t inode_now(const char *path)
{
	struct stat st;
	return stat(path, &st) ? 0 : (uint64_t)st.st_ino;
}

int jp_guard_scan(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	if (!maps)
		return -1;
	int dead = jp_guard_count(maps, inode_now);
	fclose(maps);
	return dead;
}
