/* Pure parts of the jackd2 timing: the mapping's line, and whose number it was. */
#include "timing/names.h"
#include "timing/ports.h"
#include "timing/shm.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(shm, only_whole_segments_of_a_server_count)
{
	static const struct {
		const char *line;
		bool is;
	} rows[] = {
		{"7f576d9a1000-7f5774000000 rw-s 00000000 00:1b 68                         /dev/shm/jack-0-0\n", true},
		{"7f576d9a1000-7f5774000000 rw-s 00000000 00:1b 68 /dev/shm/jack-1000-12\n", true},
		{"7f576d9a1000-7f5774000000 rw-s 00000000 00:1b 68 /dev/shm/jack-0-0 (deleted)\n", false},
		{"7f577aab8000-7f577aafa000 rw-s 00000000 00:1b 57 /dev/shm/jack_db-0/__db.003\n", false},
		{"7f577aab8000-7f577aafa000 rw-s 00000000 00:1b 57 /dev/shm/jack_sem.0_default_system\n", false},
		{"7f577aab8000-7f577aafa000 rw-s 00000000 00:1b 57 /dev/shm/jack-shm-registry\n", false},
		{"7f577aab8000-7f577aafa000 rw-p 00000000 00:00 0 \n", false},
		{"7f577aab8000-7f577aafa000 rw-s 00000000 00:1b 57 /dev/shm/jack-0-\n", false},
		{"nonsense\n", false},
	};
	struct jp_shm_line l;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_assert_eq(jp_shm_parse(rows[i].line, &l), rows[i].is, "%s", rows[i].line);
	cr_assert(jp_shm_parse(rows[0].line, &l));
	cr_assert_str_eq(l.path, "/dev/shm/jack-0-0");
	cr_assert_eq(l.inode, 68u);
	cr_assert_eq(l.end - l.start, 0x665f000u);
}

Test(shm, the_largest_is_taken)
{
	char text[] = "7f0000000000-7f0000001000 rw-s 00000000 00:1b 69 /dev/shm/jack-0-1\n"
		      "7f1000000000-7f1000900000 rw-s 00000000 00:1b 68 /dev/shm/jack-0-0\n"
		      "7f2000000000-7f2000002000 rw-s 00000000 00:1b 70 /dev/shm/jack-0-2\n"
		      "7f3000000000-7f4000000000 rw-s 00000000 00:1b 71 /dev/shm/other\n";
	struct jp_shm_line l;
	FILE *f = fmemopen(text, strlen(text), "r");
	cr_assert(jp_shm_largest(f, &l));
	cr_assert_eq(l.inode, 68u);
	fclose(f);
	f = fmemopen(text + strlen(text) - 30, 30, "r");
	cr_assert(!jp_shm_largest(f, &l));
	fclose(f);
}

Test(shm, a_pointer_of_theirs_is_a_place_in_the_file)
{
	struct jp_shm shm = {.theirs = {.start = 0x1000, .end = 0x3000, .offset = 0x400}};
	cr_assert_eq(jp_shm_offset(&shm, (void *)0x1010), 0x410u);
	cr_assert_eq(jp_shm_offset(&shm, (void *)0x3000), SIZE_MAX);
	cr_assert_eq(jp_shm_offset(&shm, (void *)0xfff), SIZE_MAX);
}

static void owned_by(const struct jp_names *names, int32_t ref, int64_t at_ns, const char *wanted)
{
	char name[JP_NAME_MAX];
	bool known = jp_names_get(names, ref, at_ns, name);
	cr_assert_str_eq(name, wanted, "at %ld: %s", (long)at_ns, name);
	cr_assert_eq(known, wanted[0] != '#');
}

Test(names, a_number_belongs_to_its_owner_of_the_time)
{
	struct jp_names *names = calloc(1, sizeof *names);
	owned_by(names, 5, 50, "#5");
	jp_names_set(names, 5, "synth", 100);
	owned_by(names, 5, 50, "synth"); /* it ran before it had a port */
	owned_by(names, 5, 150, "synth");
	jp_names_set(names, 5, "", 200); /* its ports went */
	owned_by(names, 5, 150, "synth");
	owned_by(names, 5, 250, "#5");
	jp_names_set(names, 5, "mixer", 300);
	owned_by(names, 5, 150, "synth");
	owned_by(names, 5, 250, "mixer");
	owned_by(names, 5, 350, "mixer");
	jp_names_set(names, 5, "mixer", 900); /* nothing new */
	owned_by(names, 5, 350, "mixer");
	jp_names_set(names, 5, "looper", 400);
	owned_by(names, 5, 350, "mixer");
	owned_by(names, 5, 400, "looper");
	jp_names_set(names, JP_NAMES_MAX, "nobody", 0);
	owned_by(names, JP_NAMES_MAX, 0, "#1024");
	owned_by(names, -1, 0, "#-1");
	free(names);
}

Test(ports, the_client_is_what_stands_before_the_first_colon)
{
	char name[8];
	jp_ports_client("a2j:Midi Through [14] (capture): Port-0", name, sizeof name);
	cr_assert_str_eq(name, "a2j");
	jp_ports_client("a long name:port", name, sizeof name);
	cr_assert_str_eq(name, "a long ");
}
