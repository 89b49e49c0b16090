/* The row profile: the rows of a window and the schemas that name their columns. */
#include "support/osc_probe.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct osc_inbox *inbox;
static struct jp_osc *osc;
static struct jp_extra_column column[JP_EXTRA_MAX];

static void start(size_t n_columns, size_t name_length)
{
	inbox = osc_inbox_open("127.0.0.1", 0);
	const char *targets[] = {inbox->target};
	memset(column, 0, sizeof column);
	for (size_t i = 0; i < n_columns; i++) {
		snprintf(column[i].osc, sizeof column[i].osc, "/temp/%02zu", i % 100);
		memset(column[i].osc + strlen(column[i].osc), 'z', name_length - strlen(column[i].osc));
	}
	osc = osc_probe_open((struct jp_osc_config){
		.targets = targets, .n_targets = 1, .profile = JP_OSC_ROW, .columns = column, .n_columns = n_columns});
}

static void stop(void)
{
	jp_osc_close(osc);
	osc_inbox_close(inbox);
}

/* The k-th row (1, 2 ...) or its schema; NULL when there is none. */
static const struct osc_message *row_message(int k, const char *what)
{
	char address[64], part[16] = "";
	if (k > 1)
		snprintf(part, sizeof part, "/%d", k);
	snprintf(address, sizeof address, "/p/row%s%s", part, what);
	return osc_inbox_find(inbox, address);
}

/* The value under a column's name; checks that rows and schemas match. NULL: no such column. */
static const struct osc_arg *cell(const char *name)
{
	const struct osc_arg *found = NULL;
	const struct osc_message *schema, *row;
	for (int k = 1; (schema = row_message(k, "/schema")); k++) {
		row = row_message(k, "");
		cr_assert(row, "row %d is missing", k);
		cr_assert_eq(row->n, schema->n);
		cr_assert_eq(strspn(schema->types, "s"), schema->n);
		cr_assert(!strncmp(row->types, "iiif", 4));
		for (size_t i = k > 1 ? 4 : 0; i < schema->n; i++)
			if (!strcmp(schema->arg[i].s, name)) {
				cr_assert_null(found, "%s stands in two columns", name);
				found = &row->arg[i];
			}
	}
	return found;
}

/* Send the report without the figures that are not known, and find each figure in its column. */
static void expect_cells(const bool *known)
{
	struct jp_report report = osc_full_report();
	for (size_t i = 0; i < osc_n_expected; i++)
		if (!known[i])
			osc_forget(&report, &osc_expected[i]);
	osc_inbox_clear(inbox);
	jp_osc_hello(osc, 48000, 128, "jackd2");
	jp_osc_window(osc, &report);
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	for (size_t i = 0; i < osc_n_expected; i++) {
		const struct osc_arg *arg = cell(osc_expected[i].address + 1);
		cr_assert(arg, "%s has no column", osc_expected[i].address);
		cr_assert_eq(arg->tag, known[i] ? osc_expected[i].tag : 's', "%s", osc_expected[i].address);
		if (!known[i])
			cr_assert_str_eq(arg->s, "");
		else if (arg->tag == 'f')
			cr_assert_eq(arg->f, 1000.25f + (float)i);
		else
			cr_assert_eq(arg->tag == 'i' ? arg->i : atoi(arg->s), 1000 + (int)i);
	}
}

Test(osc_row, a_row_has_every_figure_and_begins_with_its_window)
{
	bool known[64];
	memset(known, true, sizeof known);
	start(0, 0);
	expect_cells(known);
	cr_assert_eq(cell("seq")->i, 7);
	cr_assert_eq(cell("unix_s")->i, 1700000001);
	cr_assert_eq(cell("unix_ns")->i, 23);
	cr_assert_eq(cell("interval_ms")->f, 1000.4f);
	cr_assert_str_eq(cell("state")->s, "running");
	cr_assert_null(row_message(2, ""), "without extra columns one row holds all");
	stop();
}

Test(osc_row, an_unknown_figure_is_an_empty_string_in_its_place)
{
	bool known[64] = {false};
	start(0, 0);
	srand(1);
	for (int round = 0; round < 50; round++) {
		for (size_t i = 0; i < osc_n_expected; i++)
			known[i] = rand() & 1;
		expect_cells(known);
	}
	stop();
}

Test(osc_row, the_largest_table_is_split_into_rows_that_fit)
{
	static const size_t name_length[] = {12, 30, 63};
	for (size_t k = 0; k < 3; k++) {
		struct jp_report report = osc_full_report();
		start(JP_EXTRA_MAX, name_length[k]);
		osc_probe_window(osc, inbox, &report);
		for (int i = 0; i < JP_EXTRA_MAX; i++) {
			const struct osc_arg *arg = cell(column[i].osc + 1);
			cr_assert(arg, "%s has no column", column[i].osc);
			cr_assert_eq(arg->f, 5000.25f + (float)i);
		}
		cr_assert_not_null(row_message(2, ""));
		cr_assert_eq(row_message(2, "")->arg[0].i, 7);
		cr_assert_eq(osc_inbox_count(inbox, "/p/frame"), 0);
		stop();
	}
}

Test(osc_row, the_schema_comes_with_every_hello)
{
	start(0, 0);
	jp_osc_hello(osc, 48000, 128, "jackd2");
	osc_inbox_wait(inbox, 2);
	cr_assert_str_eq(inbox->message[0].address, "/p/hello");
	cr_assert_str_eq(inbox->message[1].address, "/p/row/schema");
	stop();
}
