/* running, stale, freewheel, disconnected. */
#include "state.h"

void jp_state_init(struct jp_state_track *t, int64_t mono_ns)
{
	*t = (struct jp_state_track){.state = JP_STATE_DISCONNECTED, .last_record_ns = mono_ns};
}

static enum jp_state decide(const struct jp_state_track *t, int64_t mono_ns, bool freewheel)
{
	if (!t->attached)
		return JP_STATE_DISCONNECTED;
	if (jp_state_silence_ns(t, mono_ns) >= JP_STALE_NS)
		return JP_STATE_STALE;
	return freewheel ? JP_STATE_FREEWHEEL : JP_STATE_RUNNING;
}

bool jp_state_update(struct jp_state_track *t, int64_t mono_ns, bool attached, bool records, bool freewheel)
{
	enum jp_state before = t->state;
	if (records || (attached && !t->attached))
		t->last_record_ns = mono_ns;
	t->attached = attached;
	t->state = decide(t, mono_ns, freewheel);
	return t->state != before;
}

int64_t jp_state_silence_ns(const struct jp_state_track *t, int64_t mono_ns)
{
	return mono_ns - t->last_record_ns;
}
