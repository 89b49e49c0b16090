#include <jackprobe/event.h>

#include <criterion/criterion.h>

Test(names, words_of_sources_and_states)
{
	cr_expect_str_eq(jp_wake_source_text(JP_WAKE_DRIVER), "driver");
	cr_expect_str_eq(jp_wake_source_text(JP_WAKE_NOMINAL), "nominal");
	cr_expect_str_eq(jp_wake_source_text(JP_WAKE_FILTERED), "filtered");
	cr_expect_str_eq(jp_wake_source_text(JP_WAKE_UNKNOWN), "");
	cr_expect_str_eq(jp_end_source_text(JP_END_TAIL), "tail");
	cr_expect_str_eq(jp_end_source_text(JP_END_SERVER), "server");
	cr_expect_str_eq(jp_end_source_text(JP_END_UNKNOWN), "");
	cr_expect_str_eq(jp_state_text(JP_STATE_RUNNING), "running");
	cr_expect_str_eq(jp_state_text(JP_STATE_STALE), "stale");
	cr_expect_str_eq(jp_state_text(JP_STATE_FREEWHEEL), "freewheel");
	cr_expect_str_eq(jp_state_text(JP_STATE_DISCONNECTED), "disconnected");
}

Test(names, every_event_has_its_word)
{
	static const char *const words[JP_EVENT_TYPES] = {"overrun", "xrun", "lost", "epoch", "graph", "freewheel",
		"suspend", "stale", "stuck", "server_gone", "server_back", "sink_error"};
	for (int i = 0; i < JP_EVENT_TYPES; i++)
		cr_expect_str_eq(jp_event_type_text((enum jp_event_type)i), words[i]);
	cr_expect_str_eq(jp_event_type_text(JP_EVENT_TYPES), "");
}
