#include "graph/plan.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A graph in words: ports "client:port flags" with i or o, a (audio), m (MIDI) or f (foreign), p (physical); cables "a:b>c:d".
 * Ours are called H and T. Wanted cables in the order of the plan. */
struct row {
	const char *name;
	const char *ports, *cables;
	enum jp_server_kind kind;
	bool strict;
	int clients, covered;
	const char *uncovered, *wanted;
};

#define TAIL "T:audio ia,T:midi im"
#define HEAD "H:audio oa,H:late oa,H:midi om"

static const struct row rows[] = {
	{"empty", TAIL, "", JP_SERVER_JACK2, false, 0, 0, "", ""},
	{"one synth", TAIL ",synth:out oa", "", JP_SERVER_JACK2, false, 1, 0, "synth", "synth:out>T:audio"},
	{"covered already", TAIL ",synth:out oa", "synth:out>T:audio", JP_SERVER_JACK2, false, 1, 1, "", ""},
	{"a cable of the user's counts", TAIL ",synth:l oa,synth:r oa", "synth:r>T:audio", JP_SERVER_JACK2, false, 1, 1,
		"", ""},
	{"one cable for many ports", TAIL ",x:1 oa,x:2 oa,x:3 om", "", JP_SERVER_JACK2, false, 1, 0, "x",
		"x:1>T:audio"},
	{"audio before MIDI, whatever the order", TAIL ",x:1 om,x:2 oa", "", JP_SERVER_JACK2, false, 1, 0, "x",
		"x:2>T:audio"},
	{"MIDI only", TAIL ",seq:out om", "", JP_SERVER_JACK2, false, 1, 0, "seq", "seq:out>T:midi"},
	{"no output", TAIL ",meter:in ia", "", JP_SERVER_JACK2, false, 1, 0, "meter", ""},
	{"foreign type", TAIL ",video:out of", "", JP_SERVER_JACK2, false, 1, 0, "video", ""},
	{"foreign and MIDI", TAIL ",x:v of,x:m om", "", JP_SERVER_JACK2, false, 1, 0, "x", "x:m>T:midi"},
	{"jackd's hardware", TAIL ",system:c oap,system:p iap", "", JP_SERVER_JACK2, false, 0, 0, "", ""},
	{"jackd's MIDI hardware", TAIL ",system_midi:c omp", "", JP_SERVER_JACK2, false, 0, 0, "", ""},
	{"a bridge with physical ports is a program", TAIL ",a2j:c omp", "", JP_SERVER_JACK2, false, 1, 0, "a2j",
		"a2j:c>T:midi"},
	{"a program named system is one", TAIL ",systemX:c oa", "", JP_SERVER_JACK2, false, 1, 0, "systemX",
		"systemX:c>T:audio"},
	{"PipeWire's sink with its monitor", TAIL ",sink:p iap,sink:mon oa", "", JP_SERVER_PIPEWIRE, false, 0, 0, "",
		""},
	{"PipeWire's monitor beside the sink", TAIL ",sink Monitor:m oa,sink:p iap", "", JP_SERVER_PIPEWIRE, false, 0,
		0, "", ""},
	{"a stream of PipeWire's", TAIL ",pw-play:o oa", "", JP_SERVER_PIPEWIRE, false, 1, 0, "pw-play",
		"pw-play:o>T:audio"},
	{"names that begin alike", TAIL ",a:o oa,ab:o oa", "a:o>T:audio", JP_SERVER_JACK2, false, 2, 1, "ab",
		"ab:o>T:audio"},
	{"colons in a port's name", TAIL ",a:b:c oa", "", JP_SERVER_JACK2, false, 1, 0, "a", "a:b:c>T:audio"},
	{"several", TAIL ",a:o oa,b:i ia,c:o om", "a:o>b:i", JP_SERVER_JACK2, false, 3, 0, "a, b, c",
		"a:o>T:audio,c:o>T:midi"},
	{"head only: there is no tail", "a:o oa", "", JP_SERVER_JACK2, false, 1, 0, "a", ""},
	{"strict: root", TAIL "," HEAD ",a:i ia,a:o oa", "", JP_SERVER_JACK2, true, 1, 0, "a",
		"a:o>T:audio,H:audio>a:i"},
	{"strict: not root", TAIL "," HEAD ",a:i ia,a:o oa,b:i ia,b:j ia", "a:o>b:i,H:audio>a:i,a:o>T:audio",
		JP_SERVER_JACK2, true, 2, 1, "b", ""},
	{"strict: fed by hardware is root, free input first", TAIL "," HEAD ",system:c oap,a:1 ia,a:2 ia",
		"system:c>a:1", JP_SERVER_JACK2, true, 1, 0, "a", "H:audio>a:2"},
	{"strict: input in use", TAIL "," HEAD ",system:c oap,a:1 ia", "system:c>a:1", JP_SERVER_JACK2, true, 1, 0, "a",
		"H:late>a:1"},
	{"strict: free MIDI input before one in use", TAIL "," HEAD ",system:c oap,a:1 ia,a:m im", "system:c>a:1",
		JP_SERVER_JACK2, true, 1, 0, "a", "H:midi>a:m"},
	{"strict: no input", TAIL "," HEAD ",synth:o oa", "synth:o>T:audio", JP_SERVER_JACK2, true, 1, 1, "", ""},
	{"strict: one of a loop", TAIL "," HEAD ",a:i ia,a:j ia,a:o oa,b:i ia,b:o oa",
		"a:o>b:i,b:o>a:i,a:o>T:audio,b:o>T:audio", JP_SERVER_JACK2, true, 2, 2, "", "H:audio>a:j"},
	{"strict: a loop behind a root is reached", TAIL "," HEAD ",r:i ia,r:o oa,a:i ia,a:o oa,b:i ia,b:o oa",
		"r:o>a:i,a:o>b:i,b:o>a:i,r:o>T:audio,a:o>T:audio,b:o>T:audio", JP_SERVER_JACK2, true, 3, 3, "",
		"H:audio>r:i"},
	{"strict: a cable to itself makes no loop", TAIL "," HEAD ",a:i ia,a:j ia,a:o oa", "a:o>a:i,a:o>T:audio",
		JP_SERVER_JACK2, true, 1, 1, "", "H:audio>a:j"},
};

static void add_port(struct jp_graph *g, const char *name, const char *flags)
{
	enum jp_port_type type = strchr(flags, 'a')   ? JP_PORT_AUDIO
				 : strchr(flags, 'm') ? JP_PORT_MIDI
						      : JP_PORT_FOREIGN;
	jp_graph_add_port(g, name, type, strchr(flags, 'o') != NULL, strchr(flags, 'p') != NULL);
}

static void build(const struct row *row, struct jp_graph *g)
{
	char text[512], *rest, *item;
	snprintf(text, sizeof text, "%s", row->ports);
	for (item = strtok_r(text, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		char *flags = strrchr(item, ' ');
		*flags++ = 0;
		add_port(g, item, flags);
	}
	jp_graph_find_hardware(g, row->kind);
	jp_graph_mark(g, "H", JP_CLIENT_HEAD);
	jp_graph_mark(g, "T", JP_CLIENT_TAIL);
	snprintf(text, sizeof text, "%s", row->cables);
	for (item = strtok_r(text, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		char *to = strchr(item, '>');
		*to++ = 0;
		jp_graph_add_cable(g, item, to);
	}
}

Test(plan, table)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *row = &rows[i];
		struct jp_graph g = {0};
		struct jp_plan plan;
		char wanted[512] = "";
		build(row, &g);
		cr_assert_eq(jp_plan_make(&g, row->strict, &plan), JP_OK);
		for (size_t k = 0; k < plan.n_wanted; k++)
			snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s>%s", k ? "," : "",
				g.ports[plan.wanted[k].from].name, g.ports[plan.wanted[k].to].name);
		cr_expect_str_eq(wanted, row->wanted, "%s: %s", row->name, wanted);
		cr_expect_eq(plan.clients, row->clients, "%s: clients %d", row->name, (int)plan.clients);
		cr_expect_eq(plan.covered, row->covered, "%s: covered %d", row->name, (int)plan.covered);
		cr_expect_str_eq(plan.uncovered, row->uncovered, "%s: %s", row->name, plan.uncovered);
		jp_plan_clear(&plan);
		jp_graph_clear(&g);
	}
}

/* What is wanted, once made, leaves nothing more to want: else cables would be made for ever. */
Test(plan, is_satisfied_by_its_own_cables)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct jp_graph g = {0};
		struct jp_plan plan, after;
		build(&rows[i], &g);
		cr_assert_eq(jp_plan_make(&g, rows[i].strict, &plan), JP_OK);
		for (size_t k = 0; k < plan.n_wanted; k++)
			jp_graph_add_cable(&g, g.ports[plan.wanted[k].from].name, g.ports[plan.wanted[k].to].name);
		cr_assert_eq(jp_plan_make(&g, rows[i].strict, &after), JP_OK);
		cr_expect_eq(after.n_wanted, 0, "%s", rows[i].name);
		jp_plan_clear(&plan);
		jp_plan_clear(&after);
		jp_graph_clear(&g);
	}
}

/* While the server freewheeled `new` came; `old` was there before, `later` came after. */
Test(plan, leaves_ports_alone_that_were_registered_while_freewheeling)
{
	struct jp_graph before = {0}, during = {0}, after = {0};
	struct jp_plan plan;
	build(&(struct row){.ports = TAIL ",old:o oa", .cables = "", .kind = JP_SERVER_JACK2}, &before);
	build(&(struct row){.ports = TAIL ",old:o oa,new:o oa", .cables = "", .kind = JP_SERVER_JACK2}, &during);
	build(&(struct row){.ports = TAIL ",old:o oa,new:o oa,later:o oa", .cables = "", .kind = JP_SERVER_JACK2},
		&after);
	jp_graph_carry(&during, &before, true);
	jp_graph_carry(&after, &during, false);
	cr_assert_eq(jp_plan_make(&after, false, &plan), JP_OK);
	cr_assert_eq(plan.n_wanted, 2);
	cr_assert_str_eq(after.ports[plan.wanted[0].from].name, "old:o");
	cr_assert_str_eq(after.ports[plan.wanted[1].from].name, "later:o");
	cr_assert_str_eq(plan.uncovered, "old, new, later");
	jp_plan_clear(&plan);
	jp_graph_clear(&before);
	jp_graph_clear(&during);
	jp_graph_clear(&after);
}

Test(plan, long_lists_are_cut)
{
	struct jp_graph g = {0};
	struct jp_plan plan;
	char name[64];
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "recorder-%03d:in", i);
		jp_graph_add_port(&g, name, JP_PORT_AUDIO, false, false);
	}
	cr_assert_eq(jp_plan_make(&g, false, &plan), JP_OK);
	cr_assert_eq(plan.clients, 100);
	size_t length = strlen(plan.uncovered);
	cr_assert_lt(length, sizeof plan.uncovered);
	cr_assert_str_eq(plan.uncovered + length - 5, ", ...");
	cr_assert_eq(strncmp(plan.uncovered, "recorder-000, recorder-001, ", 28), 0);
	jp_plan_clear(&plan);
	jp_graph_clear(&g);
}
