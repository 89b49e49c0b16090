/** @file hist.h
 * Log-linear histogram with exactly the geometry of HdrHistogram (lowest 1, 3 significant digits, highest 60 s in ns:
 * unit magnitude 0, 2048 sub-buckets, 26 buckets, 27648 counts; the layout is described at hdrhistogram.org), so that
 * counts can be written to its files unchanged. Values above the top are counted in the top count and the exact
 * maximum is kept. Percentiles are nearest-rank. Pure. */
#ifndef JACKPROBE_HIST_H
#define JACKPROBE_HIST_H

#include <jackprobe/attributes.h>
#include <stddef.h>
#include <stdint.h>

JP_BEGIN_DECLS

enum {
	JP_HIST_SUB_BUCKETS = 2048,
	JP_HIST_BUCKETS = 26,
	JP_HIST_COUNTS = (JP_HIST_BUCKETS + 1) * (JP_HIST_SUB_BUCKETS / 2),
};

/** Opaque. One size fits all: 27648 64-bit counts, of which only pages that were ever used take memory. */
struct jp_hist;

/** @return NULL when out of memory. The caller owns it. Thread of all calls: one at a time. */
struct jp_hist *jp_hist_new(void);
/** NULL is allowed. */
void jp_hist_free(struct jp_hist *h);

/** Forget everything; costs only as much as the range that was used. */
void jp_hist_reset(struct jp_hist *h);

/** Count one value. Negative values are not for this histogram: they are counted as 0.
 * For signed quantities use jp_shist_*. */
void jp_hist_add(struct jp_hist *h, int64_t value);

/** into += from. */
void jp_hist_merge(struct jp_hist *into, const struct jp_hist *from);

uint64_t jp_hist_count(const struct jp_hist *h); /**< values counted */
int64_t jp_hist_min(const struct jp_hist *h);    /**< exact; undefined (0) when empty: look at the count first */
int64_t jp_hist_max(const struct jp_hist *h);    /**< exact, also above the top */
double jp_hist_mean(const struct jp_hist *h);    /**< exact sum / count; NaN when empty */

/** Nearest-rank percentile: the highest value that is equivalent (within the geometry) to the ceil(p/100*n)-th smallest
 * one, never above the exact maximum nor below the exact minimum. @param p in (0, 100]. @return 0 when empty: look at
 * the count first. */
int64_t jp_hist_percentile(const struct jp_hist *h, double p);

/** Geometry, as in HdrHistogram: index of a value, lowest value of an index, width of its range. */
size_t jp_hist_index(int64_t value);
int64_t jp_hist_value_at(size_t index);
int64_t jp_hist_width_at(size_t index);
/** Count at an index. */
uint64_t jp_hist_count_at(const struct jp_hist *h, size_t index);

/** Two of them back to back, for quantities that may be negative (lateness). Opaque. */
struct jp_shist;

/** @return NULL when out of memory. The caller owns it. Thread of all calls: one at a time. */
struct jp_shist *jp_shist_new(void);
/** NULL is allowed. */
void jp_shist_free(struct jp_shist *h);
/** Forget everything. */
void jp_shist_reset(struct jp_shist *h);
/** Count one value of any sign. */
void jp_shist_add(struct jp_shist *h, int64_t value);
/** into += from. */
void jp_shist_merge(struct jp_shist *into, const struct jp_shist *from);
uint64_t jp_shist_count(const struct jp_shist *h); /**< values counted */
int64_t jp_shist_min(const struct jp_shist *h);    /**< exact; undefined when empty: look at the count first */
int64_t jp_shist_max(const struct jp_shist *h);    /**< exact; undefined when empty */
double jp_shist_mean(const struct jp_shist *h);    /**< sum / count; NaN when empty */
/** Nearest-rank percentile, by the rules of jp_hist_percentile. @param p in (0, 100]. @return 0 when empty. */
int64_t jp_shist_percentile(const struct jp_shist *h, double p);

JP_END_DECLS

#endif
