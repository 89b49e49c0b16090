/* Facts of a run. */
#include <jackprobe/summary.h>

#include <stdio.h>
#include <string.h>

/* Where the key stands; meta->n when nowhere. */
static size_t find(const struct jp_meta *meta, const char *key)
{
	size_t i = 0;
	while (i < meta->n && strcmp(meta->entry[i].key, key) != 0)
		i++;
	return i;
}

void jp_meta_put(struct jp_meta *meta, const char *key, const char *value)
{
	size_t i = find(meta, key);
	if (!value[0] || i == JP_META_MAX)
		return;
	if (i == meta->n)
		meta->n++;
	snprintf(meta->entry[i].key, sizeof meta->entry[i].key, "%s", key);
	snprintf(meta->entry[i].value, sizeof meta->entry[i].value, "%s", value);
}

const char *jp_meta_get(const struct jp_meta *meta, const char *key)
{
	size_t i = find(meta, key);
	return i < meta->n ? meta->entry[i].value : NULL;
}
