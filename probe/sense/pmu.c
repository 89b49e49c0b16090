/* Descriptions of perf's event sources and opening of counters. */
#include "sense/pmu.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEVICES "/sys/bus/event_source/devices"

enum jp_status jp_pmu_type(const struct jp_tree *tree, const char *pmu, uint32_t *out)
{
	uint64_t type;
	enum jp_status status = jp_tree_u64(tree, &type, DEVICES "/%s/type", pmu);
	if (status != JP_OK)
		return status;
	*out = (uint32_t)type;
	return type <= UINT32_MAX ? JP_OK : JP_BAD_DATA;
}

/* One "first-last" or "bit" of a format; takes the low bits of *value. */
static bool place_range(const char **format, uint64_t *value, uint64_t *config)
{
	char *end;
	unsigned long first = strtoul(*format, &end, 10), last = first;
	if (end == *format)
		return false;
	if (*end == '-') {
		const char *second = end + 1;
		last = strtoul(second, &end, 10);
		if (end == second)
			return false;
	}
	if (last < first || last > 63)
		return false;
	unsigned long width = last - first + 1;
	uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
	*config |= (*value & mask) << first;
	*value = width == 64 ? 0 : *value >> width;
	*format = end;
	return true;
}

enum jp_status jp_pmu_place(const char *format, uint64_t value, uint64_t *config)
{
	static const char word[] = "config:";
	if (strncmp(format, word, strlen(word)) != 0)
		return JP_BAD_DATA;
	format += strlen(word);
	do {
		if (!place_range(&format, &value, config))
			return JP_BAD_DATA;
	} while (*format++ == ',');
	return format[-1] == 0 && value == 0 ? JP_OK : JP_BAD_DATA;
}

/* One "name=value" or "name" (which means 1). */
static enum jp_status place_term(const struct jp_tree *tree, const char *pmu, char *term, uint64_t *config)
{
	char format[64], *end = "";
	char *value = strchr(term, '=');
	uint64_t number = 1;
	if (value) {
		*value++ = 0;
		number = strtoull(value, &end, 0);
		if (end == value || *end)
			return JP_BAD_DATA;
	}
	enum jp_status status = jp_tree_line(tree, format, sizeof format, DEVICES "/%s/format/%s", pmu, term);
	return status == JP_OK ? jp_pmu_place(format, number, config) : JP_BAD_DATA;
}

enum jp_status jp_pmu_event(
	const struct jp_tree *tree, const char *pmu, const char *event, struct perf_event_attr *attr)
{
	char text[128], *rest = NULL;
	uint64_t config = 0;
	uint32_t type;
	enum jp_status status = jp_pmu_type(tree, pmu, &type);
	if (status == JP_OK)
		status = jp_tree_line(tree, text, sizeof text, DEVICES "/%s/events/%s", pmu, event);
	if (status != JP_OK)
		return status;
	for (char *term = strtok_r(text, ",", &rest); term && status == JP_OK; term = strtok_r(NULL, ",", &rest))
		status = place_term(tree, pmu, term, &config);
	attr->type = type;
	attr->config = config;
	return status;
}

static double number_in_c(const char *text)
{
	char *end;
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (c == (locale_t)0)
		return NAN;
	double value = strtod_l(text, &end, c);
	freelocale(c);
	return end == text || *end ? NAN : value;
}

enum jp_status jp_pmu_scale(
	const struct jp_tree *tree, const char *pmu, const char *event, const char *unit, double *out)
{
	char scale[64], word[32];
	if (jp_tree_line(tree, scale, sizeof scale, DEVICES "/%s/events/%s.scale", pmu, event) != JP_OK ||
		jp_tree_line(tree, word, sizeof word, DEVICES "/%s/events/%s.unit", pmu, event) != JP_OK)
		return JP_MISSING;
	*out = number_in_c(scale);
	return strcmp(word, unit) == 0 && isfinite(*out) && *out > 0 ? JP_OK : JP_BAD_DATA;
}

int jp_pmu_open(const struct perf_event_attr *attr, int cpu, int leader)
{
	struct perf_event_attr a = *attr;
	a.size = sizeof a;
	a.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return (int)syscall(SYS_perf_event_open, &a, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

bool jp_pmu_read(int leader, uint64_t *values, size_t n)
{
	uint64_t buf[3 + JP_PMU_GROUP_MAX]; /* how many, time enabled, time running, values */
	ssize_t got = read(leader, buf, sizeof buf);
	if (got < (ssize_t)((3 + n) * sizeof *buf) || buf[0] < n || buf[2] == 0)
		return false;
	memcpy(values, buf + 3, n * sizeof *values);
	return true;
}

enum jp_status jp_pmu_why(const struct jp_tree *tree, int err, const char *what, struct jp_why *why)
{
	char level[16] = "?";
	if (err != EACCES && err != EPERM)
		return jp_why_set(why, JP_UNSUPPORTED, "%s cannot be opened: %s", what, strerror(err));
	jp_tree_line(tree, level, sizeof level, "/proc/sys/kernel/perf_event_paranoid");
	return jp_why_set(why, JP_DENIED,
		"%s are closed to this user (kernel.perf_event_paranoid is %s): setcap cap_perfmon+ep on the program "
		"(not with pw-jack), or set it to 0 or less",
		what, level);
}
