/* The helper process behind --on-overrun. */
#include "trigger.h"

#include "sys/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What travels to the helper, whole or not at all. */
struct message {
	struct jp_event overrun;
	int64_t overruns;
};

/* Counters that helper and program share; through the __atomic builtins only. */
struct board {
	uint64_t started_, skipped_, dropped_, failed_;
	int failure_; /* written before failed_ */
};

struct jp_trigger {
	pid_t helper;
	int fd;
	struct board *board;
};

enum { CLOSE_TRIES = 200, CLOSE_PAUSE_NS = 5000000 }; /* together 1 s */

static void add_one(uint64_t *counter)
{
	__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

/* ---- in the command's process, before it becomes the shell ---- */

/* A number becomes the variable's text, an unknown one leaves it empty. */
static void set_text(const char *name, struct jp_text *text)
{
	jp_text_char(text, 0);
	setenv(name, text->failed ? "" : text->at, 1);
	jp_text_clear(text);
}

static void set_figures(const struct message *m)
{
	struct jp_text text = {0};
	const struct jp_event *e = &m->overrun;
	(void)jp_text_real(&text, e->value_us, 3);
	set_text("JACKPROBE_VALUE_US", &text);
	(void)jp_text_real(&text, e->period_us, 3);
	set_text("JACKPROBE_PERIOD_US", &text);
	if (e->frame >= 0)
		jp_text_int(&text, e->frame);
	set_text("JACKPROBE_FRAME", &text);
	if (m->overruns >= 0)
		jp_text_int(&text, m->overruns);
	set_text("JACKPROBE_OVERRUNS", &text);
	jp_text_time(&text, e->unix_ns);
	set_text("JACKPROBE_TIME_UTC", &text);
	setenv("JACKPROBE_CLIENT", e->client, 1);
	setenv("JACKPROBE_DETAIL", e->detail, 1);
	jp_text_free(&text);
}

static void default_signals(void)
{
	sigset_t none;
	for (int s = 1; s < NSIG; s++)
		(void)signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_descriptors(void)
{
	int null = open("/dev/null", O_RDONLY);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (close_range(STDERR_FILENO + 1, ~0U, 0) == 0)
		return;
	long top = sysconf(_SC_OPEN_MAX);
	for (int fd = STDERR_FILENO + 1; fd < top; fd++)
		close(fd);
}

static _Noreturn void become_command(const char *command, const struct message *m)
{
	setpgid(0, 0);
	set_figures(m);
	default_signals();
	close_descriptors();
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* ---- in the helper ---- */

struct helper {
	const char *command;
	int fd, signals;
	pid_t running; /* 0 = no command */
	struct board *board;
};

static void reap(struct helper *h)
{
	struct signalfd_siginfo info;
	while (read(h->signals, &info, sizeof info) == sizeof info)
		;
	int status;
	if (!h->running || waitpid(h->running, &status, WNOHANG) != h->running)
		return;
	h->running = 0;
	if (status) {
		__atomic_store_n(&h->board->failure_, status, __ATOMIC_RELAXED);
		__atomic_add_fetch(&h->board->failed_, 1, __ATOMIC_RELEASE);
	}
}

static void start(struct helper *h, const struct message *m)
{
	if (h->running) {
		add_one(&h->board->skipped_);
		return;
	}
	pid_t pid = fork();
	if (pid == 0)
		become_command(h->command, m);
	if (pid < 0) {
		add_one(&h->board->dropped_);
		return;
	}
	h->running = pid;
	add_one(&h->board->started_);
}

/* The helper ends when the program closes its end of the socket, not by the signals that reach the whole process group. */
static int helper_signals(void)
{
	static const int others[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
	sigset_t child;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		(void)signal(others[i], SIG_IGN);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

static _Noreturn void serve(struct helper *h)
{
	struct pollfd p[2] = {{.fd = h->fd, .events = POLLIN}, {.fd = h->signals, .events = POLLIN}};
	struct message m;
	while (poll(p, 2, -1) > 0 || errno == EINTR) {
		if (p[1].revents)
			reap(h);
		if (!p[0].revents)
			continue;
		if (recv(h->fd, &m, sizeof m, 0) != sizeof m)
			break;
		reap(h);
		start(h, &m);
	}
	_exit(0);
}

/* ---- in the program ---- */

static enum jp_status fork_helper(struct jp_trigger *t, const char *command, struct jp_why *why)
{
	int fds[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return jp_why_set(why, JP_NO_MEM, "--on-overrun: no socket: %s", strerror(errno));
	t->helper = fork();
	if (t->helper == 0) {
		close(fds[0]);
		struct helper h = {.command = command, .fd = fds[1], .signals = helper_signals(), .board = t->board};
		serve(&h);
	}
	int err = errno;
	close(fds[1]);
	t->fd = fds[0];
	if (t->helper > 0)
		return JP_OK;
	close(fds[0]);
	return jp_why_set(why, JP_NO_MEM, "--on-overrun: no process: %s", strerror(err));
}

enum jp_status jp_trigger_open(const char *command, struct jp_trigger **out, struct jp_why *why)
{
	*out = NULL;
	if (!command)
		return JP_OK;
	struct jp_trigger *t = calloc(1, sizeof *t);
	if (!t)
		return jp_why_set(why, JP_NO_MEM, "--on-overrun: out of memory");
	t->board = mmap(NULL, sizeof *t->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	enum jp_status st = t->board == MAP_FAILED ? jp_why_set(why, JP_NO_MEM, "--on-overrun: out of memory") : JP_OK;
	if (!st) {
		st = fork_helper(t, command, why);
		if (st)
			munmap(t->board, sizeof *t->board);
	}
	if (st)
		free(t);
	else
		*out = t;
	return st;
}

enum jp_status jp_trigger_fire(struct jp_trigger *trigger, const struct jp_event *overrun, int64_t overruns)
{
	if (!trigger)
		return JP_OK;
	const struct message m = {.overrun = *overrun, .overruns = overruns};
	if (send(trigger->fd, &m, sizeof m, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof m)
		return JP_OK;
	add_one(&trigger->board->dropped_);
	return errno == EAGAIN || errno == ENOBUFS ? JP_FULL : JP_GONE;
}

void jp_trigger_counts(const struct jp_trigger *trigger, struct jp_trigger_counts *out)
{
	*out = (struct jp_trigger_counts){0};
	if (!trigger)
		return;
	out->started = __atomic_load_n(&trigger->board->started_, __ATOMIC_RELAXED);
	out->skipped = __atomic_load_n(&trigger->board->skipped_, __ATOMIC_RELAXED);
	out->dropped = __atomic_load_n(&trigger->board->dropped_, __ATOMIC_RELAXED);
	out->failed = __atomic_load_n(&trigger->board->failed_, __ATOMIC_ACQUIRE);
	out->failure = __atomic_load_n(&trigger->board->failure_, __ATOMIC_RELAXED);
}

void jp_trigger_failure_text(const struct jp_trigger_counts *counts, char *out, size_t size)
{
	int status = counts->failure;
	out[0] = 0;
	if (counts->failed)
		snprintf(out, size,
			"--on-overrun: the command failed in %" PRIu64 " of %" PRIu64
			" runs, the last time with %s %d; try it by hand",
			counts->failed, counts->started, WIFSIGNALED(status) ? "signal" : "status",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void wait_for_helper(const struct jp_trigger *t)
{
	const struct timespec pause = {0, CLOSE_PAUSE_NS};
	for (int i = 0; i < CLOSE_TRIES; i++) {
		if (waitpid(t->helper, NULL, WNOHANG) != 0)
			return;
		nanosleep(&pause, NULL);
	}
	kill(t->helper, SIGKILL);
	waitpid(t->helper, NULL, 0);
}

void jp_trigger_close(struct jp_trigger *trigger, struct jp_trigger_counts *counts)
{
	if (trigger) {
		close(trigger->fd); /* what was sent before is still read */
		wait_for_helper(trigger);
	}
	if (counts)
		jp_trigger_counts(trigger, counts);
	if (!trigger)
		return;
	munmap(trigger->board, sizeof *trigger->board);
	free(trigger);
}
