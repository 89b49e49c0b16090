/* Episodes of overruns: pure. */
#include "episode.h"

void jp_episode_init(struct jp_episode *e, int64_t quiet_ns)
{
	*e = (struct jp_episode){.quiet_ns = quiet_ns};
}

bool jp_episode_overrun(struct jp_episode *e, int64_t at_ns)
{
	bool begins = !e->any || at_ns < e->last_ns || at_ns - e->last_ns >= e->quiet_ns;
	e->any = true;
	e->last_ns = at_ns;
	return begins;
}
