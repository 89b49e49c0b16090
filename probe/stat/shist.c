/* Histogram of values that may be negative: one of the values >= 0, one of the magnitudes of the others. */
#include "hist_ranks.h"

#include <math.h>
#include <stdlib.h>

struct jp_shist {
	struct jp_hist *above; /* >= 0 */
	struct jp_hist *below; /* < 0, as magnitudes */
};

struct jp_shist *jp_shist_new(void)
{
	struct jp_shist *h = calloc(1, sizeof *h);
	if (!h)
		return NULL;
	h->above = jp_hist_new();
	h->below = jp_hist_new();
	if (!h->above || !h->below) {
		jp_shist_free(h);
		return NULL;
	}
	return h;
}

void jp_shist_free(struct jp_shist *h)
{
	if (!h)
		return;
	jp_hist_free(h->above);
	jp_hist_free(h->below);
	free(h);
}

void jp_shist_reset(struct jp_shist *h)
{
	jp_hist_reset(h->above);
	jp_hist_reset(h->below);
}

void jp_shist_add(struct jp_shist *h, int64_t value)
{
	if (value >= 0)
		jp_hist_add(h->above, value);
	else
		jp_hist_add(h->below, value == INT64_MIN ? INT64_MAX : -value);
}

void jp_shist_merge(struct jp_shist *into, const struct jp_shist *from)
{
	jp_hist_merge(into->above, from->above);
	jp_hist_merge(into->below, from->below);
}

uint64_t jp_shist_count(const struct jp_shist *h)
{
	return jp_hist_count(h->above) + jp_hist_count(h->below);
}

int64_t jp_shist_min(const struct jp_shist *h)
{
	return jp_hist_count(h->below) ? -jp_hist_max(h->below) : jp_hist_min(h->above);
}

int64_t jp_shist_max(const struct jp_shist *h)
{
	return jp_hist_count(h->above) ? jp_hist_max(h->above) : -jp_hist_min(h->below);
}

static double sum_of(const struct jp_hist *h)
{
	return jp_hist_count(h) ? jp_hist_mean(h) * (double)jp_hist_count(h) : 0;
}

double jp_shist_mean(const struct jp_shist *h)
{
	uint64_t n = jp_shist_count(h);
	return n ? (sum_of(h->above) - sum_of(h->below)) / (double)n : NAN;
}

int64_t jp_shist_percentile(const struct jp_shist *h, double p)
{
	uint64_t n = jp_shist_count(h), below = jp_hist_count(h->below);
	if (!n)
		return 0;
	uint64_t rank = jp_hist_rank(p, n);
	struct jp_hist_range range;
	if (rank > below) {
		rank -= below;
		jp_hist_at_ranks(h->above, &rank, 1, &range);
		return range.high;
	}
	/* The smallest values have the largest magnitudes; the highest equivalent value has the lowest one. */
	rank = below - rank + 1;
	jp_hist_at_ranks(h->below, &rank, 1, &range);
	return -range.low;
}
