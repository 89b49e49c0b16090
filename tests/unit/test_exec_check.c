/* The server's record of ourselves against our own stamps. Times in us. */
#include "collect/exec_check.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 5, TAIL = 6, PERIOD = 1000 };

struct bench {
	struct jp_exec_check *check;
	struct jp_exec_merge *merge;
	struct jp_why why;
};

static void start(struct bench *b)
{
	b->check = calloc(1, sizeof *b->check);
	b->merge = jp_exec_merge_new(20000000);
	b->why.text[0] = 0;
	jp_exec_merge_role(b->merge, HEAD, JP_EXEC_HEAD);
	jp_exec_merge_role(b->merge, TAIL, JP_EXEC_TAIL);
}

static void end(struct bench *b)
{
	free(b->check);
	jp_exec_merge_free(b->merge);
}

/* Call k of a role: from 1000 k + 31 to + 33. */
static void call(struct bench *b, enum jp_role role, int k, uint8_t flags)
{
	struct jp_record r = {.entry_ns = (uint64_t)(k * PERIOD + 31) * 1000,
		.cost_ns = k > 1 ? 2000 : 0,
		.role = (uint8_t)role,
		.flags = flags};
	jp_exec_check_put(b->check, &r, 1);
}

static void record(struct bench *b, int ref, int awake, int finished)
{
	int64_t end_ns = (int64_t)finished * 1000;
	struct jp_exec e = {(int64_t)(awake - 20) * 1000, (int64_t)awake * 1000, end_ns, end_ns, ref, 3};
	jp_exec_merge_put(b->merge, &e, 1);
	jp_exec_merge_advance(b->merge, INT64_MAX);
}

static enum jp_status run(struct bench *b)
{
	return jp_exec_check_run(b->check, b->merge, INT64_MAX, &b->why);
}

Test(exec_check, a_record_that_agrees_is_fine_for_ever)
{
	struct bench b;
	start(&b);
	for (int k = 1; k < 3000; k++) {
		call(&b, JP_HEAD, k, 0);
		call(&b, JP_TAIL, k, 0);
		record(&b, HEAD, k * PERIOD + 31, k * PERIOD + 33);   /* the very microseconds */
		record(&b, TAIL, k * PERIOD - 200, k * PERIOD + 300); /* preempted before and after */
		cr_assert_eq(run(&b), JP_OK, "%s", b.why.text);
	}
	end(&b);
}

/* What an execution says of call 2 (2031 to 2033; the one before ended at 1033). */
Test(exec_check, the_first_contradiction_is_one)
{
	static const struct {
		const char *about;
		int awake, finished;
		enum jp_status status;
	} rows[] = {
		{"ended before the call returned", 2020, 2031, JP_BAD_DATA},
		{"began before the call before returned", 1031, 2040, JP_BAD_DATA}, {"around it", 1034, 2033, JP_OK},
		{"elsewhere", 2100, 2110, JP_OK}, /* merely not there: one may be missed */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct bench b;
		start(&b);
		for (int k = 1; k <= 3; k++)
			call(&b, JP_HEAD, k, 0);
		if (rows[i].awake > 1040)
			record(&b, HEAD, 1030, 1034);
		record(&b, HEAD, rows[i].awake, rows[i].finished);
		cr_assert_eq(run(&b), rows[i].status, "%s: %s", rows[i].about, b.why.text);
		cr_assert_eq(b.why.text[0] != 0, rows[i].status == JP_BAD_DATA);
		end(&b);
	}
}

Test(exec_check, calls_that_are_never_recorded_are_a_contradiction)
{
	struct bench b;
	start(&b);
	for (int k = 1; k <= JP_EXEC_CHECK_MISSES; k++)
		call(&b, JP_TAIL, k, 0);
	cr_assert_eq(run(&b), JP_OK);
	call(&b, JP_TAIL, JP_EXEC_CHECK_MISSES + 1, 0);
	cr_assert_eq(run(&b), JP_BAD_DATA);
	end(&b);
}

Test(exec_check, gaps_and_freewheel_are_not_held_against_it)
{
	struct bench b;
	start(&b);
	for (int k = 1; k <= 40; k++) {
		call(&b, JP_HEAD, k, k % 8 ? 0 : JP_REC_FREEWHEEL);
		if (k % 4 == 0)
			jp_exec_check_gap(b.check);
		cr_assert_eq(run(&b), JP_OK);
	}
	end(&b);
}

/* PipeWire's profiler leaves out what it cannot report while the server makes up for a delay. */
Test(exec_check, reports_may_be_left_out_and_are_believed)
{
	struct bench b;
	start(&b);
	jp_exec_check_reports(b.check, true);
	for (int k = 1; k < 8000; k++) { /* 1000 a second */
		bool silent = k > 1000 && k < 3900;
		call(&b, JP_HEAD, k, 0);
		if (!silent)
			record(&b, HEAD, k * PERIOD + 31, k * PERIOD + 32); /* ended before the call returned */
		cr_assert_eq(run(&b), JP_OK, "call %d: %s", k, b.why.text);
	}
	end(&b);
}

Test(exec_check, long_silence_of_the_reports_is_told)
{
	struct bench b;
	enum jp_status status = JP_OK;
	int k = 1;
	start(&b);
	jp_exec_check_reports(b.check, true);
	for (; k < 8000 && status == JP_OK; k++) {
		call(&b, JP_HEAD, k, 0);
		if (k <= 1000)
			record(&b, HEAD, k * PERIOD + 31, k * PERIOD + 40);
		status = run(&b);
	}
	cr_assert_eq(status, JP_BAD_DATA);
	cr_assert(k > 4000 && k < 4010, "%d", k);
	cr_assert_str_eq(b.why.text, "the server has reported no calls of our head for 3 s: per-client times are off");
	end(&b);
}
