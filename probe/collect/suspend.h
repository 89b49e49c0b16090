/** @file suspend.h
 * Has the machine slept? CLOCK_BOOTTIME goes on in a suspend, CLOCK_MONOTONIC does not. Pure: the times are arguments. */
#ifndef JP_SUSPEND_H
#define JP_SUSPEND_H

#include <stdint.h>

struct jp_suspend {
	int64_t offset_ns; /**< boot time - monotonic time when asked last */
};

/** @param boot_ns CLOCK_BOOTTIME. @param mono_ns CLOCK_MONOTONIC. */
void jp_suspend_init(struct jp_suspend *s, int64_t boot_ns, int64_t mono_ns);
/** @return for how many ns it slept since the last call; 0 = not. */
int64_t jp_suspend_slept(struct jp_suspend *s, int64_t boot_ns, int64_t mono_ns);

#endif
