#include "golden.h"

#include "scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void jp_golden(const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof path, "tests/golden/%s", name);
	const char *mode = getenv("JP_GOLDEN");
	if (mode && strcmp(mode, "write") == 0) {
		jp_scratch_write(path, text);
		return;
	}
	const char *want = jp_scratch_read(path);
	cr_assert_not_null(want, "%s is missing", path);
	int line = 1;
	for (size_t i = 0; want[i] && want[i] == text[i]; i++)
		line += want[i] == '\n';
	cr_expect_str_eq(text, want, "differs from %s from line %d on:\n%s", path, line, text);
}
