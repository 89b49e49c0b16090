/** @file tree_fixture.h
 * A fake root directory for sensor tests: starts empty or as a copy of tests/fakeroot/NAME, files are written at will. */
#ifndef TREE_FIXTURE_H
#define TREE_FIXTURE_H

#include <jackprobe/sense.h>
#include <stddef.h>
#include <stdint.h>

struct tree_fixture {
	char root[64];
};

/** @param copy_of directory below tests/fakeroot, or NULL. Readable by every user. Fails the test when it cannot. */
struct tree_fixture tree_fixture_new(const char *copy_of);
void tree_fixture_remove(struct tree_fixture *f);

/** Write a file, with the directories above it. */
void tree_fixture_put(const struct tree_fixture *f, const char *path, const char *text);
void tree_fixture_put_bytes(const struct tree_fixture *f, const char *path, const void *bytes, size_t n);
/** Write one number and a newline; the path is printf-like. */
void tree_fixture_number(const struct tree_fixture *f, uint64_t value, const char *fmt, ...) JP_PRINTF(3, 4);
void tree_fixture_delete(const struct tree_fixture *f, const char *path);
/** Full path of a file in it. */
void tree_fixture_path(const struct tree_fixture *f, const char *path, char *out, size_t size);

/** Continue as a user without rights (in a test's own process). */
void tree_fixture_drop_rights(void);
void tree_fixture_regain_rights(void);

/** Open the sensors on it; fails the test when it cannot. */
struct jp_sense *tree_fixture_sense(const struct tree_fixture *f, const char *watch);
/** Value of an extra column by name; fails the test when there is no such column. */
double tree_fixture_extra(const struct jp_sense *s, const struct jp_host *host, const char *csv);
/** Is there such a column? */
bool tree_fixture_has(const struct jp_sense *s, const char *csv);
/** Standing of a sensor by name; fails the test when there is none. */
struct jp_sensor_status tree_fixture_status(const struct jp_sense *s, const char *sensor);

#endif
