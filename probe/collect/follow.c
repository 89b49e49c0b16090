/* The probe's standing, as facts and events. */
#include "follow.h"

#include "timing/timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void jp_follow_init(struct jp_follow *f, struct jp_teller *teller, struct jp_meta *meta)
{
	*f = (struct jp_follow){.teller = teller, .meta = meta};
}

/* PipeWire's calls tell another wake-up than its profiler. */
static void put_wake_source(struct jp_follow *f, const struct jp_session_info *now)
{
	const struct jp_attachment *a = now->attachment;
	bool told = now->timing && !f->timing_why[0] && jp_timing_tells_wake(now->timing);
	if (a)
		jp_meta_put(f->meta, "wake_source", jp_wake_source_text(told ? JP_WAKE_DRIVER : a->wake_source));
}

static void put_facts(struct jp_follow *f, const struct jp_session_info *now)
{
	struct jp_meta *m = f->meta;
	const struct jp_attachment *a = now->attachment;
	jp_meta_put(m, "server", now->server);
	jp_meta_put(m, "callback_sched", now->sched);
	if (a)
		jp_meta_put(m, "clock", a->clock == CLOCK_MONOTONIC_RAW ? "CLOCK_MONOTONIC_RAW" : "CLOCK_MONOTONIC");
	put_wake_source(f, now);
	jp_sinks_meta(f->teller->sinks, m);
	if (f->teller->osc)
		jp_osc_hello(f->teller->osc, now->rate_hz, now->frames, now->server);
}

static void tell(struct jp_follow *f, enum jp_event_type type, const char *kind, const char *detail)
{
	struct jp_event e = jp_event_now(type);
	snprintf(e.kind, sizeof e.kind, "%s", kind);
	jp_event_detail(&e, "%.190s", detail);
	jp_tell(f->teller, &e);
}

static void follow_server(struct jp_follow *f, const struct jp_session_info *now)
{
	char detail[96];
	if (f->seen.attached && !now->attached)
		tell(f, JP_EVENT_SERVER_GONE, "",
			now->trouble[0] ? now->trouble : "the JACK server went away; waiting for it");
	if (!f->seen.attached && now->attached) {
		put_facts(f, now);
		snprintf(detail, sizeof detail, "attached again to %s", now->server);
		if (now->gone_count)
			tell(f, JP_EVENT_SERVER_BACK, "", detail);
	}
}

/* The policy is known when the callbacks have run, a little after the server. What is to be complained of in it is told once. */
static void follow_sched(struct jp_follow *f, const struct jp_session_info *now)
{
	if (!now->sched[0] || strcmp(now->sched, f->seen.sched) == 0)
		return;
	if (f->seen.attached)
		put_facts(f, now);
	if (strchr(now->sched, ':') && !f->sched_complained) {
		f->sched_complained = true;
		tell(f, JP_EVENT_GRAPH, "scheduling", now->sched);
	}
}

static void follow_graph(struct jp_follow *f, const struct jp_session_info *now)
{
	char detail[256];
	if (!now->attached || now->graph_changes == f->seen.graph_changes)
		return;
	if (now->covered < 0)
		snprintf(detail, sizeof detail, "%" PRId64 " client%s, no cables to the tail", now->clients,
			now->clients == 1 ? "" : "s");
	else
		snprintf(detail, sizeof detail, "covered %" PRId64 "/%" PRId64 "%s%.150s", now->covered, now->clients,
			now->uncovered[0] ? ", not: " : "", now->uncovered);
	tell(f, JP_EVENT_GRAPH, "", detail);
}

/* Its text may count seconds: told when it begins. Without a server only what hangs is news. */
static bool troubled(const struct jp_session_info *info)
{
	return info->hangs || (info->attached && info->trouble[0]);
}

static void follow_trouble(struct jp_follow *f, const struct jp_session_info *now)
{
	if (troubled(now) && !troubled(&f->seen))
		tell(f, JP_EVENT_GRAPH, "trouble", now->trouble);
}

void jp_follow_session(struct jp_follow *f, const struct jp_session_info *now)
{
	follow_server(f, now);
	follow_sched(f, now);
	follow_graph(f, now);
	follow_trouble(f, now);
	f->seen = *now;
}

static void tell_timing(struct jp_follow *f, struct jp_times *timing, const char *why)
{
	char text[160];
	if (timing)
		jp_timing_text(timing, text, sizeof text);
	jp_meta_put(f->meta, "server_timing", timing ? text : (why[0] ? why : "not wanted"));
	jp_sinks_meta(f->teller->sinks, f->meta);
	if (f->teller->osc)
		jp_osc_status(f->teller->osc, "server_timing", timing != NULL, why);
	if (!timing && why[0])
		tell(f, JP_EVENT_GRAPH, "timing", why);
}

void jp_follow_timing(struct jp_follow *f, const struct jp_session_info *now)
{
	bool same = now->timing == f->timing && (now->timing || !strcmp(now->timing_why, f->timing_why));
	if (!now->settled || same)
		return;
	f->timing = now->timing;
	memcpy(f->timing_why, now->timing_why, sizeof f->timing_why);
	put_wake_source(f, now);
	tell_timing(f, f->timing, f->timing_why);
}

void jp_follow_timing_off(struct jp_follow *f, const char *why)
{
	snprintf(f->timing_why, sizeof f->timing_why, "%s", why);
	put_wake_source(f, &f->seen);
	tell_timing(f, NULL, why);
}
