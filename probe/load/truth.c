/* Truth file. */
#include "truth.h"

#include <errno.h>
#include <inttypes.h>
#include <jackprobe/cycle.h>
#include <string.h>

/* RFC 4180: a field with a separator, quote or line break stands in quotes, a quote inside is doubled. */
static void quote(const char *text, char *out, size_t size)
{
	if (!strpbrk(text, ",\"\r\n")) {
		snprintf(out, size, "%s", text);
		return;
	}
	size_t n = 0;
	out[n++] = '"';
	for (; *text && n + 3 < size; text++) {
		if (*text == '"')
			out[n++] = '"';
		out[n++] = *text;
	}
	out[n++] = '"';
	out[n] = 0;
}

static void write_client(const struct jp_load_area *area, uint32_t i, FILE *out)
{
	char name[2 * JP_NAME_MAX + 3], wake[24];
	const struct jp_load_record *r = jp_load_area_records(area, i);
	uint64_t n = jp_load_read(&area->seats[i].tally.kept_);
	quote(area->seats[i].name, name, sizeof name);
	for (uint64_t k = 0; k < n; k++, r++) {
		if (r->wake_ns == JP_NS_UNKNOWN)
			wake[0] = 0;
		else
			snprintf(wake, sizeof wake, "%" PRId64, r->wake_ns);
		fprintf(out, "%s,%s,%" PRIu32 ",%" PRId64 ",%" PRId64 "\n", name, wake, r->frame, r->start_ns,
			r->end_ns);
	}
}

enum jp_status jp_truth_write(const struct jp_load_area *area, FILE *out, struct jp_why *why)
{
	errno = 0;
	fputs("client,wake_ns,frame,start_ns,end_ns\n", out);
	for (uint32_t i = 0; i < area->n_clients; i++)
		write_client(area, i, out);
	if (fflush(out) || ferror(out))
		return jp_why_set(
			why, jp_status_from_errno(errno), "the truth file is incomplete: %s", strerror(errno));
	return JP_OK;
}
