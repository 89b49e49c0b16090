/* Memory: none is asked for after the open, and an open without memory fails in order. */
#include "support/alloc.h"
#include "support/osc_probe.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

static const enum jp_osc_profile profiles[] = {JP_OSC_SCALAR, JP_OSC_ROW};

static void talk(struct jp_osc *osc, int i)
{
	const struct jp_event event = {.event = JP_EVENT_XRUN, .client = "synth", .value_us = NAN, .period_us = 2666};
	struct jp_report report = osc_full_report();
	report.elapsed_s = i;
	jp_osc_window(osc, &report);
	jp_osc_event(osc, &event);
	jp_osc_status(osc, "energy", i % 2, "no permission");
	if (i % 100 == 0)
		jp_osc_hello(osc, 48000, 128 + i, "jackd2");
}

Test(osc_alloc, nothing_is_allocated_after_the_open)
{
	for (size_t p = 0; p < 2; p++) {
		struct osc_inbox *inbox = osc_inbox_open("127.0.0.1", 0);
		const char *targets[] = {inbox->target, "127.0.0.1:9"};
		struct jp_osc *osc = osc_probe_open(
			(struct jp_osc_config){.targets = targets, .n_targets = 2, .profile = profiles[p]});
		uint64_t before = alloc_count();
		alloc_fail(true);
		for (int i = 0; i < 1000; i++)
			talk(osc, i);
		alloc_fail(false);
		cr_assert_eq(alloc_count(), before);
		cr_assert_gt(osc_probe_sent(osc), 2000);
		jp_osc_close(osc);
		osc_inbox_close(inbox);
	}
}

/* Let the n-th allocation of an open fail, for every n until one needs fewer. */
Test(osc_alloc, an_open_without_memory_says_so)
{
	const char *target = "127.0.0.1:9";
	for (size_t p = 0; p < 2; p++) {
		bool failed;
		uint64_t n = 0;
		do {
			struct jp_osc *osc = NULL;
			struct jp_why why = {""};
			const struct jp_osc_config config = {.targets = &target,
				.n_targets = 1,
				.profile = profiles[p],
				.prefix = "/p",
				.name = "probe",
				.version = "0.1"};
			alloc_fail_nth(++n);
			enum jp_status status = jp_osc_open(&config, &osc, &why);
			failed = alloc_nth_failed();
			alloc_fail_nth(0);
			cr_assert_eq(status, failed ? JP_NO_MEM : JP_OK, "allocation %zu: %s", (size_t)n, why.text);
			cr_assert_eq(osc == NULL, failed);
			cr_assert_eq(why.text[0] != 0, failed);
			jp_osc_close(osc);
		} while (failed);
		cr_assert(n > 5 || !alloc_can_fail());
	}
}
