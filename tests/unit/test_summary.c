#include <jackprobe/summary.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(meta, a_key_gets_the_newest_value)
{
	struct jp_meta meta = {.n = 0};
	jp_meta_put(&meta, "server", "jackd2 1.9.21");
	jp_meta_put(&meta, "clock", "CLOCK_MONOTONIC_RAW");
	jp_meta_put(&meta, "server", "PipeWire 0.3.65");
	cr_expect_eq(meta.n, 2);
	cr_expect_str_eq(jp_meta_get(&meta, "server"), "PipeWire 0.3.65");
	cr_expect_str_eq(jp_meta_get(&meta, "clock"), "CLOCK_MONOTONIC_RAW");
	cr_expect_null(jp_meta_get(&meta, "serve"));
	cr_expect_null(jp_meta_get(&meta, "server2"));
}

Test(meta, a_fact_that_is_not_known_is_left_out)
{
	struct jp_meta meta = {.n = 0};
	jp_meta_put(&meta, "governor", "");
	jp_meta_put(&meta, "cpu", NULL);
	cr_expect_eq(meta.n, 0);
	jp_meta_put(&meta, "a", "1");
	jp_meta_put(&meta, "b", "2");
	jp_meta_put(&meta, "c", "3");
	jp_meta_put(&meta, "b", ""); /* known before, not any more */
	cr_expect_eq(meta.n, 2);
	cr_expect_null(jp_meta_get(&meta, "b"));
	cr_expect_str_eq(jp_meta_get(&meta, "a"), "1");
	cr_expect_str_eq(jp_meta_get(&meta, "c"), "3");
}

Test(meta, a_full_table_keeps_what_it_has)
{
	struct jp_meta meta = {.n = 0};
	for (int i = 0; i <= JP_META_MAX; i++) {
		char key[16];
		snprintf(key, sizeof key, "key%d", i);
		jp_meta_put(&meta, key, "x");
	}
	cr_expect_eq(meta.n, JP_META_MAX);
	cr_expect_str_eq(jp_meta_get(&meta, "key63"), "x");
	cr_expect_null(jp_meta_get(&meta, "key64"));
	jp_meta_put(&meta, "key5", "y");
	cr_expect_str_eq(jp_meta_get(&meta, "key5"), "y");
}

Test(meta, long_values_are_cut_between_characters)
{
	struct jp_meta meta = {.n = 0};
	char value[300] = "";
	for (int i = 0; i < 100; i++)
		strcat(value, "\xc3\xa4"); /* two bytes each */
	jp_meta_put(&meta, "even", value);
	cr_expect_str_eq(jp_meta_get(&meta, "even"), value);
	for (int i = 0; i < 20; i++)
		strcat(value, "\xc3\xa4");
	jp_meta_put(&meta, "long", value);
	cr_expect_eq(strlen(jp_meta_get(&meta, "long")), 206);
}
