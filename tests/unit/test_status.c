#include <jackprobe/status.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

Test(status, errno_map)
{
	cr_assert_eq(jp_status_from_errno(EACCES), JP_DENIED);
	cr_assert_eq(jp_status_from_errno(ENOENT), JP_MISSING);
	cr_assert_eq(jp_status_from_errno(EIO), JP_IO);
	cr_assert_str_eq(jp_status_text(JP_DENIED), "no permission");
}

Test(status, sentence_is_cut_to_fit_and_hands_the_status_back)
{
	struct jp_why why;
	char longer[400];
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = 0;
	cr_assert_eq(jp_why_set(&why, JP_IO, "%s", longer), JP_IO);
	cr_assert_eq(strlen(why.text), sizeof why.text - 1);
	cr_assert_eq(jp_why_set(NULL, JP_GONE, "nobody listens"), JP_GONE);
}
