/** @file xrun.h
 * What the head's xrun callback leaves behind: a fixed-size record for a ring of its own. */
#ifndef JP_XRUN_H
#define JP_XRUN_H

#include <stdint.h>

/** One xrun notification. */
struct jp_xrun {
	uint64_t at_ns;  /**< on JACK's clock */
	double delay_us; /**< as told by the server, unchecked (PipeWire's seconds already turned into us) */
};

#endif
