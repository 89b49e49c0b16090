/** @file fifo.h
 * Queue of fixed-size elements in one piece of memory. What waits is moved back to the start of the memory whenever
 * little waits, so that only the pages that were needed at once are ever touched. One thread at a time. */
#ifndef JP_FIFO_H
#define JP_FIFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct jp_fifo {
	unsigned char *base; /**< 2 * capacity elements, of which only what was ever used takes memory */
	size_t size, capacity;
	size_t start, count; /**< elements: index of the oldest, how many wait */
};

/** @return false when out of memory. */
static inline bool jp_fifo_init(struct jp_fifo *f, size_t capacity, size_t size)
{
	*f = (struct jp_fifo){.base = calloc(2 * capacity, size), .size = size, .capacity = capacity};
	return f->base != NULL;
}

static inline void jp_fifo_free(struct jp_fifo *f)
{
	free(f->base);
}

/** Element i, 0 being the oldest. i < count. */
static inline void *jp_fifo_at(const struct jp_fifo *f, size_t i)
{
	return f->base + (f->start + i) * f->size;
}

/** Room for one more at the end, to be filled by the caller; NULL when full. */
static inline void *jp_fifo_push(struct jp_fifo *f)
{
	if (f->count == f->capacity)
		return NULL;
	if (f->start &&
		f->start >= f->count) { /* always so at the end of the memory; each move was paid for by drops */
		memmove(f->base, f->base + f->start * f->size, f->count * f->size);
		f->start = 0;
	}
	return jp_fifo_at(f, f->count++);
}

/** Take out the n oldest. n <= count. */
static inline void jp_fifo_drop(struct jp_fifo *f, size_t n)
{
	f->count -= n;
	f->start = f->count ? f->start + n : 0;
}

#endif
