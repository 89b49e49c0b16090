/* Cables by names, for PipeWire. */
#include "timing/cables.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const names[] = {"osc", "filter", "meter", "out"};
static const struct jp_blame_cable wires[] = {{0, 1}, {1, 3}, {1, 2}};

Test(cables, are_told_by_numbers_of_who_asks)
{
	struct jp_cables *c = jp_cables_new();
	const struct jp_cables_client asks[] = {{"filter", 40}, {"stranger", 41}, {"osc", 7}, {"out", 12}};
	struct jp_blame_cable out[8];
	cr_assert_eq(jp_cables_between(c, asks, 4, out, 8), -1, "no picture yet");
	jp_cables_set(c, names, 4, wires, 3);
	cr_assert_eq(jp_cables_between(c, asks, 4, out, 8), 2);
	cr_assert_eq(out[0].from, 7);
	cr_assert_eq(out[0].to, 40);
	cr_assert_eq(out[1].from, 40);
	cr_assert_eq(out[1].to, 12);
	cr_assert_eq(jp_cables_between(c, asks, 4, out, 1), 1, "no more than there is room for");
	cr_assert_eq(jp_cables_between(c, asks, 1, out, 8), 0, "known, and none");
	jp_cables_free(c);
}

Test(cables, a_new_picture_takes_the_place_of_the_old)
{
	struct jp_cables *c = jp_cables_new();
	const struct jp_cables_client asks[] = {{"osc", 1}, {"filter", 2}};
	struct jp_blame_cable out[8];
	jp_cables_set(c, names, 4, wires, 3);
	jp_cables_set(c, names + 1, 1, NULL, 0);
	cr_assert_eq(jp_cables_between(c, asks, 2, out, 8), 0);
	jp_cables_free(c);
}

Test(cables, long_names_are_cut_on_both_sides)
{
	struct jp_cables *c = jp_cables_new();
	char name[2 * JP_NAME_MAX] = "";
	const char *const both[] = {name, "osc"};
	struct jp_cables_client asks[] = {{"", 3}, {"osc", 4}};
	struct jp_blame_cable out[8];
	memset(name, 'n', sizeof name - 1);
	memset(asks[0].name, 'n', JP_NAME_MAX - 1);
	jp_cables_set(c, both, 2, &(struct jp_blame_cable){0, 1}, 1);
	cr_assert_eq(jp_cables_between(c, asks, 2, out, 8), 1);
	cr_assert_eq(out[0].from, 3);
	jp_cables_free(c);
}
