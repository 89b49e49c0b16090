/* JACK's clock: virtual in the driver's thread, real elsewhere. */
#include "fake.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static __thread int64_t virtual_ns;

void fake_time_set(int64_t ns)
{
	virtual_ns = ns;
}

/* Stands before libc's: this library comes first in the order of symbols. */
int clock_gettime(clockid_t clock, struct timespec *out)
{
	if (!virtual_ns || clock != fake.clock)
		return (int)syscall(SYS_clock_gettime, clock, out);
	out->tv_sec = virtual_ns / 1000000000;
	out->tv_nsec = virtual_ns % 1000000000;
	virtual_ns += 250;
	return 0;
}

int64_t fake_time(void)
{
	struct timespec t;
	clock_gettime(fake.clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

jack_time_t jack_get_time(void)
{
	return (jack_time_t)fake_time() / 1000;
}
