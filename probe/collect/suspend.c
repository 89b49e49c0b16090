/* What a suspend leaves in the clocks. */
#include "suspend.h"

#define MIN_NS 20000000LL /* more than reading the two clocks one after the other may cost */

void jp_suspend_init(struct jp_suspend *s, int64_t boot_ns, int64_t mono_ns)
{
	s->offset_ns = boot_ns - mono_ns;
}

int64_t jp_suspend_slept(struct jp_suspend *s, int64_t boot_ns, int64_t mono_ns)
{
	int64_t slept = boot_ns - mono_ns - s->offset_ns;
	s->offset_ns = boot_ns - mono_ns;
	return slept > MIN_NS ? slept : 0;
}
