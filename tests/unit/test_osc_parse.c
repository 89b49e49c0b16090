/* Targets and prefixes, as users write them. */
#include <criterion/criterion.h>
#include <jackprobe/osc.h>
#include <stdio.h>
#include <string.h>

struct row {
	const char *text;
	const char *complaint; /* a part of it; NULL: none */
};

static void expect(enum jp_status (*check)(const char *, struct jp_why *), const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct jp_why why = {""};
		enum jp_status status = check(row[i].text, &why);
		cr_assert_eq(status, row[i].complaint ? JP_BAD_ARG : JP_OK, "'%s': %s", row[i].text, why.text);
		if (row[i].complaint) {
			cr_assert(strstr(why.text, row[i].complaint), "'%s': %s", row[i].text, why.text);
			cr_assert(strstr(why.text, row[i].text), "'%s': %s", row[i].text, why.text);
		}
	}
}

Test(osc_parse, targets)
{
	static const struct row row[] = {
		{"127.0.0.1:9000", NULL},
		{"localhost:1", NULL},
		{"studio-pc.example.org:65535", NULL},
		{"[::1]:9000", NULL},
		{"[fe80::1%eth0]:9000", NULL},
		{"", "HOST:PORT"},
		{"foo", "HOST:PORT"},
		{"[::1]", "HOST:PORT"},
		{"[::1]9000", "HOST:PORT"},
		{"[::1:9000", "HOST:PORT"},
		{":9000", "a host before the colon"},
		{"::1:9000", "brackets"},
		{"fe80::1%eth0:9000", "brackets"},
		{"[]:9000", "a host before the colon"},
		{"[127.0.0.1]:9000", "an IPv6 address between"},
		{"[fe80::1%]:9000", "an IPv6 address between"},
		{"[::g]:9000", "an IPv6 address between"},
		{"my host:9000", "a host name"},
		{"osc.udp://127.0.0.1:9000", "a port from 1 to 65535"},
		{"127.0.0.1:", "a port from 1 to 65535"},
		{"127.0.0.1:0", "a port from 1 to 65535"},
		{"127.0.0.1:65536", "a port from 1 to 65535"},
		{"127.0.0.1:999999", "a port from 1 to 65535"},
		{"127.0.0.1:-1", "a port from 1 to 65535"},
		{"127.0.0.1:9000x", "a port from 1 to 65535"},
		{"127.0.0.1: 9000", "a port from 1 to 65535"},
		{"127.0.0.1:osc", "a port from 1 to 65535"},
	};
	expect(jp_osc_check_target, row, sizeof row / sizeof *row);
}

Test(osc_parse, a_host_has_room_for_253_characters)
{
	char text[300];
	for (size_t n = 253; n <= 254; n++) {
		memset(text, 'a', n);
		snprintf(text + n, sizeof text - n, ":9000");
		cr_assert_eq(jp_osc_check_target(text, NULL), n == 253 ? JP_OK : JP_BAD_ARG);
	}
}

Test(osc_parse, prefixes)
{
	static const struct row row[] = {
		{"", NULL},
		{"/jackprobe", NULL},
		{"/stage/left-1", NULL},
		{"jackprobe", "follow a '/'"},
		{"/", "follow a '/'"},
		{"/a/", "follow a '/'"},
		{"/a//b", "follow a '/'"},
		{"/a b", "without spaces"},
		{"/a\tb", "without spaces"},
		{"/b\xc3\xbchne", "without spaces"},
		{"/a#", "'#' may not"},
		{"/a*", "'*' may not"},
		{"/a,b", "',' may not"},
		{"/a?", "'?' may not"},
		{"/[a", "'[' may not"},
		{"/a]", "']' may not"},
		{"/{a", "'{' may not"},
		{"/a}", "'}' may not"},
	};
	char longest[65] = "/";
	expect(jp_osc_check_prefix, row, sizeof row / sizeof *row);
	memset(longest + 1, 'a', 62);
	cr_assert_eq(jp_osc_check_prefix(longest, NULL), JP_OK);
	longest[63] = 'a';
	cr_assert_eq(jp_osc_check_prefix(longest, NULL), JP_BAD_ARG);
}
