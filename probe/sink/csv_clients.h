/** @file csv_clients.h
 * The second file of --log x.csv: x.csv.clients.csv, one row per client and window; made when the first rows come. */
#ifndef JP_CSV_CLIENTS_H
#define JP_CSV_CLIENTS_H

#include "logfile.h"
#include "sys/text.h"

#include <jackprobe/client_stats.h>

/** All zero = not open. */
struct jp_csv_clients {
	struct jp_logfile file;
	bool ready; /**< file is set up */
	struct jp_text text;
};

/** Write rows, in one write(2). @param log path of the windows' file. Errors: those of jp_logfile_write; the sentence names the file. */
enum jp_status jp_csv_clients_write(
	struct jp_csv_clients *c, const char *log, const struct jp_client_row *rows, size_t n, struct jp_why *why);
/** Open again by name at the next write. */
void jp_csv_clients_reopen(struct jp_csv_clients *c);
void jp_csv_clients_close(struct jp_csv_clients *c);

#endif
