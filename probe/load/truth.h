/** @file truth.h
 * The file of what the clients did: one row per call, client by client, in the order of the calls. */
#ifndef JP_LOAD_TRUTH_H
#define JP_LOAD_TRUTH_H

#include "area.h"

#include <jackprobe/status.h>
#include <stdio.h>

/** Make the file, or empty it. A pipe needs somebody who reads from it already. The caller closes *out.
 * Errors: JP_MISSING, JP_DENIED, JP_FULL, JP_NO_MEM, JP_IO, with the sentence. */
enum jp_status jp_truth_open(const char *path, FILE **out, struct jp_why *why);

/** Write header `client,wake_ns,frame,start_ns,end_ns` and all rows: times on JACK's clock, frame as jack_last_frame_time gave it (32
 * bits), an unknown wake empty, the client's name in quotes (RFC 4180). Does not close the file.
 * Errors: JP_IO, JP_FULL (disk), JP_NO_MEM. Thread: any, when no client runs any more. */
enum jp_status jp_truth_write(const struct jp_load_area *area, FILE *out, struct jp_why *why);

#endif
