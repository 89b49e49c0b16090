/* One client in a process of its own. */
#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_MS = 20000, END_TRIES = 1000, END_PAUSE_NS = 5000000 }; /* together 5 s */

struct answer {
	enum jp_status status;
	struct jp_why why;
};

/* Never returns: the child's whole life. */
static _Noreturn void serve(const struct jp_load_plan *plan, uint32_t i, int fd)
{
	struct jp_load_client *client = NULL;
	enum jp_load_order order;
	while (recv(fd, &order, sizeof order, 0) == sizeof order) {
		struct answer answer = {.status = JP_OK};
		answer.status = jp_load_client_do(plan, i, order, &client, &answer.why);
		if (send(fd, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer)
			break;
	}
	if (client)
		(void)jp_load_client_do(plan, i, JP_LOAD_CLOSE, &client, NULL);
	_exit(0);
}

enum jp_status jp_worker_start(const struct jp_load_plan *plan, uint32_t i, const struct jp_worker *workers,
	struct jp_worker *out, struct jp_why *why)
{
	int fds[2];
	*out = (struct jp_worker){0, -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return jp_why_set(why, JP_NO_MEM, "no socket for the process of client %u: %s", i, strerror(errno));
	pid_t pid = fork();
	if (pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return jp_why_set(why, JP_NO_MEM, "no process for client %u: %s", i, strerror(errno));
	}
	if (pid == 0) {
		for (uint32_t w = 0; w < i; w++)
			close(workers[w].fd);
		close(fds[0]);
		serve(plan, i, fds[1]);
	}
	close(fds[1]);
	*out = (struct jp_worker){pid, fds[0]};
	return JP_OK;
}

static bool wait_readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int n;
	do
		n = poll(&p, 1, ANSWER_MS);
	while (n < 0 && errno == EINTR);
	return n > 0;
}

enum jp_status jp_worker_do(struct jp_worker *worker, enum jp_load_order order, struct jp_why *why)
{
	struct answer answer;
	if (send(worker->fd, &order, sizeof order, MSG_NOSIGNAL) == sizeof order) {
		if (!wait_readable(worker->fd))
			return jp_why_set(why, JP_TIMEOUT,
				"the client's process %ld does not answer for %d s: is the JACK server hung?",
				(long)worker->pid, ANSWER_MS / 1000);
		if (recv(worker->fd, &answer, sizeof answer, 0) == sizeof answer) {
			if (answer.status)
				jp_why_set(why, answer.status, "%s", answer.why.text);
			return answer.status;
		}
	}
	return jp_why_set(why, JP_IO, "the client's process %ld has died", (long)worker->pid);
}

bool jp_worker_ended(struct jp_worker *worker, char how[32])
{
	int status;
	if (!worker->pid || waitpid(worker->pid, &status, WNOHANG) != worker->pid)
		return false;
	if (WIFSIGNALED(status))
		snprintf(how, 32, "signal %d", WTERMSIG(status));
	else
		snprintf(how, 32, "exit status %d", WEXITSTATUS(status));
	worker->pid = 0;
	return true;
}

void jp_worker_stop(struct jp_worker *worker)
{
	const struct timespec pause = {0, END_PAUSE_NS};
	char how[32];
	if (worker->fd >= 0)
		close(worker->fd);
	worker->fd = -1;
	for (int i = 0; i < END_TRIES && worker->pid && !jp_worker_ended(worker, how); i++)
		nanosleep(&pause, NULL);
	if (!worker->pid)
		return;
	kill(worker->pid, SIGKILL);
	waitpid(worker->pid, NULL, 0);
	worker->pid = 0;
}
