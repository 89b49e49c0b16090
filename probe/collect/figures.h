/** @file figures.h
 * Fills reports and the summary from what the parts know. */
#ifndef JP_FIGURES_H
#define JP_FIGURES_H

#include "collect/intake.h"
#include "graph/session.h"

#include <jackprobe/osc.h>
#include <jackprobe/summary.h>

/** The part of a report that comes from cycles and session; time, sequence, host figures and columns are the caller's.
 * A window in which no cycle came is unknown, not zero. */
void jp_figures_report(const struct jp_intake *in, const struct jp_session_info *info, const struct jp_sense *sense,
	enum jp_state state, struct jp_report *report);

/** Cost of the callbacks, CPU of the process, and a note for each thing that was unknown. @param elapsed_s of the run.
 * summary->last is filled already. */
void jp_figures_summary(const struct jp_intake *in, const struct jp_session_info *info, const struct jp_sense *sense,
	double elapsed_s, struct jp_summary *summary);

/** A note when looks at the server's record were left out. */
void jp_figures_note_missing(struct jp_summary *summary, const struct jp_ends_missing *missing);

/** Note of how many cycles the end is not known, and why, where n > 0. @param server "" or its brand and version. @param tail is there one? */
void jp_figures_note_endless(struct jp_summary *summary, uint64_t n, const char *server, bool tail);

/** Add a note; a full list drops it. */
void jp_figures_note(struct jp_summary *summary, const char *fmt, ...) JP_PRINTF(2, 3);

#endif
