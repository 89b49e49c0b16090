/* Facts of a run, and the words enums go by. */
#include <jackprobe/event.h>
#include <jackprobe/exec.h>
#include <jackprobe/summary.h>

#include <criterion/criterion.h>
#include <stdio.h>

Test(facts, a_key_that_is_there_gets_the_new_value)
{
	struct jp_meta meta = {.n = 0};
	jp_meta_put(&meta, "server", "jackd2");
	jp_meta_put(&meta, "clock", "raw");
	jp_meta_put(&meta, "server", "PipeWire");
	cr_assert_eq(meta.n, 2);
	cr_assert_str_eq(jp_meta_get(&meta, "server"), "PipeWire");
	cr_assert_str_eq(jp_meta_get(&meta, "clock"), "raw");
}

Test(facts, unknown_values_and_what_has_no_room_are_left_out)
{
	struct jp_meta meta = {.n = 0};
	jp_meta_put(&meta, "governor", "");
	cr_assert_null(jp_meta_get(&meta, "governor"));
	for (int i = 0; i <= JP_META_MAX; i++) {
		char key[16];
		snprintf(key, sizeof key, "key%d", i);
		jp_meta_put(&meta, key, "x");
	}
	cr_assert_eq(meta.n, JP_META_MAX);
	cr_assert_not_null(jp_meta_get(&meta, "key63"));
	cr_assert_null(jp_meta_get(&meta, "key64"));
	jp_meta_put(&meta, "key0", "new");
	cr_assert_str_eq(jp_meta_get(&meta, "key0"), "new", "a full table still takes new values");
}

Test(facts, words)
{
	cr_expect_str_eq(jp_state_text(JP_STATE_STALE), "stale");
	cr_expect_str_eq(jp_wake_source_text(JP_WAKE_FILTERED), "filtered");
	cr_expect_str_eq(jp_wake_source_text(JP_WAKE_UNKNOWN), "");
	cr_expect_str_eq(jp_end_source_text(JP_END_SERVER), "server");
	cr_expect_str_eq(jp_exec_state_text(JP_EXEC_RUNNING), "running");
	cr_expect_str_eq(jp_exec_state_text(JP_EXEC_FINISHED), "finished");
	cr_expect_str_eq(jp_exec_state_text(JP_EXEC_UNKNOWN), "");
	cr_expect_str_eq(jp_event_type_text(JP_EVENT_SERVER_GONE), "server_gone");
	for (int i = 0; i < JP_EVENT_TYPES; i++)
		cr_expect_neq(jp_event_type_text((enum jp_event_type)i)[0], 0, "event %d has no word", i);
}
