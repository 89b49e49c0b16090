/* Which JACK it is. */
#include "server.h"

#include <stdio.h>
#include <string.h>

enum jp_server_kind jp_server_kind(const char *version, uintptr_t handle)
{
	const uintptr_t small = 65536; /* no pointer lies below it */
	enum jp_server_kind kind = JP_SERVER_UNKNOWN;
	if (version && strstr(version, "PipeWire"))
		kind = JP_SERVER_PIPEWIRE;
	else if (version && !strncmp(version, "1.", 2))
		kind = JP_SERVER_JACK2;
	else if (version && !strncmp(version, "0.", 2))
		kind = JP_SERVER_JACK1;
	if (!handle)
		return kind;
	if (kind == JP_SERVER_UNKNOWN && handle < small)
		return JP_SERVER_JACK2;
	return (kind == JP_SERVER_JACK2) == (handle < small) ? kind : JP_SERVER_UNKNOWN;
}

void jp_server_text(enum jp_server_kind kind, const char *version, char *out, size_t size)
{
	const char *v = version ? version : "";
	const char *bare = strstr(v, "PipeWire ");
	switch (kind) {
	case JP_SERVER_JACK1:
		snprintf(out, size, "jackd1 %s", v);
		return;
	case JP_SERVER_JACK2:
		snprintf(out, size, "jackd2%s%s", *v ? " " : "", v);
		return;
	case JP_SERVER_PIPEWIRE:
		snprintf(out, size, "%.*s", bare ? (int)strcspn(bare, ")") : (int)strlen(v), bare ? bare : v);
		return;
	case JP_SERVER_UNKNOWN:
		snprintf(out, size, "%s%s", *v ? "JACK " : "", v);
		return;
	}
}

enum jp_pair_mode jp_server_pair_mode(enum jp_server_kind kind)
{
	return kind == JP_SERVER_PIPEWIRE ? JP_PAIR_COALESCED : JP_PAIR_QUEUED;
}

enum jp_wake_source jp_server_wake_source(enum jp_server_kind kind)
{
	switch (kind) {
	case JP_SERVER_JACK2:
		return JP_WAKE_DRIVER;
	case JP_SERVER_PIPEWIRE:
		return JP_WAKE_NOMINAL;
	case JP_SERVER_JACK1:
	case JP_SERVER_UNKNOWN:
		break;
	}
	return JP_WAKE_FILTERED;
}
