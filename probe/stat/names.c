/* The words that stand in files and messages for states, sources and events. */
#include <jackprobe/event.h>
#include <jackprobe/exec.h>

const char *jp_wake_source_text(enum jp_wake_source s)
{
	switch (s) {
	case JP_WAKE_UNKNOWN:
		break;
	case JP_WAKE_DRIVER:
		return "driver";
	case JP_WAKE_NOMINAL:
		return "nominal";
	case JP_WAKE_FILTERED:
		return "filtered";
	}
	return "";
}

const char *jp_end_source_text(enum jp_end_source s)
{
	switch (s) {
	case JP_END_UNKNOWN:
		break;
	case JP_END_TAIL:
		return "tail";
	case JP_END_SERVER:
		return "server";
	}
	return "";
}

const char *jp_state_text(enum jp_state s)
{
	switch (s) {
	case JP_STATE_RUNNING:
		return "running";
	case JP_STATE_STALE:
		return "stale";
	case JP_STATE_FREEWHEEL:
		return "freewheel";
	case JP_STATE_DISCONNECTED:
		return "disconnected";
	}
	return "";
}

const char *jp_exec_state_text(enum jp_exec_state s)
{
	switch (s) {
	case JP_EXEC_UNKNOWN:
		break;
	case JP_EXEC_IDLE:
		return "idle";
	case JP_EXEC_TRIGGERED:
		return "triggered";
	case JP_EXEC_RUNNING:
		return "running";
	case JP_EXEC_FINISHED:
		return "finished";
	case JP_EXEC_STILL:
		return "";
	}
	return "";
}

const char *jp_event_type_text(enum jp_event_type type)
{
	static const char *const words[JP_EVENT_TYPES] = {
		[JP_EVENT_OVERRUN] = "overrun",
		[JP_EVENT_XRUN] = "xrun",
		[JP_EVENT_LOST] = "lost",
		[JP_EVENT_EPOCH] = "epoch",
		[JP_EVENT_GRAPH] = "graph",
		[JP_EVENT_FREEWHEEL] = "freewheel",
		[JP_EVENT_SUSPEND] = "suspend",
		[JP_EVENT_STALE] = "stale",
		[JP_EVENT_STUCK] = "stuck",
		[JP_EVENT_SERVER_GONE] = "server_gone",
		[JP_EVENT_SERVER_BACK] = "server_back",
		[JP_EVENT_SINK_ERROR] = "sink_error",
	};
	return (unsigned)type < JP_EVENT_TYPES ? words[type] : "";
}
