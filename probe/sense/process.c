/* Reading and finding processes. */
#include "sense/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMM_MAX = 15, LAST_FIELD = 24 };

enum jp_status jp_process_parse(const char *text, struct jp_process *out)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	uint64_t field[LAST_FIELD + 1] = {0};
	if (!open || !close || close < open || close[1] != ' ' || !close[2])
		return JP_BAD_DATA;
	snprintf(out->comm, sizeof out->comm, "%.*s", (int)(close - open - 1), open + 1);
	out->state = close[2];
	const char *at = close + 3;
	for (int i = 4; i <= LAST_FIELD; i++) {
		char *end;
		if (*at != ' ')
			return JP_BAD_DATA;
		errno = 0;
		field[i] = strtoull(at + 1, &end, 10); /* some fields are signed, none of those used */
		if (end == at + 1 || errno)
			return JP_BAD_DATA;
		at = end;
	}
	out->major_faults = field[12];
	out->cpu_ticks = field[14] + field[15];
	out->start_ticks = field[22];
	out->rss_pages = field[24];
	return JP_OK;
}

enum jp_status jp_process_read(const struct jp_tree *tree, int64_t pid, struct jp_process *out)
{
	char text[1024];
	enum jp_status status = jp_tree_text(tree, text, sizeof text, "/proc/%lld/stat", (long long)pid);
	if (status == JP_OK)
		status = jp_process_parse(text, out);
	return status == JP_OK && strchr("ZXx", out->state) ? JP_MISSING : status;
}

static bool has_name(const struct jp_tree *tree, uint64_t pid, const char *name)
{
	char comm[64];
	struct jp_process p;
	if (jp_tree_line(tree, comm, sizeof comm, "/proc/%llu/comm", (unsigned long long)pid) != JP_OK ||
		strncmp(comm, name, COMM_MAX) != 0 || strlen(comm) < strnlen(name, COMM_MAX))
		return false;
	return jp_process_read(tree, (int64_t)pid, &p) == JP_OK;
}

int64_t jp_process_find(const struct jp_tree *tree, const char *name, size_t *others)
{
	struct jp_names names = jp_tree_list(tree, "/proc", "");
	int64_t first = -1;
	*others = 0;
	for (size_t i = 0; i < names.n; i++) {
		uint64_t pid;
		if (jp_parse_u64(names.name[i], &pid) != JP_OK || pid > INT32_MAX || !has_name(tree, pid, name))
			continue;
		if (first < 0)
			first = (int64_t)pid;
		else
			++*others;
	}
	jp_names_free(&names);
	return first;
}
