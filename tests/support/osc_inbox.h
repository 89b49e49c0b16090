/** @file osc_inbox.h
 * A strict OSC 1.0 receiver for tests: a loopback socket and everything that came in, decoded. A datagram that breaks a rule
 * (padding, lengths, tags other than i f s, characters in addresses, NaN, infinity, size) fails the test. */
#ifndef JP_TEST_OSC_INBOX_H
#define JP_TEST_OSC_INBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OSC_ARGS_MAX = 200, OSC_MESSAGES_MAX = 1024, OSC_DATAGRAM_MAX = 1232 };

struct osc_arg {
	char tag;
	int32_t i;
	float f;
	const char *s;
};

struct osc_message {
	const char *address, *types;
	size_t n;
	struct osc_arg arg[OSC_ARGS_MAX];
	size_t datagram; /**< which one it came in, from 0 */
	bool bundled, first;
	char raw[OSC_DATAGRAM_MAX]; /**< what the strings point into */
};

struct osc_inbox {
	int fd;
	char target[64];  /**< "127.0.0.1:PORT", to send to */
	size_t datagrams; /**< since osc_inbox_open */
	size_t n;         /**< messages since osc_inbox_clear */
	struct osc_message message[OSC_MESSAGES_MAX];
};

/** Decode one packet. @return NULL, or the rule that it breaks. */
const char *osc_decode(struct osc_inbox *inbox, const void *bytes, size_t size);

/** @param host "127.0.0.1", "::1"; @param port 0: any. Free with osc_inbox_close. */
struct osc_inbox *osc_inbox_open(const char *host, uint16_t port);
void osc_inbox_close(struct osc_inbox *inbox);
uint16_t osc_inbox_port(const struct osc_inbox *inbox);

/** Receive until that many datagrams have come in all; fails the test after 10 s. */
void osc_inbox_wait(struct osc_inbox *inbox, size_t datagrams);
/** Receive until a message of that address has come in; fails the test after 10 s. */
void osc_inbox_wait_for(struct osc_inbox *inbox, const char *address);
/** Forget the messages, not the count of datagrams. */
void osc_inbox_clear(struct osc_inbox *inbox);

/** The only message of that address, or NULL; fails the test when there are several. */
const struct osc_message *osc_inbox_find(const struct osc_inbox *inbox, const char *address);
size_t osc_inbox_count(const struct osc_inbox *inbox, const char *address);

#endif
