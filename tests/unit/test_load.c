/* The pure parts of `jackprobe load`: shapes, options, the truth file. */
#include "cli/load_options.h"
#include "load/shape.h"
#include "load/truth.h"

#include "support/scratch.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <fcntl.h>
#include <jackprobe/cycle.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EDGES_MAX = 4096 };

/* Edges as text: "0>1 1>2". */
static void edges_text(enum jp_load_shape shape, uint32_t n, char *out, size_t size)
{
	struct jp_load_edge edges[64];
	size_t count = jp_load_edges(shape, n, edges, 64), at = 0;
	cr_assert_leq(count, 64);
	*out = 0;
	for (size_t i = 0; i < count; i++)
		at += (size_t)snprintf(out + at, size - at, "%s%u>%u", i ? " " : "", edges[i].from, edges[i].to);
}

struct shape_case {
	enum jp_load_shape shape;
	uint32_t n;
	char want[128];
};

ParameterizedTestParameters(load, shapes)
{
	static struct shape_case cases[] = {
		{JP_SHAPE_CHAIN, 1, ""},
		{JP_SHAPE_CHAIN, 4, "0>1 1>2 2>3"},
		{JP_SHAPE_MIDI, 3, "0>1 1>2"},
		{JP_SHAPE_PARALLEL, 5, ""},
		{JP_SHAPE_SINK, 1, ""},
		{JP_SHAPE_SINK, 4, "0>3"},
		{JP_SHAPE_LAYERS, 2, "0>1"},
		{JP_SHAPE_LAYERS, 4, "0>2 1>2 0>3 1>3"},
		{JP_SHAPE_LAYERS, 5, "0>2 1>2 0>3 1>3 2>4 3>4"},
		{JP_SHAPE_LAYERS, 9, "0>3 1>3 2>3 0>4 1>4 2>4 0>5 1>5 2>5 3>6 4>6 5>6 3>7 4>7 5>7 3>8 4>8 5>8"},
	};
	return cr_make_param_array(struct shape_case, cases, sizeof cases / sizeof *cases);
}

ParameterizedTest(struct shape_case *c, load, shapes)
{
	char got[256];
	edges_text(c->shape, c->n, got, sizeof got);
	cr_assert_str_eq(got, c->want);
}

Test(load, layers_of_many_clients_are_about_as_wide_as_deep_and_have_no_loop)
{
	static struct jp_load_edge edges[EDGES_MAX];
	for (uint32_t n = 2; n <= 200; n++) {
		size_t count = jp_load_edges(JP_SHAPE_LAYERS, n, edges, EDGES_MAX);
		uint32_t width = (uint32_t)sqrt(n);
		cr_assert_eq(count, (size_t)(n - width) * width, "%u clients", n);
		for (size_t i = 0; i < count; i++) {
			cr_assert_lt(edges[i].to, n);
			cr_assert_eq(edges[i].from / width + 1, edges[i].to / width);
		}
	}
}

Test(load, edges_beyond_the_room_are_counted_but_not_written)
{
	struct jp_load_edge two[3] = {{7, 7}, {7, 7}, {7, 7}};
	cr_assert_eq(jp_load_edges(JP_SHAPE_CHAIN, 10, two, 2), 9);
	cr_assert_eq(two[1].to, 2);
	cr_assert_eq(two[2].to, 7);
}

Test(load, only_the_sink_has_no_outputs)
{
	cr_assert(jp_load_has_outputs(JP_SHAPE_SINK, 4, 2));
	cr_assert_not(jp_load_has_outputs(JP_SHAPE_SINK, 4, 3));
	cr_assert(jp_load_has_outputs(JP_SHAPE_CHAIN, 4, 3));
}

struct spike_case {
	char text[32];
	enum jp_status want;
	int64_t every, us;
};

ParameterizedTestParameters(load, spikes)
{
	static struct spike_case cases[] = {
		{"1000:3000", JP_OK, 1000, 3000},
		{"1:0", JP_OK, 1, 0},
		{"2:10000000", JP_OK, 2, 10000000},
		{"2:10000001", JP_BAD_ARG, 0, 0},
		{"0:5", JP_BAD_ARG, 0, 0},
		{"-1:5", JP_BAD_ARG, 0, 0},
		{"5", JP_BAD_ARG, 0, 0},
		{"5:", JP_BAD_ARG, 0, 0},
		{":5", JP_BAD_ARG, 0, 0},
		{"5:5x", JP_BAD_ARG, 0, 0},
		{"99999999999999999999:5", JP_BAD_ARG, 0, 0},
		{"", JP_BAD_ARG, 0, 0},
	};
	return cr_make_param_array(struct spike_case, cases, sizeof cases / sizeof *cases);
}

ParameterizedTest(struct spike_case *c, load, spikes)
{
	struct jp_load_spike got = {-1, -1};
	cr_assert_eq(jp_load_spike_parse(c->text, &got, NULL), c->want, "%s", c->text);
	cr_assert_eq(got.every, c->every);
	cr_assert_eq(got.us, c->us);
}

Test(load, a_spike_needs_a_client_that_exists)
{
	struct jp_load_options o = {.clients = 4, .spike_client = -1};
	struct jp_why why;
	cr_assert_eq(jp_load_check(&o, &why), JP_OK);
	o.spike_client = 3;
	cr_assert_eq(jp_load_check(&o, &why), JP_BAD_ARG);
	o.spike = "10:10";
	cr_assert_eq(jp_load_check(&o, &why), JP_OK);
	o.spike_client = 4;
	cr_assert_eq(jp_load_check(&o, &why), JP_BAD_ARG);
	cr_assert(strstr(why.text, "0 to 3"), "%s", why.text);
}

static void fill(const struct jp_load_area *area, uint32_t i, const char *name, const struct jp_load_record *record)
{
	snprintf(area->seats[i].name, sizeof area->seats[i].name, "%s", name);
	jp_load_area_records(area, i)[0] = *record;
	area->seats[i].tally.kept_ = 1;
}

Test(load, truth_file_quotes_names_and_leaves_an_unknown_wake_empty)
{
	struct jp_load_area area;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	cr_assert_eq(jp_load_area_open(&area, 3, 1, NULL), JP_OK);
	fill(&area, 0, "load-0", &(struct jp_load_record){1000, 2000, 3000, 4294967295u});
	fill(&area, 1, "a, \"b\"", &(struct jp_load_record){JP_NS_UNKNOWN, 5, 6, 0});
	cr_assert_eq(jp_truth_write(&area, out, NULL), JP_OK);
	fclose(out);
	cr_assert_str_eq(text, "client,wake_ns,frame,start_ns,end_ns\n"
			       "\"load-0\",1000,4294967295,2000,3000\n"
			       "\"a, \"\"b\"\"\",,0,5,6\n");
	free(text);
	jp_load_area_close(&area);
}

Test(load, truth_into_a_pipe_needs_a_reader, .init = jp_scratch_make, .fini = jp_scratch_remove, .timeout = 20)
{
	struct jp_why why;
	FILE *out;
	char got[8] = "", sentence[sizeof why.text];
	const char *path = jp_scratch_path("fifo");
	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_assert_eq(jp_truth_open(path, &out, &why), JP_MISSING);
	snprintf(sentence, sizeof sentence, "--truth %s: nobody reads from it; start the reader first", path);
	cr_assert_str_eq(why.text, sentence);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	cr_assert_eq(jp_truth_open(path, &out, &why), JP_OK);
	cr_assert_eq(fcntl(fileno(out), F_GETFL) & O_NONBLOCK, 0, "writing waits for the reader");
	fputs("row", out);
	fclose(out);
	cr_assert_eq(read(reader, got, sizeof got), 3);
	cr_assert_str_eq(got, "row");
	close(reader);
}

Test(load, truth_replaces_a_file, .init = jp_scratch_make, .fini = jp_scratch_remove)
{
	struct jp_why why;
	FILE *out;
	jp_scratch_write(jp_scratch_path("truth.csv"), "what was there");
	cr_assert_eq(jp_truth_open(jp_scratch_path("truth.csv"), &out, &why), JP_OK);
	fclose(out);
	cr_assert_str_eq(jp_scratch_read(jp_scratch_path("truth.csv")), "");
	cr_assert_eq(jp_truth_open("/no/such.csv", &out, &why), JP_MISSING);
	cr_assert_str_eq(why.text, "--truth /no/such.csv: cannot be written: No such file or directory");
}
