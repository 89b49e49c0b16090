/** @file osc_probe.h
 * A publisher and the receivers it sends to, for tests. */
#ifndef JP_TEST_OSC_PROBE_H
#define JP_TEST_OSC_PROBE_H

#include "osc_inbox.h"
#include "osc_report.h"

/** Open a publisher with prefix "/p" unless the configuration has one; fails the test when that fails. */
struct jp_osc *osc_probe_open(struct jp_osc_config config);
/** With one target. */
struct jp_osc *osc_probe_open_to(const char *target);

/** Datagrams sent so far. */
uint64_t osc_probe_sent(const struct jp_osc *osc);
uint64_t osc_probe_dropped(const struct jp_osc *osc);

/** Send a window to a single receiver and receive all of it. */
void osc_probe_window(struct jp_osc *osc, struct osc_inbox *inbox, const struct jp_report *report);

#endif
