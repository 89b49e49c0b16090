/* When the trouble of a sink begins and when it is over. */
#include "sink/trouble.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *news_of(struct jp_trouble *t)
{
	static struct jp_why why;
	enum jp_status status;
	return jp_trouble_news(t, "a.csv", &status, &why) ? why.text : "";
}

Test(trouble, few_that_just_fit_do_not_make_room_on_a_full_disk)
{
	struct jp_trouble t = {0};
	jp_trouble_failed(&t, JP_ITEM_CYCLES, 40, JP_FULL, "no space");
	cr_assert_str_eq(news_of(&t), "a.csv: no space: 40 cycles not written; will go on when there is room");
	jp_trouble_went_well(&t, JP_ITEM_CYCLES, 39);
	cr_assert_str_eq(news_of(&t), "");
	jp_trouble_failed(&t, JP_ITEM_CYCLES, 5, JP_FULL, "no space");
	cr_assert_str_eq(news_of(&t), "", "it never was over");
	jp_trouble_went_well(&t, JP_ITEM_CYCLES, 5);
	cr_assert_str_eq(news_of(&t), "");
	jp_trouble_went_well(&t, JP_ITEM_CYCLES, 1);
	cr_assert_str_eq(news_of(&t), "a.csv: goes on after: no space; 45 cycles not written");
}

Test(trouble, what_is_no_full_disk_is_over_with_the_first_that_goes_well)
{
	struct jp_trouble t = {0};
	jp_trouble_failed(&t, JP_ITEM_CYCLES, 40, JP_GONE, "nobody reads");
	jp_trouble_went_well(&t, JP_ITEM_CYCLES, 1);
	cr_assert_str_eq(news_of(&t), "a.csv: goes on after: nobody reads; 40 cycles not written");
}

Test(trouble, every_type_that_failed_must_go_well)
{
	struct jp_trouble t = {0};
	jp_trouble_failed(&t, JP_ITEM_CYCLES, 2, JP_FULL, "no space");
	jp_trouble_failed(&t, JP_ITEM_WINDOW, 1, JP_FULL, "no space");
	jp_trouble_went_well(&t, JP_ITEM_WINDOW, 3);
	jp_trouble_went_well(&t, JP_ITEM_SUMMARY, 1);
	cr_assert(t.active);
	jp_trouble_went_well(&t, JP_ITEM_CYCLES, 1);
	cr_assert_not(t.active);
}
