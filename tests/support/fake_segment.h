/** @file fake_segment.h
 * Makes up jackd2-like shared memory, with the evidence that belongs to it: for tests of the layout's discovery. */
#ifndef JP_FAKE_SEGMENT_H
#define JP_FAKE_SEGMENT_H

#include "timing/layout.h"

#include <stdbool.h>

/** Bits of what lies in the way. */
enum {
	JP_FAKE_PAIRS = 1u << 0,      /**< pairs of times like head's and tail's, at other distances */
	JP_FAKE_TWIN = 1u << 1,       /**< a second, equally live array of slots farther before the ports */
	JP_FAKE_OLD_COPY = 1u << 2,   /**< a copy of the slots as of the round before */
	JP_FAKE_FIELDS = 1u << 3,     /**< other fields of a port that differ between clients */
	JP_FAKE_NOISE = 1u << 4,      /**< random bytes wherever nothing else stands */
	JP_FAKE_STALE = 1u << 5,      /**< the slots stand still */
	JP_FAKE_LATE_ROUND = 1u << 6, /**< in two rounds our threads woke 2 ms before their callback */
	JP_FAKE_MAD_STATE = 1u << 7,  /**< a client's state is none */
	JP_FAKE_MOVED_NAME = 1u << 8, /**< one name stands elsewhere */
	JP_FAKE_NO_TAIL = 1u << 9,    /**< head only */
	JP_FAKE_PORTLESS_HEAD = 1u << 11,
	JP_FAKE_PORTLESS_DRIVER = 1u << 12,
	JP_FAKE_NO_PLACES = 1u << 10, /**< libjack's names lie outside of the segment */
};

struct jp_fake_segment_config {
	uint32_t slots;       /**< reference numbers there are */
	uint32_t slot_stride; /**< 28 or 32 */
	uint32_t port_stride;
	uint32_t owner; /**< bytes from name to owner */
	uint32_t gap;   /**< bytes from the last slot's end to the first name */
	size_t before;  /**< bytes before the slots */
	uint32_t head_ref, tail_ref;
	size_t cut; /**< bytes missing at the end of the image */
	unsigned obstacles;
};

struct jp_fake_segment {
	struct jp_fake_segment_config config;
	struct jp_layout_image image;
	struct jp_layout_names names;
	struct jp_layout_round rounds[JP_LAYOUT_ROUNDS];
	size_t slot0; /**< the right answer */
};

/** Never NULL. The caller frees it. */
struct jp_fake_segment *jp_fake_segment_new(const struct jp_fake_segment_config *config);
void jp_fake_segment_free(struct jp_fake_segment *f);

#endif
