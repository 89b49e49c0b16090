/** @file nearest.h
 * The known word that a misspelt one most likely means. */
#ifndef JP_NEAREST_H
#define JP_NEAREST_H

#include <stddef.h>

/** Number of single-character changes (insert, delete, replace, swap of neighbours) between two words of at most 47 bytes, by
 * dynamic programming; longer words: the length of the longer one. Pure. */
size_t jp_nearest_distance(const char *a, const char *b);

/** True when the known word is close enough to be worth naming: a beginning of it, or changed in at most a third. */
int jp_nearest_worth(const char *word, const char *known);

#endif
