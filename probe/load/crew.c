/* The clients of a run: threads or processes. */
#include "crew.h"

#include "worker.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct jp_crew {
	const struct jp_load_plan *plan;
	uint32_t n;
	struct jp_load_client **clients; /* in this process, or NULL */
	struct jp_worker *workers;       /* in processes of their own, or NULL */
	uint32_t progress_;              /* atomic */
};

static enum jp_status start_workers(struct jp_crew *crew, struct jp_why *why)
{
	for (uint32_t i = 0; i < crew->n; i++) {
		enum jp_status st = jp_worker_start(crew->plan, i, crew->workers, &crew->workers[i], why);
		if (st)
			return st;
	}
	return JP_OK;
}

enum jp_status jp_crew_new(const struct jp_load_plan *plan, struct jp_crew **out, struct jp_why *why)
{
	uint32_t n = plan->area.n_clients;
	struct jp_crew *crew = calloc(1, sizeof *crew);
	*out = crew;
	if (!crew)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	crew->plan = plan;
	crew->n = n;
	if (plan->options->processes)
		crew->workers = calloc(n, sizeof *crew->workers);
	else
		crew->clients = calloc(n, sizeof(struct jp_load_client *));
	enum jp_status st = crew->workers || crew->clients ? JP_OK : jp_why_set(why, JP_NO_MEM, "out of memory");
	for (uint32_t i = 0; crew->workers && i < n; i++)
		crew->workers[i].fd = -1;
	if (!st && crew->workers)
		st = start_workers(crew, why);
	if (st) {
		jp_crew_close(crew);
		jp_crew_free(crew);
		*out = NULL;
	}
	return st;
}

enum jp_status jp_crew_do(struct jp_crew *crew, uint32_t i, enum jp_load_order order, struct jp_why *why)
{
	enum jp_status st = crew->workers ? jp_worker_do(&crew->workers[i], order, why)
					  : jp_load_client_do(crew->plan, i, order, &crew->clients[i], why);
	__atomic_fetch_add(&crew->progress_, 1, __ATOMIC_RELAXED);
	return st;
}

enum jp_status jp_crew_check(struct jp_crew *crew, struct jp_why *why)
{
	for (uint32_t i = 0; i < crew->n; i++) {
		const struct jp_load_seat *seat = &crew->plan->area.seats[i];
		char how[32];
		if (__atomic_load_n(&seat->gone_, __ATOMIC_ACQUIRE))
			return jp_why_set(why, JP_GONE, "the JACK server has gone away");
		if (crew->workers && jp_worker_ended(&crew->workers[i], how))
			return jp_why_set(
				why, JP_IO, "the process of client %s died (%s); the others go on", seat->name, how);
	}
	return JP_OK;
}

static int64_t cpu_of(pid_t pid)
{
	clockid_t clock;
	struct timespec t;
	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
		return 0;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t jp_crew_cpu_ns(const struct jp_crew *crew)
{
	if (!crew->workers)
		return cpu_of(getpid());
	int64_t sum = 0;
	for (uint32_t i = 0; i < crew->n; i++)
		sum += crew->workers[i].pid ? cpu_of(crew->workers[i].pid) : 0;
	return sum;
}

void jp_crew_close(struct jp_crew *crew)
{
	for (uint32_t i = 0; crew->clients && i < crew->n; i++)
		if (crew->clients[i])
			(void)jp_crew_do(crew, i, JP_LOAD_CLOSE, NULL);
	for (uint32_t i = 0; crew->workers && i < crew->n; i++) {
		jp_worker_stop(&crew->workers[i]);
		__atomic_fetch_add(&crew->progress_, 1, __ATOMIC_RELAXED);
	}
}

uint32_t jp_crew_progress(const struct jp_crew *crew)
{
	return __atomic_load_n(&crew->progress_, __ATOMIC_RELAXED);
}

void jp_crew_abandon(const struct jp_crew *crew)
{
	for (uint32_t i = 0; crew->workers && i < crew->n; i++)
		if (crew->workers[i].pid > 0)
			kill(crew->workers[i].pid, SIGKILL);
}

void jp_crew_free(struct jp_crew *crew)
{
	free(crew->clients);
	free(crew->workers);
	free(crew);
}
