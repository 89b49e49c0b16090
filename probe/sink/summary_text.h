/** @file summary_text.h
 * The summary at the end of a run, for people. Pure. */
#ifndef JP_SUMMARY_TEXT_H
#define JP_SUMMARY_TEXT_H

#include "print.h"

#include <jackprobe/summary.h>

/** All of it, some 20 lines, each with its end. 16 KiB are enough for any. */
void jp_summary_text(const struct jp_summary *summary, struct jp_print *p);

#endif
