/* What users write: targets and prefixes. */
#include "parse.h"

#include <arpa/inet.h>
#include <jackprobe/osc.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAME_CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

static enum jp_status refuse(struct jp_why *why, const char *target, const char *wants)
{
	return jp_why_set(why, JP_BAD_ARG, "osc target '%.100s': wants %s", target, wants);
}

/* An IPv6 address, perhaps with %interface. */
static bool is_v6(const char *host)
{
	char address[INET6_ADDRSTRLEN];
	size_t n = strcspn(host, "%");
	struct in6_addr ignored;
	if (n >= sizeof address || (host[n] && !host[n + 1]))
		return false;
	memcpy(address, host, n);
	address[n] = 0;
	return inet_pton(AF_INET6, address, &ignored) == 1;
}

static bool parse_port(const char *text, char out[6])
{
	size_t n = strspn(text, "0123456789");
	if (n < 1 || n > 5 || text[n])
		return false;
	memcpy(out, text, n + 1);
	long port = strtol(text, NULL, 10);
	return port >= 1 && port <= 65535;
}

enum jp_status jp_osc_parse_target(const char *target, struct jp_osc_endpoint *out, struct jp_why *why)
{
	bool bracket = target[0] == '[';
	const char *host = target + bracket;
	const char *end = bracket ? strchr(host, ']') : strchr(host, ':');
	if (!end || (bracket && end[1] != ':'))
		return refuse(why, target, "HOST:PORT, for example 127.0.0.1:9000 or [::1]:9000");
	size_t n = (size_t)(end - host);
	const char *port = end + 1 + bracket;
	if (!bracket && strchr(port, ':') && strspn(target, "0123456789abcdefABCDEF:.%") > n + 1)
		return refuse(why, target, "an IPv6 address in brackets, for example [::1]:9000");
	if (n == 0)
		return refuse(why, target, "a host before the colon, for example 127.0.0.1:9000");
	if (n >= sizeof out->host)
		return refuse(why, target, "a host of at most 253 characters");
	memcpy(out->host, host, n);
	out->host[n] = 0;
	if (bracket && !is_v6(out->host))
		return refuse(why, target, "an IPv6 address between the brackets, for example [fe80::1%eth0]:9000");
	if (!bracket && strspn(out->host, NAME_CHARS) != n)
		return refuse(why, target, "a host name or address before the colon, for example 127.0.0.1:9000");
	if (!parse_port(port, out->port))
		return refuse(why, target, "a port from 1 to 65535 after the colon");
	return JP_OK;
}

enum jp_status jp_osc_check_target(const char *target, struct jp_why *why)
{
	struct jp_osc_endpoint ignored;
	return jp_osc_parse_target(target, &ignored, why);
}

/* A character that may not stand in an address; 0 = all may. */
static char bad_char(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~' || strchr("#*,?[]{}", *text))
			return *text;
	return 0;
}

bool jp_osc_address_valid(const char *address)
{
	size_t n = strlen(address);
	return n > 1 && address[0] == '/' && address[n - 1] != '/' && !strstr(address, "//") && !bad_char(address);
}

enum jp_status jp_osc_check_prefix(const char *prefix, struct jp_why *why)
{
	char bad = bad_char(prefix);
	if (!*prefix || jp_osc_address_valid(prefix))
		return strlen(prefix) < JP_OSC_PREFIX_MAX
			       ? JP_OK
			       : jp_why_set(why, JP_BAD_ARG, "osc prefix '%.20s...': wants at most %d characters",
					 prefix, JP_OSC_PREFIX_MAX - 1);
	if (bad > ' ' && bad <= '~')
		return jp_why_set(
			why, JP_BAD_ARG, "osc prefix '%.100s': '%c' may not stand in an OSC address", prefix, bad);
	if (bad)
		return jp_why_set(why, JP_BAD_ARG, "osc prefix '%.100s': wants printable ASCII without spaces", prefix);
	return jp_why_set(why, JP_BAD_ARG,
		"osc prefix '%.100s': wants names that each follow a '/', for example /jackprobe", prefix);
}
