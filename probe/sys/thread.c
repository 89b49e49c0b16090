/* Threads of ours, and what the kernel says of a thread's scheduling. */
#include "thread.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

int jp_thread_create(pthread_t *out, const char *name, void *(*run)(void *), void *arg)
{
	pthread_attr_t attr;
	int err = pthread_attr_init(&attr);
	if (err)
		return err;
	pthread_attr_setstacksize(&attr, JP_THREAD_STACK);
	err = pthread_create(out, &attr, run, arg);
	pthread_attr_destroy(&attr);
	if (!err)
		pthread_setname_np(*out, name);
	return err;
}

enum jp_status jp_thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int err = jp_thread_create(out, name, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err ? JP_NO_MEM : JP_OK;
}

pid_t jp_thread_tid(pthread_t thread)
{
	clockid_t clock;
	if (pthread_getcpuclockid(thread, &clock))
		return -1;
	return (pid_t) ~(clock >> 3);
}

struct jp_sched jp_sched_of(pid_t tid)
{
	struct jp_sched s = {.policy = tid > 0 ? sched_getscheduler(tid) : -1, .rtprio_limit = 0};
	struct sched_param param;
	struct rlimit limit;
	if (s.policy >= 0)
		s.policy &= ~SCHED_RESET_ON_FORK;
	if (s.policy >= 0 && !sched_getparam(tid, &param))
		s.priority = param.sched_priority;
	if (!getrlimit(RLIMIT_RTPRIO, &limit))
		s.rtprio_limit = limit.rlim_cur == RLIM_INFINITY ? -1 : (long)limit.rlim_cur;
	return s;
}

static const char *policy_name(int policy)
{
	switch (policy) {
	case SCHED_FIFO:
		return "SCHED_FIFO";
	case SCHED_RR:
		return "SCHED_RR";
	case SCHED_OTHER:
		return "SCHED_OTHER";
	case SCHED_BATCH:
		return "SCHED_BATCH";
	case SCHED_IDLE:
		return "SCHED_IDLE";
	case 6:
		return "SCHED_DEADLINE";
	default:
		return NULL;
	}
}

void jp_sched_text(const struct jp_sched *sched, bool server_realtime, char *out, size_t size)
{
	const char *name = policy_name(sched->policy);
	if (!name)
		snprintf(out, size, "%s", "");
	else if (sched->policy == SCHED_FIFO || sched->policy == SCHED_RR)
		snprintf(out, size, "%s %d", name, sched->priority);
	else if (sched->policy == 6)
		snprintf(out, size, "%s", name);
	else if (!server_realtime)
		snprintf(out, size, "%s: not real-time, like the server; start the server with real-time scheduling",
			name);
	else if (sched->rtprio_limit == 0)
		snprintf(out, size,
			"%s: no real-time rights (RLIMIT_RTPRIO is 0); allow rtprio for your user in "
			"/etc/security/limits.d",
			name);
	else
		snprintf(out, size, "%s: real-time scheduling was not granted; expect late stamps", name);
}
