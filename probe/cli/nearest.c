/* Edit distance, for "did you mean". */
#include "nearest.h"

#include <string.h>

enum { WORD_MAX = 48 };

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t jp_nearest_distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	size_t row[3][WORD_MAX];
	if (na >= WORD_MAX || nb >= WORD_MAX)
		return na > nb ? na : nb;
	for (size_t j = 0; j <= nb; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t *now = row[i % 3], *before = row[(i - 1) % 3], *older = row[(i + 1) % 3];
		now[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = min(before[j - 1] + (a[i - 1] != b[j - 1]), min(before[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min(now[j], older[j - 2] + 1);
		}
	}
	return row[na % 3][nb];
}

int jp_nearest_worth(const char *word, const char *known)
{
	size_t n = strlen(word);
	return (n > 1 && strncmp(word, known, n) == 0) || jp_nearest_distance(word, known) <= 1 + strlen(known) / 4;
}
