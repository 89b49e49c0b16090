/* Whether pw-jack was used, from the environment that the kernel handed over. */
#include "sys/secure.h"

#include <criterion/criterion.h>

#define ASKED(block) jp_secure_pw_jack(block, sizeof(block) - 1)

Test(secure, pw_jack_is_known_by_its_library_path)
{
	cr_expect(ASKED("HOME=/root\0LD_LIBRARY_PATH=/usr/${LIB}/pipewire-0.3/jack\0PWD=/\0"));
	cr_expect(ASKED("LD_LIBRARY_PATH=/usr/${LIB}/pipewire-0.3/jack:/opt/lib\0"));
	cr_expect_not(ASKED("LD_LIBRARY_PATH=/opt/lib\0PWD=/usr/lib/pipewire-0.3\0"));
	cr_expect_not(ASKED("OLD_LD_LIBRARY_PATH=/usr/lib/pipewire-0.3/jack\0"));
	cr_expect_not(ASKED(""));
}

Test(secure, a_cut_block_is_not_read_beyond_its_end)
{
	cr_expect_not(jp_secure_pw_jack("LD_LIBRARY_PATH=/usr/lib/pipewire-0.3", 24));
	cr_expect_not(jp_secure_pw_jack("LD_LIBRARY_PATH=/usr/lib/pipewire-0.3", 8));
}

Test(secure, an_ordinary_start_is_fine)
{
	struct jp_why why;
	cr_expect_eq(jp_secure_check("watch", NULL, &why), JP_OK);
}
