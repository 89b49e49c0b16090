#include "support/tree_fixture.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <grp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 512 };

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* nftw hands its visitor no argument. */
static const char *copy_to;
static size_t copy_skip;

static int copy_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	char text[65536], target[PATH_SIZE];
	(void)st;
	(void)ftw;
	if (type != FTW_F)
		return 0;
	FILE *in = fopen(path, "rb");
	cr_assert_not_null(in, "%s", path);
	size_t n = fread(text, 1, sizeof text, in);
	fclose(in);
	snprintf(target, sizeof target, "%s", path + copy_skip);
	struct tree_fixture f;
	snprintf(f.root, sizeof f.root, "%s", copy_to);
	tree_fixture_put_bytes(&f, target, text, n);
	return 0;
}

struct tree_fixture tree_fixture_new(const char *copy_of)
{
	struct tree_fixture f = {"/tmp/jackprobe-tree-XXXXXX"};
	cr_assert_not_null(mkdtemp(f.root));
	chmod(f.root, 0755);
	if (copy_of) {
		char from[PATH_SIZE];
		snprintf(from, sizeof from, "tests/fakeroot/%s", copy_of);
		copy_to = f.root;
		copy_skip = strlen(from);
		cr_assert_eq(nftw(from, copy_one, 16, FTW_PHYS), 0, "%s", from);
	}
	return f;
}

void tree_fixture_remove(struct tree_fixture *f)
{
	nftw(f->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void tree_fixture_path(const struct tree_fixture *f, const char *path, char *out, size_t size)
{
	snprintf(out, size, "%s%s%s", f->root, *path == '/' ? "" : "/", path);
}

void tree_fixture_put_bytes(const struct tree_fixture *f, const char *path, const void *bytes, size_t n)
{
	char full[PATH_SIZE];
	tree_fixture_path(f, path, full, sizeof full);
	for (char *slash = strchr(full + strlen(f->root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(full, 0755);
		*slash = '/';
	}
	FILE *out = fopen(full, "wb");
	cr_assert_not_null(out, "%s", full);
	cr_assert_eq(fwrite(bytes, 1, n, out), n);
	cr_assert_eq(fclose(out), 0);
}

void tree_fixture_put(const struct tree_fixture *f, const char *path, const char *text)
{
	tree_fixture_put_bytes(f, path, text, strlen(text));
}

void tree_fixture_number(const struct tree_fixture *f, uint64_t value, const char *fmt, ...)
{
	char path[PATH_SIZE], text[32];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	snprintf(text, sizeof text, "%llu\n", (unsigned long long)value);
	tree_fixture_put(f, path, text);
}

void tree_fixture_delete(const struct tree_fixture *f, const char *path)
{
	char full[PATH_SIZE];
	tree_fixture_path(f, path, full, sizeof full);
	nftw(full, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void tree_fixture_drop_rights(void)
{
	if (geteuid() != 0)
		return;
	cr_assert_eq(setgroups(0, NULL), 0);
	cr_assert_eq(setegid(65534), 0);
	cr_assert_eq(seteuid(65534), 0);
}

void tree_fixture_regain_rights(void)
{
	if (getuid() == 0)
		cr_assert_eq(seteuid(0), 0);
}

struct jp_sense *tree_fixture_sense(const struct tree_fixture *f, const char *watch)
{
	struct jp_sense_config config = {.sysroot = f->root, .watch = watch};
	struct jp_sense *s = NULL;
	struct jp_why why = {""};
	cr_assert_eq(jp_sense_open(&config, &s, &why), JP_OK, "%s", why.text);
	return s;
}

static size_t column(const struct jp_sense *s, const char *csv, size_t *n)
{
	const struct jp_extra_column *c = jp_sense_columns(s, n);
	size_t i = 0;
	while (i < *n && strcmp(c[i].csv, csv) != 0)
		i++;
	return i;
}

bool tree_fixture_has(const struct jp_sense *s, const char *csv)
{
	size_t n;
	return column(s, csv, &n) < n;
}

double tree_fixture_extra(const struct jp_sense *s, const struct jp_host *host, const char *csv)
{
	size_t n, i = column(s, csv, &n);
	cr_assert_lt(i, n, "no column %s", csv);
	return host->extra[i];
}

struct jp_sensor_status tree_fixture_status(const struct jp_sense *s, const char *sensor)
{
	struct jp_sensor_status status;
	for (size_t i = 0; jp_sense_status(s, i, &status); i++)
		if (strcmp(status.sensor, sensor) == 0)
			return status;
	cr_assert_fail("no sensor %s", sensor);
	return status;
}
