#include "support/tree_fixture.h"
#include "sys/tree.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tree_fixture fixture;
static struct jp_tree *tree;

static void setup(void)
{
	struct jp_why why = {""};
	fixture = tree_fixture_new(NULL);
	cr_assert_eq(jp_tree_open(fixture.root, &tree, &why), JP_OK, "%s", why.text);
}

static void teardown(void)
{
	jp_tree_close(tree);
	tree_fixture_remove(&fixture);
}

TestSuite(sense_tree, .init = setup, .fini = teardown);

Test(sense_tree, numbers)
{
	static const struct {
		const char *text;
		enum jp_status status;
		uint64_t value;
	} rows[] = {
		{"42\n", JP_OK, 42},
		{"42", JP_OK, 42},
		{" 7 \n", JP_OK, 7},
		{"0\n", JP_OK, 0},
		{"18446744073709551615\n", JP_OK, UINT64_MAX},
		{"18446744073709551616\n", JP_BAD_DATA, 0},
		{"", JP_BAD_DATA, 0},
		{"\n", JP_BAD_DATA, 0},
		{"-1\n", JP_BAD_DATA, 0},
		{"+1\n", JP_BAD_DATA, 0},
		{"1.5\n", JP_BAD_DATA, 0},
		{"0x10\n", JP_BAD_DATA, 0},
		{"12 13\n", JP_BAD_DATA, 0},
		{"<unsupported>\n", JP_BAD_DATA, 0},
		{"\xff\xfe\x01", JP_BAD_DATA, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t value = 0;
		tree_fixture_put(&fixture, "/sys/x", rows[i].text);
		enum jp_status status = jp_tree_u64(tree, &value, "/sys/%s", "x");
		cr_assert_eq(status, rows[i].status, "\"%s\": %s", rows[i].text, jp_status_text(status));
		cr_assert_eq(value, rows[i].value, "\"%s\": %lu", rows[i].text, value);
	}
}

Test(sense_tree, what_is_no_file_is_not_read)
{
	char text[16], path[128];
	tree_fixture_put(&fixture, "/sys/dir/file", "1\n");
	tree_fixture_path(&fixture, "/sys/pipe", path, sizeof path);
	cr_assert_eq(mkfifo(path, 0644), 0);
	cr_assert_eq(jp_tree_text(tree, text, sizeof text, "/sys/dir"), JP_BAD_DATA);
	cr_assert_eq(jp_tree_text(tree, text, sizeof text, "/sys/pipe"), JP_BAD_DATA);
	cr_assert_eq(jp_tree_text(tree, text, sizeof text, "/sys/dir/file/below"), JP_BAD_DATA);
	cr_assert_eq(jp_tree_text(tree, text, sizeof text, "/sys/nothing"), JP_MISSING);
	cr_assert_str_eq(text, "");
	cr_assert(jp_tree_has(tree, "/sys/dir"));
	cr_assert_not(jp_tree_has(tree, "/sys/nothing"));
}

Test(sense_tree, links_do_not_lead_out)
{
	char text[64], path[128];
	tree_fixture_put(&fixture, "/inside", "inside\n");
	tree_fixture_path(&fixture, "/absolute", path, sizeof path);
	cr_assert_eq(symlink("/inside", path), 0);
	tree_fixture_path(&fixture, "/outside", path, sizeof path);
	cr_assert_eq(symlink("../../../../../../proc/version", path), 0);
	cr_assert_eq(jp_tree_line(tree, text, sizeof text, "/absolute"), JP_OK);
	cr_assert_str_eq(text, "inside");
	cr_assert_eq(jp_tree_line(tree, text, sizeof text, "/outside"), JP_MISSING);
}

Test(sense_tree, reading_is_cut_to_the_buffer)
{
	char text[5];
	tree_fixture_put(&fixture, "/x", "abcdefgh\n");
	cr_assert_eq(jp_tree_text(tree, text, sizeof text, "/x"), JP_OK);
	cr_assert_str_eq(text, "abcd");
}

Test(sense_tree, lists_are_in_numerical_order)
{
	static const char *const want[] = {"cpu0", "cpu2", "cpu10"};
	tree_fixture_put(&fixture, "/d/cpu10/x", "");
	tree_fixture_put(&fixture, "/d/cpu2/x", "");
	tree_fixture_put(&fixture, "/d/cpu0/x", "");
	tree_fixture_put(&fixture, "/d/other", "");
	struct jp_names names = jp_tree_list(tree, "/d", "cpu");
	cr_assert_eq(names.n, 3);
	for (size_t i = 0; i < names.n; i++)
		cr_assert_str_eq(names.name[i], want[i]);
	jp_names_free(&names);
	names = jp_tree_list(tree, "/nothing", "");
	cr_assert_eq(names.n, 0);
	jp_names_free(&names);
}

Test(sense_tree, file_follows_its_replacement)
{
	struct jp_file f;
	uint64_t value = 0;
	tree_fixture_number(&fixture, 5, "/x");
	cr_assert_eq(jp_file_open(&f, tree, "/x"), JP_OK);
	cr_assert_eq(jp_file_u64(&f, tree, NULL, &value), JP_OK);
	cr_assert_eq(value, 5);
	tree_fixture_delete(&fixture, "/x");
	cr_assert_eq(jp_file_u64(&f, tree, NULL, &value), JP_MISSING);
	tree_fixture_number(&fixture, 6, "/x");
	cr_assert_eq(jp_file_u64(&f, tree, NULL, &value), JP_OK);
	cr_assert_eq(value, 6);
	jp_file_close(&f, tree);
}

Test(sense_tree, three_slow_reads_in_a_row_drop_a_group)
{
	struct jp_pace pace = {.limit_ns = 500000};
	static const int64_t took[] = {20000000, 600000, 1000, 600000, 500001};
	for (size_t i = 0; i < sizeof took / sizeof *took; i++)
		cr_assert(jp_pace_note(&pace, took[i]), "read %zu", i);
	cr_assert_not(jp_pace_note(&pace, 700000));
	cr_assert_not(jp_pace_note(&pace, 1000));
	cr_assert_eq(pace.worst_ns, 20000000);
	struct jp_file f;
	uint64_t value;
	tree_fixture_number(&fixture, 5, "/x");
	cr_assert_eq(jp_file_open(&f, tree, "/x"), JP_OK);
	cr_assert_eq(jp_file_u64(&f, tree, &pace, &value), JP_TIMEOUT);
	jp_file_close(&f, tree);
}

Test(sense_machine, kept_file_is_read_anew)
{
	struct jp_tree *machine;
	struct jp_file f;
	char first[64], second[64];
	size_t len;
	cr_assert_eq(jp_tree_open("", &machine, NULL), JP_OK);
	cr_assert(jp_tree_is_machine(machine));
	cr_assert_eq(jp_file_open(&f, machine, "/proc/thread-self/schedstat"), JP_OK);
	cr_assert_eq(jp_file_text(&f, machine, NULL, first, sizeof first, &len), JP_OK);
	do
		cr_assert_eq(jp_file_text(&f, machine, NULL, second, sizeof second, &len), JP_OK);
	while (strcmp(first, second) == 0);
	jp_file_close(&f, machine);
	jp_tree_close(machine);
}

Test(sense_machine, root_must_be_a_directory)
{
	static const char *const bad[] = {"/nowhere/at/all", "/proc/version"};
	for (size_t i = 0; i < 2; i++) {
		struct jp_sense_config config = {.sysroot = bad[i]};
		struct jp_sense *s;
		struct jp_why why = {""};
		cr_assert_eq(jp_sense_open(&config, &s, &why), JP_BAD_ARG);
		cr_assert_not_null(strstr(why.text, bad[i]), "%s", why.text);
	}
}
