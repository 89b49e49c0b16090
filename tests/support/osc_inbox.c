/* A strict OSC 1.0 receiver for tests, written from the specification. */
#include "osc_inbox.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t big_endian(const char *at)
{
	uint32_t v;
	memcpy(&v, at, sizeof v);
	return ntohl(v);
}

/* An OSC string at *pos; NULL when it does not end, or its padding is not all zero. */
static const char *take_string(const char *bytes, size_t size, size_t *pos)
{
	const char *s = bytes + *pos;
	size_t length = strnlen(s, size - *pos);
	size_t end = *pos + (length / 4 + 1) * 4;
	if (end > size)
		return NULL;
	for (size_t i = *pos + length; i < end; i++)
		if (bytes[i])
			return NULL;
	*pos = end;
	return s;
}

static const char *decode_arg(struct osc_message *m, struct osc_arg *arg, size_t size, size_t *pos)
{
	if (arg->tag == 's') {
		arg->s = take_string(m->raw, size, pos);
		return arg->s ? NULL : "string argument not terminated or not padded with zeros";
	}
	if (arg->tag != 'i' && arg->tag != 'f')
		return "type tag other than i, f, s";
	if (*pos + 4 > size)
		return "argument missing";
	uint32_t bits = big_endian(m->raw + *pos);
	*pos += 4;
	if (arg->tag == 'i')
		arg->i = (int32_t)bits;
	else
		memcpy(&arg->f, &bits, sizeof bits);
	return arg->tag == 'f' && !isfinite(arg->f) ? "NaN or infinity" : NULL;
}

static const char *decode_message(struct osc_message *m, size_t size)
{
	size_t pos = 0;
	m->address = take_string(m->raw, size, &pos);
	if (!m->address || m->address[0] != '/' || strpbrk(m->address, " #*,?[]{}"))
		return "address";
	for (const char *c = m->address; *c; c++)
		if (*c < ' ' || *c > '~')
			return "address not printable ASCII";
	m->types = pos < size ? take_string(m->raw, size, &pos) : NULL;
	if (!m->types || *m->types++ != ',')
		return "type tags";
	m->n = strlen(m->types);
	if (m->n > OSC_ARGS_MAX)
		return "more arguments than the test has room for";
	for (size_t i = 0; i < m->n; i++) {
		m->arg[i].tag = m->types[i];
		const char *fault = decode_arg(m, &m->arg[i], size, &pos);
		if (fault)
			return fault;
	}
	return pos == size ? NULL : "bytes after the last argument";
}

static const char *decode_element(struct osc_inbox *inbox, const char *bytes, size_t size, bool bundled, bool first)
{
	struct osc_message *m = &inbox->message[inbox->n];
	if (inbox->n == OSC_MESSAGES_MAX)
		return "more messages than the test has room for";
	memset(m, 0, sizeof *m);
	memcpy(m->raw, bytes, size);
	m->datagram = inbox->datagrams;
	m->bundled = bundled;
	m->first = first;
	const char *fault = decode_message(m, size);
	if (!fault)
		inbox->n++;
	return fault;
}

static const char *decode_bundle(struct osc_inbox *inbox, const char *bytes, size_t size)
{
	static const char head[16] = "#bundle\0\0\0\0\0\0\0\0\1";
	if (memcmp(bytes, head, sizeof head) != 0)
		return "bundle head or time tag";
	size_t pos = sizeof head;
	while (pos < size) {
		size_t element = pos + 4 <= size ? big_endian(bytes + pos) : 0;
		if (element == 0 || element % 4 || element > size - pos - 4)
			return "element size";
		const char *fault = decode_element(inbox, bytes + pos + 4, element, true, pos == sizeof head);
		if (fault)
			return fault;
		pos += 4 + element;
	}
	return NULL;
}

const char *osc_decode(struct osc_inbox *inbox, const void *bytes, size_t size)
{
	const char *fault = "size";
	if (size > 0 && size % 4 == 0 && size <= OSC_DATAGRAM_MAX)
		fault = *(const char *)bytes == '#' && size >= 16 ? decode_bundle(inbox, bytes, size)
								  : decode_element(inbox, bytes, size, false, true);
	inbox->datagrams++;
	return fault;
}

static socklen_t make_address(struct sockaddr_storage *out, const char *host, uint16_t port)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)out;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
	memset(out, 0, sizeof *out);
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(port);
		return sizeof *v4;
	}
	cr_assert_eq(inet_pton(AF_INET6, host, &v6->sin6_addr), 1);
	v6->sin6_family = AF_INET6;
	v6->sin6_port = htons(port);
	return sizeof *v6;
}

struct osc_inbox *osc_inbox_open(const char *host, uint16_t port)
{
	struct osc_inbox *inbox = calloc(1, sizeof *inbox);
	struct sockaddr_storage addr;
	cr_assert(inbox);
	socklen_t len = make_address(&addr, host, port);
	inbox->fd = socket(addr.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	cr_assert_geq(inbox->fd, 0, "socket: %m");
	cr_assert_eq(bind(inbox->fd, (struct sockaddr *)&addr, len), 0, "bind %s port %u: %m", host, port);
	snprintf(inbox->target, sizeof inbox->target, addr.ss_family == AF_INET ? "%s:%u" : "[%s]:%u", host,
		osc_inbox_port(inbox));
	return inbox;
}

void osc_inbox_close(struct osc_inbox *inbox)
{
	close(inbox->fd);
	free(inbox);
}

uint16_t osc_inbox_port(const struct osc_inbox *inbox)
{
	struct sockaddr_storage addr;
	socklen_t len = sizeof addr;
	cr_assert_eq(getsockname(inbox->fd, (struct sockaddr *)&addr, &len), 0);
	return ntohs(addr.ss_family == AF_INET ? ((struct sockaddr_in *)&addr)->sin_port
					       : ((struct sockaddr_in6 *)&addr)->sin6_port);
}

static void receive_one(struct osc_inbox *inbox, const char *awaited)
{
	char bytes[65536];
	struct pollfd p = {.fd = inbox->fd, .events = POLLIN};
	cr_assert_eq(poll(&p, 1, 10000), 1, "%zu datagrams came, but not all of %s", inbox->datagrams, awaited);
	ssize_t size = recv(inbox->fd, bytes, sizeof bytes, 0);
	cr_assert_geq(size, 0, "recv: %m");
	const char *fault = osc_decode(inbox, bytes, (size_t)size);
	cr_assert_null(fault, "datagram of %zd bytes: %s", size, fault);
}

void osc_inbox_wait(struct osc_inbox *inbox, size_t datagrams)
{
	char awaited[32];
	snprintf(awaited, sizeof awaited, "%zu", datagrams);
	while (inbox->datagrams < datagrams)
		receive_one(inbox, awaited);
}

void osc_inbox_wait_for(struct osc_inbox *inbox, const char *address)
{
	while (!osc_inbox_count(inbox, address))
		receive_one(inbox, address);
}

void osc_inbox_clear(struct osc_inbox *inbox)
{
	inbox->n = 0;
}

size_t osc_inbox_count(const struct osc_inbox *inbox, const char *address)
{
	size_t count = 0;
	for (size_t i = 0; i < inbox->n; i++)
		count += !strcmp(inbox->message[i].address, address);
	return count;
}

const struct osc_message *osc_inbox_find(const struct osc_inbox *inbox, const char *address)
{
	const struct osc_message *found = NULL;
	for (size_t i = 0; i < inbox->n; i++) {
		if (strcmp(inbox->message[i].address, address) != 0)
			continue;
		cr_assert_null(found, "%s came more than once", address);
		found = &inbox->message[i];
	}
	return found;
}
