/* Whether a log may be continued: what its first line has to be. */
#include "logfile.h"

#include <string.h>

struct field {
	const char *at;
	size_t len;
};

/* The field that begins at *at; moves on to the next. */
static struct field next_field(const char **at, const char *end)
{
	const char *comma = memchr(*at, ',', (size_t)(end - *at));
	struct field f = {*at, (size_t)((comma ? comma : end) - *at)};
	*at = comma ? comma + 1 : end;
	return f;
}

enum jp_status jp_logfile_same_header(const char *line, size_t len, const char *header, struct jp_why *why)
{
	size_t want_len = strlen(header);
	if (len == want_len && memcmp(line, header, len) == 0)
		return JP_OK;
	if (len == want_len + 1 && line[want_len] == '\r' && memcmp(line, header, want_len) == 0)
		return jp_why_set(why, JP_EXISTS,
			"has this run's header, but its lines end in CR LF; choose another name or take the CRs out");
	const char *have = line, *want = header;
	const char *have_end = line + len, *want_end = header + want_len;
	struct field h, w;
	int column = 0;
	do {
		h = next_field(&have, have_end);
		w = next_field(&want, want_end);
		column++;
	} while (h.len && h.len == w.len && memcmp(h.at, w.at, h.len) == 0);
	const int shown = 40;
	return jp_why_set(why, JP_EXISTS,
		"has another header than this run would write (first difference: column %d '%.*s' where '%.*s' is "
		"expected); choose another name or move it away",
		column, h.len > (size_t)shown ? shown : (int)h.len, h.at, w.len > (size_t)shown ? shown : (int)w.len,
		w.at);
}

enum jp_status jp_logfile_json_lines(const char *line, size_t len, const char *header, struct jp_why *why)
{
	(void)header;
	static const char type[] = "\"type\"";
	if (len && line[0] == '{' && memmem(line, len, type, sizeof type - 1))
		return JP_OK;
	return jp_why_set(why, JP_EXISTS,
		"holds something else than JSON lines with a \"type\"; choose another name or move it away");
}
