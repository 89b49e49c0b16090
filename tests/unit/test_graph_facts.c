/* What the session knows of its surroundings: JACK's clock, kind of server, dead entries, scheduling, hanging calls. */
#include "graph/freewheel.h"
#include "graph/guard.h"
#include "graph/server.h"
#include "graph/watch.h"
#include "sys/clock.h"
#include "sys/thread.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define S INT64_C(1000000000)

Test(clock, match)
{
	const struct {
		struct jp_clock_look look;
		clockid_t likelier, want;
		enum jp_status status;
	} rows[] = {
		{{100 * S, 100 * S + 3000, 350 * S, 350 * S + 1000, 100000001}, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW,
			JP_OK},
		{{100 * S, 100 * S + 3000, 350 * S, 350 * S + 1000, 350000000}, CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC,
			JP_OK},
		/* 250 ms apart, as seen after 20 minutes */
		{{100 * S, 100 * S + 3000, 100 * S + 250000000, 100 * S + 250001000, 100250000}, CLOCK_MONOTONIC_RAW,
			CLOCK_MONOTONIC, JP_OK},
		/* counted in ns */
		{{100 * S, 100 * S + 3000, 350 * S, 350 * S + 1000, 350 * S + 500}, CLOCK_MONOTONIC_RAW,
			CLOCK_MONOTONIC, JP_OK},
		/* both fit: just after boot */
		{{9 * S, 9 * S + 3000, 9 * S, 9 * S + 2000, 9000001}, CLOCK_MONOTONIC, CLOCK_MONOTONIC, JP_OK},
		{{9 * S, 9 * S + 3000, 9 * S, 9 * S + 2000, 9000001}, CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_RAW, JP_OK},
		/* rounding by 1 us is none of a mismatch, 5 us are */
		{{100 * S, 100 * S + 900, 350 * S, 350 * S + 900, 99999999}, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW,
			JP_OK},
		{{100 * S, 100 * S + 900, 350 * S, 350 * S + 900, 100000005}, CLOCK_MONOTONIC, -1, JP_UNSUPPORTED},
		/* a counter of its own */
		{{100 * S, 100 * S + 900, 350 * S, 350 * S + 900, 123456}, CLOCK_MONOTONIC, -1, JP_UNSUPPORTED},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		clockid_t got = -1;
		cr_expect_eq(jp_clock_match(&rows[i].look, rows[i].likelier, &got), rows[i].status, "row %zu", i);
		cr_expect_eq(got, rows[i].want, "row %zu: %d", i, (int)got);
	}
}

static uint64_t raw_us(void)
{
	return (uint64_t)jp_clock_now(CLOCK_MONOTONIC_RAW) / 1000;
}

static uint64_t wall_us(void)
{
	return (uint64_t)jp_clock_now(CLOCK_REALTIME) / 1000;
}

Test(clock, find)
{
	clockid_t clock = -1;
	struct jp_why why = {""};
	cr_assert_eq(jp_clock_find(raw_us, CLOCK_MONOTONIC_RAW, &clock, &why), JP_OK);
	cr_assert_eq(clock, CLOCK_MONOTONIC_RAW);
	cr_assert_eq(jp_clock_find(wall_us, CLOCK_MONOTONIC_RAW, &clock, &why), JP_UNSUPPORTED);
	cr_assert(strstr(why.text, "-c s"), "%s", why.text);
}

Test(server, kinds)
{
	const struct {
		const char *version;
		uintptr_t handle;
		enum jp_server_kind kind;
		const char *text;
	} rows[] = {
		{"1.9.21", 7, JP_SERVER_JACK2, "jackd2 1.9.21"},
		{"1.9.21", 0, JP_SERVER_JACK2, "jackd2 1.9.21"},
		{"3.0.0.0 (using PipeWire 0.3.65)", 0x7f0012345678, JP_SERVER_PIPEWIRE, "PipeWire 0.3.65"},
		{"0.126.0", 0x7f0012345678, JP_SERVER_JACK1, "jackd1 0.126.0"},
		{NULL, 7, JP_SERVER_JACK2, "jackd2"},
		{NULL, 0, JP_SERVER_UNKNOWN, ""},
		{"1.9.21", 0x7f0012345678, JP_SERVER_UNKNOWN, "JACK 1.9.21"},
		{"5.0", 0, JP_SERVER_UNKNOWN, "JACK 5.0"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[64];
		enum jp_server_kind kind = jp_server_kind(rows[i].version, rows[i].handle);
		cr_expect_eq(kind, rows[i].kind, "row %zu", i);
		jp_server_text(kind, rows[i].version, text, sizeof text);
		cr_expect_str_eq(text, rows[i].text);
	}
	cr_assert_eq(jp_server_wake_source(JP_SERVER_UNKNOWN), JP_WAKE_FILTERED);
	cr_assert_eq(jp_server_pair_mode(JP_SERVER_PIPEWIRE), JP_PAIR_COALESCED);
	cr_assert_eq(jp_server_pair_mode(JP_SERVER_JACK2), JP_PAIR_QUEUED);
}

/* The file system as the test has it: 11 and 13 are there, 12 was made anew as 99, others are gone. */
static uint64_t inode_of(const char *path)
{
	if (!strcmp(path, "/dev/shm/jack_sem.0_default_system"))
		return 11;
	if (!strcmp(path, "/dev/shm/jack_sem.0_default_two\nlines"))
		return 13;
	return strcmp(path, "/dev/shm/jack_sem.0_default_my synth") ? 0 : 99;
}

static int dead_in(const char *maps)
{
	FILE *f = fmemopen((void *)(uintptr_t)maps, strlen(maps), "r");
	int dead = jp_guard_count(f, inode_of);
	fclose(f);
	return dead;
}

Test(guard, finds_dead_entries)
{
	const char *const alive =
		"7f01-7f02 rw-s 00000000 00:19 11                         /dev/shm/jack_sem.0_default_system\n";
	const char *const remade =
		"7f01-7f02 rw-s 00000000 00:19 12                         /dev/shm/jack_sem.0_default_my synth\n";
	const char *const gone =
		"7f01-7f02 rw-s 00000000 00:19 12                         /dev/shm/jack_sem.0_default_w0 (deleted)\n";
	const char *const others =
		"7f01-7f02 r-xp 00000000 fe:00 1300                      /usr/lib/libjack.so.0\n"
		"7f03-7f04 rw-s 00000000 00:19 7                          /dev/shm/jack-0-0 (deleted)\n"
		"7f05-7f06 rw-p 00000000 00:00 0 \n"
		"7f07-7f08 rw-p 00000000 00:00 0                          [heap]\n"
		"7f01-7f02 r--p 0000 00:19 12 /home/x/dev/shm/jack_sem.0_default_w0 (deleted)\n";
	char all[2048];
	cr_assert_eq(dead_in(alive), 0);
	cr_assert_eq(dead_in(remade), 1);
	cr_assert_eq(dead_in(gone), 1);
	cr_assert_eq(dead_in(others), 0);
	const char *const lines =
		"7f01-7f02 rw-s 00000000 00:19 13                         /dev/shm/jack_sem.0_default_two\\012lines\n";
	cr_assert_eq(dead_in(lines), 0, "a name with a newline");
	snprintf(all, sizeof all, "%s%s%s%s%s", others, gone, alive, remade, gone);
	cr_assert_eq(dead_in(all), 3);
	cr_assert_eq(jp_guard_scan(), 0, "this process has no semaphore of JACK's");
}

Test(freewheel, in_step)
{
	const struct {
		uint32_t rate, frames, passed;
		int64_t elapsed_ns;
		bool want;
	} rows[] = {
		{48000, 128, 9600, 200000000, true},
		{48000, 128, 9600 + 2400, 200000000, true},
		{48000, 128, 9600 + 2401, 200000000, false},
		{48000, 128, 9600 - 2401, 200000000, false},
		{48000, 4096, 8192, 1000000, true},     /* periods longer than the look */
		{48000, 128, 176000, 200000000, false}, /* as measured: 18 times too fast */
		{48000, 128, 0, 200000000, false},
		{44100, 8192, 131072, 2972154195, true},
		{44100, 8192, 131072 + 5 * 8192, 2972154195, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect_eq(jp_freewheel_in_step(rows[i].rate, rows[i].frames, rows[i].passed, rows[i].elapsed_ns),
			rows[i].want, "row %zu", i);
}

Test(sched, text)
{
	const struct {
		struct jp_sched sched;
		bool server;
		const char *want;
	} rows[] = {
		{{SCHED_FIFO, 55, 0}, true, "SCHED_FIFO 55"},
		{{SCHED_RR, 10, 0}, false, "SCHED_RR 10"},
		{{SCHED_OTHER, 0, 0}, true, "SCHED_OTHER: no real-time rights"},
		{{SCHED_OTHER, 0, 0}, false, "SCHED_OTHER: not real-time, like the server"},
		{{SCHED_OTHER, 0, 95}, true, "SCHED_OTHER: real-time scheduling was not granted"},
		{{SCHED_BATCH, 0, -1}, true, "SCHED_BATCH: real-time scheduling was not granted"},
	};
	char text[160];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		jp_sched_text(&rows[i].sched, rows[i].server, text, sizeof text);
		cr_expect_eq(strncmp(text, rows[i].want, strlen(rows[i].want)), 0, "%s", text);
	}
	struct jp_sched unknown = {.policy = -1};
	jp_sched_text(&unknown, true, text, sizeof text);
	cr_assert_str_eq(text, "");
}

Test(sched, asks_the_kernel)
{
	pid_t tid = jp_thread_tid(pthread_self());
	cr_assert_eq(tid, gettid());
	cr_assert_eq(jp_sched_of(tid).policy, sched_getscheduler(0));
	cr_assert_eq(jp_sched_of(tid).priority, 0);
}

Test(watch, names_the_call_that_hangs)
{
	struct jp_watch watch;
	char text[128] = "";
	jp_watch_init(&watch);
	cr_assert_not(jp_watch_hangs(&watch, 0, text, sizeof text), "nothing is called");
	jp_watch_begin(&watch, "jack_connect to %s", "synth:out");
	cr_assert_not(jp_watch_hangs(&watch, 100000, text, sizeof text));
	cr_assert(jp_watch_hangs(&watch, 0, text, sizeof text));
	cr_assert_eq(strncmp(text, "jack_connect to synth:out hangs for 0 s", 39), 0, "%s", text);
	jp_watch_end(&watch);
	cr_assert_not(jp_watch_hangs(&watch, 0, text, sizeof text));
}
