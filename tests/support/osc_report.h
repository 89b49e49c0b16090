/** @file osc_report.h
 * A report in which every figure has a value of its own, and what each must be on the wire. The list is written from the
 * specification, independent of the publisher's table. */
#ifndef JP_TEST_OSC_REPORT_H
#define JP_TEST_OSC_REPORT_H

#include <jackprobe/osc.h>

struct osc_expected {
	const char *address; /**< below the prefix */
	char tag;
	size_t offset; /**< in struct jp_report, of a double or an int64_t */
	bool is_count; /**< int64_t */
};
extern const struct osc_expected osc_expected[];
extern const size_t osc_n_expected;

/** All figures known: figure k has the value 1000 + k + 0.25, counts and integers 1000 + k. */
struct jp_report osc_full_report(void);
/** No figure known. */
struct jp_report osc_empty_report(void);

/** Set or forget one figure. */
void osc_set(struct jp_report *report, const struct osc_expected *figure, double value);
void osc_forget(struct jp_report *report, const struct osc_expected *figure);

#endif
