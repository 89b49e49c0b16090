/* Facts that stand beside a log. */
#include <jackprobe/summary.h>

#include <string.h>

/* Keys are compared as they are kept: cut to fit. Returns meta->n when the key is not there. */
static size_t find(const struct jp_meta *meta, const char *key)
{
	const size_t kept = sizeof meta->entry[0].key - 1;
	size_t i = 0;
	while (i < meta->n && strncmp(meta->entry[i].key, key, kept) != 0)
		i++;
	return i;
}

static void take_out(struct jp_meta *meta, size_t at)
{
	meta->n--;
	memmove(meta->entry + at, meta->entry + at + 1, (meta->n - at) * sizeof meta->entry[0]);
}

/* Never ends in the middle of a UTF-8 character. */
static void copy_cut(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size);
	if (n == size) {
		n--;
		while (n && ((unsigned char)from[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(to, from, n);
	to[n] = 0;
}

void jp_meta_put(struct jp_meta *meta, const char *key, const char *value)
{
	size_t at = find(meta, key);
	if (!value || !*value) {
		if (at < meta->n)
			take_out(meta, at);
		return;
	}
	if (at == JP_META_MAX)
		return;
	if (at == meta->n) {
		meta->n++;
		copy_cut(meta->entry[at].key, sizeof meta->entry[at].key, key);
	}
	copy_cut(meta->entry[at].value, sizeof meta->entry[at].value, value);
}

const char *jp_meta_get(const struct jp_meta *meta, const char *key)
{
	size_t at = find(meta, key);
	return at < meta->n ? meta->entry[at].value : NULL;
}
