/* A publisher and the receivers it sends to. */
#include "osc_probe.h"

#include <criterion/criterion.h>

struct jp_osc *osc_probe_open(struct jp_osc_config config)
{
	struct jp_osc *osc = NULL;
	struct jp_why why = {""};
	config.prefix = config.prefix ? config.prefix : "/p";
	config.name = config.name ? config.name : "probe";
	config.version = config.version ? config.version : "0.1";
	cr_assert_eq(jp_osc_open(&config, &osc, &why), JP_OK, "%s", why.text);
	return osc;
}

struct jp_osc *osc_probe_open_to(const char *target)
{
	return osc_probe_open((struct jp_osc_config){.targets = &target, .n_targets = 1});
}

uint64_t osc_probe_sent(const struct jp_osc *osc)
{
	uint64_t sent, dropped;
	jp_osc_counts(osc, &sent, &dropped);
	return sent;
}

uint64_t osc_probe_dropped(const struct jp_osc *osc)
{
	uint64_t sent, dropped;
	jp_osc_counts(osc, &sent, &dropped);
	return dropped;
}

void osc_probe_window(struct jp_osc *osc, struct osc_inbox *inbox, const struct jp_report *report)
{
	osc_inbox_clear(inbox);
	jp_osc_window(osc, report);
	osc_inbox_wait(inbox, osc_probe_sent(osc));
	cr_assert_eq(osc_probe_dropped(osc), 0);
}
