/* Log-linear histogram with HdrHistogram's geometry. */
#include "hist_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	HALF = JP_HIST_SUB_BUCKETS / 2,
	SUB_BITS = 11,  /* log2(JP_HIST_SUB_BUCKETS) */
	HALF_BITS = 10, /* log2(HALF) */
	TOP = JP_HIST_COUNTS - 1,
};

/* The used range of counts is [index(min), index(max)]. */
struct jp_hist {
	uint64_t count;
	int64_t min, max; /* INT64_MAX and -1 when empty */
	unsigned __int128 sum;
	uint64_t counts[JP_HIST_COUNTS];
};

static void forget_values(struct jp_hist *h)
{
	h->count = 0;
	h->min = INT64_MAX;
	h->max = -1;
	h->sum = 0;
}

struct jp_hist *jp_hist_new(void)
{
	struct jp_hist *h = calloc(1, sizeof *h);
	if (h)
		forget_values(h);
	return h;
}

void jp_hist_free(struct jp_hist *h)
{
	free(h);
}

size_t jp_hist_index(int64_t value)
{
	if (value < 0)
		return 0;
	uint64_t v = (uint64_t)value;
	unsigned bucket = 64 - SUB_BITS - (unsigned)__builtin_clzll(v | (JP_HIST_SUB_BUCKETS - 1));
	size_t index = ((size_t)bucket << HALF_BITS) + (size_t)(v >> bucket);
	return index < TOP ? index : TOP;
}

static unsigned bucket_of(size_t index)
{
	return index < JP_HIST_SUB_BUCKETS ? 0 : (unsigned)(index >> HALF_BITS) - 1;
}

int64_t jp_hist_value_at(size_t index)
{
	unsigned bucket = bucket_of(index);
	return (int64_t)(index - ((size_t)bucket << HALF_BITS)) << bucket;
}

int64_t jp_hist_width_at(size_t index)
{
	return (int64_t)1 << bucket_of(index);
}

void jp_hist_reset(struct jp_hist *h)
{
	if (h->count) {
		size_t low = jp_hist_index(h->min), high = jp_hist_index(h->max);
		memset(h->counts + low, 0, (high - low + 1) * sizeof h->counts[0]);
	}
	forget_values(h);
}

void jp_hist_add(struct jp_hist *h, int64_t value)
{
	if (value < 0)
		value = 0;
	h->count++;
	h->sum += (uint64_t)value;
	h->min = value < h->min ? value : h->min;
	h->max = value > h->max ? value : h->max;
	h->counts[jp_hist_index(value)]++;
}

void jp_hist_merge(struct jp_hist *into, const struct jp_hist *from)
{
	if (!from->count)
		return;
	size_t high = jp_hist_index(from->max);
	for (size_t i = jp_hist_index(from->min); i <= high; i++)
		into->counts[i] += from->counts[i];
	into->count += from->count;
	into->sum += from->sum;
	into->min = from->min < into->min ? from->min : into->min;
	into->max = from->max > into->max ? from->max : into->max;
}

uint64_t jp_hist_count(const struct jp_hist *h)
{
	return h->count;
}

int64_t jp_hist_min(const struct jp_hist *h)
{
	return h->count ? h->min : 0;
}

int64_t jp_hist_max(const struct jp_hist *h)
{
	return h->count ? h->max : 0;
}

double jp_hist_mean(const struct jp_hist *h)
{
	return h->count ? (double)h->sum / (double)h->count : NAN;
}

uint64_t jp_hist_count_at(const struct jp_hist *h, size_t index)
{
	return index <= TOP ? h->counts[index] : 0;
}

uint64_t jp_hist_rank(double p, uint64_t n)
{
	/* p, the quotient and the product are each off by at most 2^-53 of their value. */
	double exact = p / 100 * (double)n;
	double rank = ceil(exact - exact * 0x1p-50);
	if (!(rank > 1))
		return 1;
	return rank < (double)n ? (uint64_t)rank : n;
}

/* The top count has no upper end: the exact maximum is its highest value. */
static struct jp_hist_range range_at(const struct jp_hist *h, size_t index)
{
	int64_t low = jp_hist_value_at(index);
	int64_t high = low + jp_hist_width_at(index) - 1;
	return (struct jp_hist_range){
		.low = low < h->min ? h->min : low,
		.high = high > h->max || index == TOP ? h->max : high,
	};
}

void jp_hist_at_ranks(const struct jp_hist *h, const uint64_t *ranks, size_t n, struct jp_hist_range *out)
{
	uint64_t seen = 0;
	size_t index = jp_hist_index(h->min);
	for (size_t i = 0; i < n; i++) {
		while (seen + h->counts[index] < ranks[i])
			seen += h->counts[index++];
		out[i] = range_at(h, index);
	}
}

int64_t jp_hist_percentile(const struct jp_hist *h, double p)
{
	if (!h->count)
		return 0;
	uint64_t rank = jp_hist_rank(p, h->count);
	struct jp_hist_range range;
	jp_hist_at_ranks(h, &rank, 1, &range);
	return range.high;
}
