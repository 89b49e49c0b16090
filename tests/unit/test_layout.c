/* Discovery of jackd2's memory layout: right or refused, never wrong. */
#include "support/fake_segment.h"
#include "timing/layout.h"

#include <criterion/criterion.h>

/* slots, slot_stride, port_stride, owner; then: gap, before, head, tail, cut, obstacles. */
#define DEBIAN 256, 28, 33805, 963
#define ARM 64, 32, 33824, 968

struct row {
	const char *about;
	struct jp_fake_segment_config config;
};

static enum jp_status find(struct jp_fake_segment *f, struct jp_layout *l, struct jp_why *why)
{
	struct jp_layout_names names;
	enum jp_status status = jp_layout_find_names(&f->image, &names, why);
	if (status != JP_OK)
		return status;
	cr_assert_eq(names.name0, f->names.name0);
	cr_assert_eq(names.stride, f->names.stride);
	return jp_layout_find(&f->image, &names, f->rounds, JP_LAYOUT_ROUNDS, l, why);
}

static void check_right(const struct row *row)
{
	struct jp_fake_segment *f = jp_fake_segment_new(&row->config);
	struct jp_layout l = {0};
	struct jp_why why = {""};
	bool no_tail = row->config.obstacles & JP_FAKE_NO_TAIL;
	cr_assert_eq(find(f, &l, &why), JP_OK, "%s: %s", row->about, why.text);
	cr_assert_eq(l.slot0, f->slot0, "%s: slot0 %zu, not %zu", row->about, l.slot0, f->slot0);
	cr_assert_eq(l.slot_stride, row->config.slot_stride, "%s", row->about);
	cr_assert_eq(l.slots, row->config.slots, "%s", row->about);
	cr_assert_eq(l.owner, row->config.owner, "%s: owner at %zu", row->about, l.owner);
	cr_assert_eq(l.driver_ref, 1u, "%s", row->about);
	cr_assert_eq(l.head_ref, row->config.head_ref, "%s", row->about);
	cr_assert_eq(l.tail_ref, no_tail ? UINT32_MAX : row->config.tail_ref, "%s", row->about);
	for (size_t i = 0; i < f->image.n_ports; i++)
		cr_assert_geq(jp_layout_owner_of(&f->image, &l, f->image.ports[i].index, f->image.ports[i].name), 0);
	cr_assert_eq(jp_layout_owner_of(&f->image, &l, f->image.ports[0].index, "other:port"), -1);
	jp_fake_segment_free(f);
}

Test(layout, is_found)
{
	static const struct row rows[] = {

		{"Debian's jackd2", {DEBIAN, 8, 300000, 5, 6, 0, 0}},
		{"unpacked, 64 clients", {ARM, 8, 200000, 9, 10, 0, 0}},
		{"unpacked, padded before the ports", {ARM, 16, 200008, 8, 12, 0, 0}},
		{"tail opened before the head", {DEBIAN, 8, 300000, 9, 5, 0, 0}},
		{"arrays shifted", {DEBIAN, 8, 412344, 5, 6, 0, 0}},
		{"short before the slots", {DEBIAN, 8, 1024, 5, 6, 0, 0}},
		{"small ports", {256, 28, 1201, 701, 8, 300000, 5, 6, 0, 0}},
		{"pairs of times at other distances", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_PAIRS}},
		{"a live twin farther away", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_TWIN}},
		{"an old copy", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_OLD_COPY}},
		{"other fields that differ between clients", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_FIELDS}},
		{"noise", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_NOISE}},
		{"late wake-ups in two rounds", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_LATE_ROUND}},
		{"head only", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_NO_TAIL}},
		{"head only, unpacked", {ARM, 8, 200000, 9, 10, 0, JP_FAKE_NO_TAIL}},
		{"head without ports", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_PORTLESS_HEAD}},
		{"head without ports, unpacked", {ARM, 8, 200000, 9, 10, 0, JP_FAKE_PORTLESS_HEAD}},
		{"head without ports, obstacles",
			{DEBIAN, 8, 300000, 7, 40, 0,
				JP_FAKE_PORTLESS_HEAD | JP_FAKE_PAIRS | JP_FAKE_TWIN | JP_FAKE_OLD_COPY |
					JP_FAKE_FIELDS | JP_FAKE_NOISE | JP_FAKE_LATE_ROUND}},
		{"driver without ports", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_PORTLESS_DRIVER}},
		{"all at once", {DEBIAN, 8, 300000, 5, 6, 0,
					JP_FAKE_PAIRS | JP_FAKE_TWIN | JP_FAKE_OLD_COPY | JP_FAKE_FIELDS |
						JP_FAKE_NOISE | JP_FAKE_LATE_ROUND}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check_right(&rows[i]);
}

Test(layout, is_refused_with_a_reason)
{
	static const struct row rows[] = {

		{"neither head nor driver with ports",
			{DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_PORTLESS_HEAD | JP_FAKE_PORTLESS_DRIVER}},
		{"stale segment", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_STALE}},
		{"truncated file", {DEBIAN, 8, 300000, 5, 6, 33805 * 4, 0}},
		{"truncated before the ports", {DEBIAN, 8, 300000, 5, 6, 33805 * 14, 0}},
		{"a name out of its place", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_MOVED_NAME}},
		{"a state that is none", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_MAD_STATE}},
		{"names elsewhere", {DEBIAN, 8, 300000, 5, 6, 0, JP_FAKE_NO_PLACES}},
		{"slots far from the ports", {DEBIAN, 28, 300000, 5, 6, 0, 0}},
		{"slots that cannot be read whole", {DEBIAN, 8, 300001, 5, 6, 0, 0}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct jp_fake_segment *f = jp_fake_segment_new(&rows[i].config);
		struct jp_layout l;
		struct jp_why why = {""};
		cr_assert_eq(find(f, &l, &why), JP_UNSUPPORTED, "%s", rows[i].about);
		cr_assert_neq(why.text[0], 0, "%s", rows[i].about);
		jp_fake_segment_free(f);
	}
}

static void spoil(struct jp_fake_segment *f, uint32_t seed)
{
	for (int k = 0; k < 40; k++) {
		seed = seed * 1664525u + 1013904223u;
		unsigned char *window = (unsigned char *)f->rounds[seed >> 29].window;
		window[(seed >> 8) % f->names.window] ^= (unsigned char)(seed >> 16);
	}
}

/* Some bytes of the evidence are broken, never the same: the right layout or none. */
Test(layout, is_never_wrong)
{
	static const struct jp_fake_segment_config config = {DEBIAN, 8, 4096, 5, 6, 0, 0};
	struct jp_fake_segment *f = jp_fake_segment_new(&config);
	uint32_t found = 0;
	for (uint32_t run = 0; run < 200; run++) {
		struct jp_layout l;
		spoil(f, run);
		bool ok = find(f, &l, NULL) == JP_OK;
		spoil(f, run); /* the same again: whole */
		found += ok;
		cr_assert(!ok || (l.slot0 == f->slot0 && l.slot_stride == 28 && l.owner == 963));
	}
	cr_assert_gt(found, 50u);
	jp_fake_segment_free(f);
}
