/** @file logfile.h
 * A log file of whole lines: opened without blocking, appended to only where that is right, written so that a full disk
 * leaves no half line behind, opened again by name when asked (log rotation) or when it had to be given up. Regular
 * files, FIFOs and character devices. Thread: one at a time (the opener's, then the sink's own). */
#ifndef JP_LOGFILE_H
#define JP_LOGFILE_H

#include <jackprobe/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** May a file whose first line (without its end, cut at 64 KiB) is this be continued? @param header the header this run
 * would write, without its end, or NULL. Errors: JP_EXISTS, with the sentence. */
typedef enum jp_status (*jp_logfile_judge)(const char *line, size_t len, const char *header, struct jp_why *why);

/** First line equal to the header. */
enum jp_status jp_logfile_same_header(const char *line, size_t len, const char *header, struct jp_why *why);
/** First line a JSON object with a member "type". */
enum jp_status jp_logfile_json_lines(const char *line, size_t len, const char *header, struct jp_why *why);

struct jp_logfile {
	char *path;
	char *header; /**< goes into a file that is empty, without its line end; NULL = none */
	jp_logfile_judge judge;
	int fd;          /**< -1 = not open: tried again at each write */
	bool regular;    /**< false: FIFO or device */
	bool header_due; /**< the header has to stand before the next line */
	bool torn;       /**< what is in the file ends within a line */
	off_t end;       /**< where the last write ended; 0 = none yet */
	bool fresh;      /**< it was empty when it was opened; for the owner to look at and clear */
};

/** Copies path and header; opens nothing. Errors: JP_NO_MEM. */
enum jp_status jp_logfile_init(struct jp_logfile *f, const char *path, const char *header, jp_logfile_judge judge);

/** Open, or make the file, and judge what is in it; writes nothing. No room for a new file and a FIFO that nobody reads are no
 * error: fd stays -1 and the next write tries again. The sentence does not name the file.
 * Errors: JP_BAD_ARG (directory, block device), JP_EXISTS (see judge), JP_MISSING, JP_DENIED, JP_IO. */
enum jp_status jp_logfile_open(struct jp_logfile *f, struct jp_why *why);

/** Open if need be, and write the header if it is due. A regular file that was deleted or cut short meanwhile is made
 * anew or continued: *why is then a remark with JP_OK. May block (FIFO). Errors: as jp_logfile_open; JP_FULL no room. */
enum jp_status jp_logfile_ready(struct jp_logfile *f, struct jp_why *why);

/** Write whole lines, in one write(2) if the kernel takes them so. On an error nothing of them stays in a regular file;
 * elsewhere the torn line is ended before the next one. May block. Errors: as jp_logfile_ready. */
enum jp_status jp_logfile_write(struct jp_logfile *f, const char *lines, size_t len, struct jp_why *why);

/** Close and open again by name. Errors: as jp_logfile_open; the next write tries again. */
enum jp_status jp_logfile_reopen(struct jp_logfile *f, struct jp_why *why);

/** Close and free the members. */
void jp_logfile_close(struct jp_logfile *f);

/** Replace a file as a whole: written beside it (PATH.tmp), then renamed over it. The sentence names the file.
 * Errors: JP_FULL, JP_DENIED, JP_MISSING, JP_IO, JP_NO_MEM; the file is then what it was. */
enum jp_status jp_logfile_replace(const char *path, const char *text, size_t len, struct jp_why *why);

/** Put "PATH: " before the sentence (a long path is cut at its front). @return status. */
enum jp_status jp_logfile_name_it(struct jp_why *why, enum jp_status status, const char *path);

#endif
