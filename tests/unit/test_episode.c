#include "sys/episode.h"

#include <criterion/criterion.h>
#include <stddef.h>

Test(episode, begins_after_the_quiet_time_counted_from_the_last_overrun)
{
	static const struct {
		int64_t at;
		bool begins;
	} told[] = {
		{-500, true}, /* the first one always; times may be anything */
		{0, false},
		{999, false},
		{1998, false}, /* a storm longer than the quiet time is one episode */
		{2998, true},  /* exactly the quiet time later */
		{2998, false},
		{100, true}, /* another server's clock */
		{150, false},
		{INT64_MAX, true},
	};
	struct jp_episode e;
	jp_episode_init(&e, 1000);
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		cr_assert_eq(jp_episode_overrun(&e, told[i].at), told[i].begins, "row %zu", i);
}
