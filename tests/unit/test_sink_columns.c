/* The table of columns against the list that other people's programs rely on. */
#include "sink/columns.h"
#include "support/sample.h"

#include <criterion/criterion.h>
#include <string.h>

static const char contract[] =
	"time_utc,unix_ns,elapsed_s,seq,epoch,state,rate_hz,frames,period_us,cycles,overruns,lost,"
	"incomplete,xruns,xrun_delay_max_us,dropped,freewheel,wake_source,end_source,"
	"cycle_end_min_us,cycle_end_mean_us,cycle_end_p50_us,cycle_end_p90_us,cycle_end_p99_us,"
	"cycle_end_p999_us,cycle_end_max_us,headroom_min_us,"
	"dispatch_p50_us,dispatch_p99_us,dispatch_max_us,lateness_p50_us,lateness_p99_us,"
	"lateness_max_us,tail_hop_p50_us,tail_hop_p99_us,load_p50_pct,load_max_pct,"
	"clients,covered,worst_client,dma_latency_us,cpu_user_pct,cpu_system_pct,cpu_nice_pct,"
	"cpu_iowait_pct,cpu_irq_pct,cpu_softirq_pct,irq_per_s,ctxt_per_s,freq_mean_mhz,freq_min_mhz,"
	"freq_max_mhz,rt_freq_mhz,rt_pcore_pct,power_w";

Test(sink_columns, header_is_the_contract)
{
	const struct jp_extra_names none = {0};
	struct jp_text t = {0};
	jp_columns_header(&t, &none);
	jp_text_char(&t, '\0');
	cr_assert_str_eq(t.at, contract);
	jp_text_free(&t);
}

Test(sink_columns, extra_columns_follow_and_their_unit_decides_the_decimals)
{
	static const struct {
		const char *name;
		int decimals;
	} cases[] = {{"power_psys_w", 3}, {"idle_C1_pct", 2}, {"temp_x_c", 1}, {"watch_rss_mib", 2}, {"_w", 3},
		{"other", 3}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		cr_expect_eq(jp_extra_decimals(cases[i].name), cases[i].decimals, "%s", cases[i].name);
	struct jp_extra_names extra;
	struct jp_text t = {0};
	cr_assert_eq(jp_extra_copy(&extra, jp_sample_columns, JP_SAMPLE_COLUMNS), JP_OK);
	jp_columns_header(&t, &extra);
	jp_text_char(&t, '\0');
	cr_assert_str_eq(t.at + strlen(contract), ",power_package_0_w,idle_C6_pct,temp_package_0_c");
	jp_text_free(&t);
	jp_extra_free(&extra);
}
