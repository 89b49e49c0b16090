/* The helper behind --on-overrun, with real commands. */
#include "support/scratch.h"
#include "sys/trigger.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

TestSuite(trigger, .init = jp_scratch_make, .fini = jp_scratch_remove, .timeout = 60);

static const struct jp_event overrun = {
	.event = JP_EVENT_OVERRUN,
	.client = "My #1 {synth}*, \"x\" $(id)",
	.value_us = 3012.25,
	.period_us = 2666.6666,
	.frame = 4294967296,
	.unix_ns = 1769903999123456789,
	.detail = "it's late; `id`",
};

static void pause_a_little(void)
{
	nanosleep(&(struct timespec){0, 2000000}, NULL);
}

static struct jp_trigger *open_trigger(const char *command)
{
	struct jp_trigger *t = NULL;
	struct jp_why why;
	cr_assert_eq(jp_trigger_open(command, &t, &why), JP_OK, "%s", why.text);
	cr_assert_not_null(t);
	return t;
}

/* A command that hands its output over in one step. */
static const char *command_into(const char *file, const char *what)
{
	static char command[1024];
	snprintf(command, sizeof command, "( %s ) > '%s.part'; mv '%s.part' '%s'", what, file, file, file);
	return command;
}

static const char *output_of(const char *what, const struct jp_event *event, int64_t overruns)
{
	const char *file = jp_scratch_path("out");
	struct jp_trigger *t = open_trigger(command_into(file, what));
	cr_assert_eq(jp_trigger_fire(t, event, overruns), JP_OK);
	const char *text;
	while (!(text = jp_scratch_read(file)))
		pause_a_little();
	jp_trigger_close(t, NULL);
	return text;
}

static void wait_for_counts(const struct jp_trigger *t, uint64_t started, uint64_t skipped)
{
	struct jp_trigger_counts c;
	for (jp_trigger_counts(t, &c); c.started < started || c.skipped < skipped; jp_trigger_counts(t, &c))
		pause_a_little();
	cr_assert_eq(c.started, started);
	cr_assert_eq(c.skipped, skipped);
}

static pid_t only_child(void)
{
	char path[64];
	int pid = 0;
	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(path, "re");
	cr_assert_not_null(f);
	cr_assert_eq(fscanf(f, "%d", &pid), 1);
	fclose(f);
	return pid;
}

Test(trigger, without_a_command_there_is_no_helper_and_all_calls_do_nothing)
{
	struct jp_trigger *t = (struct jp_trigger *)1;
	struct jp_trigger_counts c = {7, 7, 7, 7, 7};
	cr_assert_eq(jp_trigger_open(NULL, &t, NULL), JP_OK);
	cr_assert_null(t);
	cr_assert_eq(jp_trigger_fire(t, &overrun, 1), JP_OK);
	jp_trigger_close(t, &c);
	cr_assert_eq(c.started + c.skipped + c.dropped + c.failed, 0);
}

Test(trigger, figures_stand_in_the_environment_whatever_they_hold)
{
	const char *text = output_of("env | grep ^JACKPROBE_ | sort", &overrun, 12);
	cr_assert_str_eq(text, "JACKPROBE_CLIENT=My #1 {synth}*, \"x\" $(id)\n"
			       "JACKPROBE_DETAIL=it's late; `id`\n"
			       "JACKPROBE_FRAME=4294967296\n"
			       "JACKPROBE_OVERRUNS=12\n"
			       "JACKPROBE_PERIOD_US=2666.667\n"
			       "JACKPROBE_TIME_UTC=2026-01-31T23:59:59.123Z\n"
			       "JACKPROBE_VALUE_US=3012.250\n");
}

Test(trigger, unknown_figures_are_empty)
{
	const struct jp_event unknown = {.value_us = NAN, .period_us = NAN, .frame = -1};
	const char *text = output_of("env | grep ^JACKPROBE_ | grep -v TIME_UTC | sort", &unknown, -1);
	cr_assert_str_eq(text, "JACKPROBE_CLIENT=\nJACKPROBE_DETAIL=\nJACKPROBE_FRAME=\nJACKPROBE_OVERRUNS=\n"
			       "JACKPROBE_PERIOD_US=\nJACKPROBE_VALUE_US=\n");
}

Test(trigger, command_inherits_no_descriptor_and_default_signals)
{
	int leaky = open("/dev/null", O_RDONLY); /* no O_CLOEXEC, as a parent might leave one */
	cr_assert_geq(leaky, 0);
	signal(SIGTSTP, SIG_IGN);
	const char *text = output_of(
		"ls /proc/$$/fd; readlink /proc/$$/fd/0; grep -E '^Sig(Blk|Ign)' /proc/$$/status", &overrun, 1);
	unsigned long long blocked, ignored;
	cr_assert_eq(sscanf(text, "0 1 2 /dev/null SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2, "%s", text);
	cr_assert_eq(blocked, 0);
	cr_assert_eq(ignored & 0x7fffffff, 0, "%s", text); /* signals from 32 on are libc's own */
}

Test(trigger, never_two_at_once_and_a_hung_command_does_not_keep_the_program)
{
	const char *gate = jp_scratch_path("gate"), *after = jp_scratch_path("after");
	char command[512];
	struct jp_trigger_counts c;
	cr_assert_eq(mkfifo(gate, 0600), 0);
	snprintf(command, sizeof command, "cat '%s' > '%s.part'; mv '%s.part' '%s'", gate, after, after, after);
	struct jp_trigger *t = open_trigger(command);
	jp_trigger_fire(t, &overrun, 1);
	jp_trigger_fire(t, &overrun, 2);
	jp_trigger_fire(t, &overrun, 3);
	wait_for_counts(t, 1, 2);
	jp_trigger_close(t, &c); /* the command hangs at the gate */
	cr_assert_eq(c.started, 1);
	cr_assert_null(jp_scratch_read(after));
	jp_scratch_write(gate, "let go"); /* and is left to finish */
	const char *text;
	while (!(text = jp_scratch_read(after)))
		pause_a_little();
	cr_assert_str_eq(text, "let go");
}

Test(trigger, next_episode_after_the_command_ended_starts_it_again)
{
	struct jp_trigger *t = open_trigger("exit 3");
	struct jp_trigger_counts c;
	uint64_t fired = 0;
	do {
		cr_assert_eq(jp_trigger_fire(t, &overrun, 1), JP_OK);
		fired++;
		pause_a_little();
		jp_trigger_counts(t, &c);
	} while (c.started < 3);
	jp_trigger_close(t, &c);
	cr_assert_eq(c.started + c.skipped + c.dropped, fired);
}

Test(trigger, stopped_helper_never_blocks_and_every_episode_is_counted_once)
{
	struct jp_trigger *t = open_trigger("true");
	struct jp_trigger_counts c;
	pid_t helper = only_child();
	uint64_t fired = 1;
	kill(helper, SIGSTOP);
	while (jp_trigger_fire(t, &overrun, 1) == JP_OK && fired < 1000000)
		fired++;
	jp_trigger_counts(t, &c);
	cr_assert_eq(c.dropped, 1);
	kill(helper, SIGCONT);
	jp_trigger_close(t, &c);
	cr_assert_eq(c.started + c.skipped + c.dropped, fired);
}

Test(trigger, dead_helper_is_said)
{
	struct jp_trigger *t = open_trigger("true");
	enum jp_status st;
	kill(only_child(), SIGKILL);
	while ((st = jp_trigger_fire(t, &overrun, 1)) == JP_OK)
		pause_a_little();
	cr_assert_eq(st, JP_GONE);
	jp_trigger_close(t, NULL);
}

static const char *failure_of(const char *command)
{
	static char text[160];
	struct jp_trigger_counts c;
	struct jp_trigger *t = open_trigger(command);
	jp_trigger_fire(t, &overrun, 1);
	do {
		pause_a_little();
		jp_trigger_counts(t, &c);
	} while (!c.failed);
	jp_trigger_close(t, &c);
	jp_trigger_failure_text(&c, text, sizeof text);
	return text;
}

Test(trigger, failure_of_the_command_is_told)
{
	const struct jp_trigger_counts fine = {.started = 3};
	char text[160] = "?";
	cr_assert_str_eq(failure_of("exit 7"),
		"--on-overrun: the command failed in 1 of 1 runs, the last time with status 7; try it by hand");
	cr_assert_str_eq(failure_of("kill -9 $$"),
		"--on-overrun: the command failed in 1 of 1 runs, the last time with signal 9; try it by hand");
	jp_trigger_failure_text(&fine, text, sizeof text);
	cr_assert_str_eq(text, "");
}
