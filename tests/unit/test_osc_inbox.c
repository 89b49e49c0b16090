/* The tests' own receiver is strict: what it lets pass is OSC 1.0. */
#include "support/osc_inbox.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define PACKET(text) text, sizeof text - 1

Test(osc_inbox, refuses_what_is_not_osc)
{
	static const struct {
		const char *bytes;
		size_t size;
		bool good;
	} row[] = {
		{PACKET("/a\0\0,i\0\0\0\0\0\1"), true},
		{PACKET("/a\0\0,s\0\0abc\0"), true},
		{PACKET("#bundle\0\0\0\0\0\0\0\0\1\0\0\0\x0c/a\0\0,i\0\0\0\0\0\1"), true},
		{PACKET("#bundle\0\0\0\0\0\0\0\0\1"), true},
		{PACKET(""), false},
		{PACKET("/a\0\0,i\0\0\0\0\0"), false},
		{PACKET("/a\0\0,i\0\0"), false},
		{PACKET("/a\0\0,i\0\0\0\0\0\1\0\0\0\0"), false},
		{PACKET("/a\0x,i\0\0\0\0\0\1"), false},
		{PACKET("/a\0\0,i\0x\0\0\0\1"), false},
		{PACKET("/a\0\0,s\0\0abcd"), false},
		{PACKET("/a\0\0,s\0\0ab\0x"), false},
		{PACKET("/a\0\0,d\0\0\0\0\0\0\0\0\0\0"), false},
		{PACKET("/a\0\0,T\0\0"), false},
		{PACKET("/a\0\0,f\0\0\x7f\xc0\0\0"), false},
		{PACKET("/a\0\0,f\0\0\xff\x80\0\0"), false},
		{PACKET("/a\0\0i\0\0\0\0\0\0\1"), false},
		{PACKET("/a\0\0"), false},
		{PACKET("abc\0,i\0\0\0\0\0\1"), false},
		{PACKET("/a*\0,i\0\0\0\0\0\1"), false},
		{PACKET("/a \0,i\0\0\0\0\0\1"), false},
		{PACKET("/\xc3\xa4\0,i\0\0\0\0\0\1"), false},
		{PACKET("#bundle\0\0\0\0\1\0\0\0\1"), false},
		{PACKET("#bundle\0\0\0\0\0\0\0\0\1\0\0\0\0"), false},
		{PACKET("#bundle\0\0\0\0\0\0\0\0\1\0\0\0\x10/a\0\0,i\0\0\0\0\0\1"), false},
		{PACKET("#bundle\0\0\0\0\0\0\0\0\1\0\0\0\x08/a\0\0,i\0\0\0\0\0\1"), false},
	};
	struct osc_inbox *inbox = calloc(1, sizeof *inbox);
	cr_assert(inbox);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *fault = osc_decode(inbox, row[i].bytes, row[i].size);
		cr_assert_eq(fault == NULL, row[i].good, "row %zu: %s", i, fault ? fault : "passed");
	}
	free(inbox);
}

Test(osc_inbox, refuses_a_datagram_that_is_too_large)
{
	static char bytes[1236] = "/a\0\0,s\0\0";
	struct osc_inbox *inbox = calloc(1, sizeof *inbox);
	cr_assert(inbox);
	for (size_t i = 8; i < 1231; i++)
		bytes[i] = 'x';
	cr_assert_null(osc_decode(inbox, bytes, 1232));
	bytes[1231] = bytes[1232] = bytes[1233] = bytes[1234] = 'x';
	cr_assert_not_null(osc_decode(inbox, bytes, 1236));
	free(inbox);
}
