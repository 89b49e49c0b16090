#include "scratch.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT_MAX = 256 };

static char dir[64];
static char *kept[KEPT_MAX]; /* strings that stay until the test ends */
static size_t n_kept;

static const char *keep(char *text)
{
	cr_assert_lt(n_kept, KEPT_MAX);
	kept[n_kept++] = text;
	return text;
}

void jp_scratch_make(void)
{
	strcpy(dir, "/tmp/jackprobe-test-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void jp_scratch_remove(void)
{
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	while (n_kept)
		free(kept[--n_kept]);
}

const char *jp_scratch_path(const char *fmt, ...)
{
	char name[128], *path;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(name, sizeof name, fmt, ap);
	va_end(ap);
	cr_assert(asprintf(&path, "%s/%s", dir, name) > 0);
	return keep(path);
}

const char *jp_scratch_read(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = fopen(path, "r");
	if (!f)
		return NULL;
	ssize_t n = getdelim(&text, &size, '\0', f);
	fclose(f);
	if (n < 0) {
		free(text);
		text = strdup("");
	}
	return keep(text);
}

char *jp_scratch_join(const char *a, const char *b, const char *c)
{
	char *text;
	cr_assert(asprintf(&text, "%s%s%s", a, b, c) >= 0);
	keep(text);
	return text;
}

void jp_scratch_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	cr_assert(fputs(text, f) >= 0);
	cr_assert_eq(fclose(f), 0);
}
