/* Sentences on standard error, where somebody reads and where nobody does. */
#include "sys/say.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int reader;
static char heard[4096];

/* Standard error becomes a pipe. */
static void make_pipe(void)
{
	int fds[2];
	cr_assert_eq(pipe(fds), 0);
	dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
	reader = fds[0];
	fcntl(reader, F_SETFL, O_NONBLOCK);
}

/* Nothing fits in any more; what writes to it blocks. */
static void fill(void)
{
	static const char block[4096];
	fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK);
	while (write(STDERR_FILENO, block, sizeof block) > 0)
		;
	fcntl(STDERR_FILENO, F_SETFL, 0);
}

static const char *hear(void)
{
	ssize_t n = read(reader, heard, sizeof heard - 1);
	heard[n > 0 ? n : 0] = 0;
	return heard;
}

Test(say, prints_a_line, .init = make_pipe)
{
	jp_say("%d of %s", 3, "them");
	jp_say("more");
	cr_assert_str_eq(hear(), "jackprobe: 3 of them\njackprobe: more\n");
}

Test(say, cuts_but_ends_the_line, .init = make_pipe)
{
	char text[JP_SAY_MAX + 100] = "";
	memset(text, 'x', sizeof text - 1);
	jp_say("%s", text);
	cr_assert_eq(strlen(hear()), strlen("jackprobe: ") + JP_SAY_MAX + 1);
	cr_assert_eq(heard[strlen(heard) - 1], '\n');
}

Test(say, tells_controls_in_letters, .init = make_pipe)
{
	jp_say("'%s'", "\033[31mre\nd\a \xff\u202e \u00e9");
	cr_assert_str_eq(hear(), "jackprobe: '\\x1b[31mre\\x0ad\\x07 \\xff\\u202e \u00e9'\n");
}

Test(say, leaves_out_what_nobody_takes, .init = make_pipe, .timeout = 20)
{
	fill();
	jp_say("lost");
	jp_say("what follows, too");
	while (*hear())
		cr_assert_null(strstr(heard, "jackprobe"));
}
