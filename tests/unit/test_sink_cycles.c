/* --cycles FILE.csv. */
#include "support/scratch.h"
#include "support/sinkrun.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(sink_cycles, .init = jp_scratch_make, .fini = jp_scratch_remove);

static const char header[] = "frame,nframes,rate_hz,wake_ns,nominal_ns,head_ns,tail_ns,end_ns,wake_source,end_source,"
			     "flags,head_cpu,tail_cpu\n";

static const struct jp_cycle samples[] = {
	{.frame = 4294967424,
		.wake_ns = 86400000000000,
		.nominal_ns = 86399999969000,
		.head_ns = 86400000021000,
		.tail_ns = 86400001152505,
		.end_ns = 86400001148000,
		.nframes = 128,
		.rate_hz = 48000,
		.flags = JP_CYCLE_LATE | JP_CYCLE_EPOCH,
		.wake_source = JP_WAKE_DRIVER,
		.end_source = JP_END_SERVER,
		.head_cpu = 0,
		.tail_cpu = 11},
	{.frame = UINT64_MAX, /* no number may be cut: every field at its longest */
		.wake_ns = INT64_MIN + 1,
		.nominal_ns = INT64_MIN + 1,
		.head_ns = INT64_MIN + 1,
		.tail_ns = INT64_MIN + 1,
		.end_ns = INT64_MIN + 1,
		.nframes = UINT32_MAX,
		.rate_hz = UINT32_MAX,
		.flags = UINT16_MAX,
		.wake_source = JP_WAKE_FILTERED,
		.end_source = JP_END_SERVER,
		.head_cpu = INT16_MAX,
		.tail_cpu = INT16_MAX},
	{.frame = 0, /* nothing known */
		.wake_ns = JP_NS_UNKNOWN,
		.nominal_ns = JP_NS_UNKNOWN,
		.head_ns = JP_NS_UNKNOWN,
		.tail_ns = JP_NS_UNKNOWN,
		.end_ns = JP_NS_UNKNOWN,
		.nframes = 64,
		.flags = JP_CYCLE_NO_HEAD,
		.head_cpu = -1,
		.tail_cpu = -1},
};

static const char lines[] =
	"4294967424,128,48000,86400000000000,86399999969000,86400000021000,86400001152505,86400001148000,driver,server,"
	"24,0,11\n"
	"18446744073709551615,4294967295,4294967295,-9223372036854775807,-9223372036854775807,-9223372036854775807,"
	"-9223372036854775807,-9223372036854775807,filtered,server,65535,32767,32767\n"
	"0,64,,,,,,,,,4,,\n";

static void write_samples(const char *path)
{
	struct jp_meta meta = {.n = 0};
	struct jp_sinks *s = jp_sinkrun_cycles(path);
	jp_sinks_begin(s, &meta);
	jp_sinks_cycles(s, samples, 3);
	jp_sinks_cycles(s, samples, 0);
	jp_sinkrun_end(s, 0);
}

Test(sink_cycles, each_cycle_is_a_line_and_unknown_is_empty)
{
	const char *path = jp_scratch_path("cycles.csv");
	write_samples(path);
	const char *text = jp_scratch_read(path);
	cr_assert_eq(strncmp(text, header, strlen(header)), 0);
	cr_assert_str_eq(text + strlen(header), lines);
	write_samples(path);
	cr_assert_eq(
		strlen(jp_scratch_read(path)), strlen(header) + 2 * strlen(lines), "continued without a second header");
}

Test(sink_cycles, a_run_of_windows_is_not_continued_with_cycles)
{
	struct jp_sink_instance out;
	struct jp_why why;
	jp_scratch_write(jp_scratch_path("run.csv"), "time_utc,unix_ns\n");
	cr_assert_eq(jp_sink_open_cycles(jp_scratch_path("run.csv"), &out, &why), JP_EXISTS);
	cr_assert_not_null(strstr(why.text, "column 1 'time_utc' where 'frame' is expected"), "%s", why.text);
}

Test(sink_cycles, a_large_batch_is_whole)
{
	enum { N = 5000 };
	struct jp_cycle *batch = calloc(N, sizeof *batch);
	for (size_t i = 0; i < N; i++) {
		batch[i] = samples[0];
		batch[i].frame = i;
	}
	const char *path = jp_scratch_path("cycles.csv");
	struct jp_sinks *s = jp_sinkrun_cycles(path);
	jp_sinks_cycles(s, batch, N);
	jp_sinkrun_end(s, 0);
	const char *at = jp_scratch_read(path);
	for (size_t i = 0; i < N; i++) {
		at = strchr(at, '\n') + 1;
		cr_assert_eq(strtoull(at, NULL, 10), i);
	}
	cr_assert_str_eq(strchr(at, '\n'), "\n");
	free(batch);
}
