/** @file sample.h
 * One fixed report, event, summary and set of facts, with a value of its own in every member, for golden files. */
#ifndef JP_TEST_SAMPLE_H
#define JP_TEST_SAMPLE_H

#include <jackprobe/event.h>
#include <jackprobe/summary.h>

enum { JP_SAMPLE_COLUMNS = 3 };
extern const struct jp_extra_column jp_sample_columns[JP_SAMPLE_COLUMNS];

/** A name that needs every kind of quoting. */
#define JP_SAMPLE_NAME "My #1 {synth}*, \"x\""

void jp_sample_report(struct jp_report *report);
/** A window without a cycle: all that can be unknown is. */
void jp_sample_stale(struct jp_report *report);
void jp_sample_event(struct jp_event *event);
/** An event of which next to nothing is known. */
void jp_sample_bare_event(struct jp_event *event);
void jp_sample_summary(struct jp_summary *summary);
enum { JP_SAMPLE_CLIENTS = 4 };
/** One that is to blame, one that was late, one whose times are not known, one with a name that needs quoting. */
void jp_sample_clients(struct jp_client_row rows[JP_SAMPLE_CLIENTS]);
void jp_sample_meta(struct jp_meta *meta);

#endif
