/* The limit of open files. */
#include "descriptors.h"

#include <sys/resource.h>

enum jp_status jp_descriptors_need(unsigned n, struct jp_why *why)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= n)
		return JP_OK;
	rlim_t had = limit.rlim_cur;
	limit.rlim_cur = n;
	if (limit.rlim_max >= n && setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return JP_OK;
	return jp_why_set(why, JP_DENIED,
		"only %llu files may be open at a time, and jackprobe with libjack needs up to %u; raise the limit "
		"(ulimit -n %u)",
		(unsigned long long)had, n, n);
}
