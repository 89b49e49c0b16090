/* Truth file. */
#include "truth.h"

#include "sys/text.h"

#include <errno.h>
#include <fcntl.h>
#include <jackprobe/cycle.h>
#include <string.h>
#include <unistd.h>

enum jp_status jp_truth_open(const char *path, FILE **out, struct jp_why *why)
{
	/* Opening waits for nobody; what is written later may wait for a slow reader. */
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
	int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
	*out = flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) ? NULL : fdopen(fd, "w");
	if (*out)
		return JP_OK;
	int err = errno;
	if (fd >= 0)
		close(fd);
	if (err == ENXIO)
		return jp_why_set(
			why, JP_MISSING, "--truth %.150s: nobody reads from it; start the reader first", path);
	return jp_why_set(why, jp_status_from_errno(err), "--truth %.150s: cannot be written: %s", path, strerror(err));
}

static void put_record(struct jp_text *line, const char *client, const struct jp_load_record *r)
{
	jp_text_csv(line, client);
	jp_text_char(line, ',');
	if (r->wake_ns != JP_NS_UNKNOWN)
		jp_text_int(line, r->wake_ns);
	const int64_t rest[] = {r->frame, r->start_ns, r->end_ns};
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
		jp_text_char(line, ',');
		jp_text_int(line, rest[i]);
	}
	jp_text_char(line, '\n');
}

static bool write_client(const struct jp_load_area *area, uint32_t i, FILE *out)
{
	struct jp_text line = {0};
	const struct jp_load_record *r = jp_load_area_records(area, i);
	uint64_t n = jp_load_read(&area->seats[i].tally.kept_);
	bool whole = true;
	for (uint64_t k = 0; k < n && whole; k++) {
		jp_text_clear(&line);
		put_record(&line, area->seats[i].name, &r[k]);
		whole = !line.failed && fwrite(line.at, 1, line.len, out) == line.len;
	}
	jp_text_free(&line);
	return whole;
}

enum jp_status jp_truth_write(const struct jp_load_area *area, FILE *out, struct jp_why *why)
{
	errno = 0;
	bool whole = fputs("client,wake_ns,frame,start_ns,end_ns\n", out) >= 0;
	for (uint32_t i = 0; i < area->n_clients && whole; i++)
		whole = write_client(area, i, out);
	if (!whole || fflush(out))
		return jp_why_set(
			why, jp_status_from_errno(errno), "the truth file is incomplete: %s", strerror(errno));
	return JP_OK;
}
