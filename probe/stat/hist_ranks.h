/** @file hist_ranks.h
 * Ranks in a histogram: what hist.c, shist.c and span.c share. */
#ifndef JP_HIST_RANKS_H
#define JP_HIST_RANKS_H

#include <jackprobe/hist.h>

/** Nearest rank: ceil(p/100*n), within [1, n]. A product that is a whole number but for rounding counts as that number.
 * @param p in (0, 100]. @param n > 0. */
uint64_t jp_hist_rank(double p, uint64_t n);

/** Lowest and highest value that is equivalent to the one of a rank, both within the exact minimum and maximum. */
struct jp_hist_range {
	int64_t low, high;
};

/** Ranges of several ranks in one pass. @param ranks ascending, within [1, count]. */
void jp_hist_at_ranks(const struct jp_hist *h, const uint64_t *ranks, size_t n, struct jp_hist_range *out);

#endif
