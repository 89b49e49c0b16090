/* UTF-8 that may be anything, for a terminal. */
#include "utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct range {
	uint32_t first, last;
};

static bool in(const struct range *ranges, size_t n, uint32_t c)
{
	for (size_t i = 0; i < n; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}
#define IN(table, c) in(table, sizeof(table) / sizeof *(table), c)

/* Two columns: East Asian Wide and Fullwidth, emoji (Unicode TR 11, in blocks). */
static const struct range wide[] = {{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xA960, 0xA97C},
	{0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
	{0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
/* No column: marks that sit on the character before. */
static const struct range combining[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
	{0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};
/* Controls, and what turns the direction or cannot be seen. */
static const struct range hidden[] = {{0x00, 0x1F}, {0x7F, 0x9F}, {0xAD, 0xAD}, {0x061C, 0x061C}, {0x200B, 0x200F},
	{0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

/* Bytes of the character at s, 0 when they are not UTF-8 (overlong forms, surrogates, beyond U+10FFFF). */
static size_t decode(const unsigned char *s, uint32_t *out)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
	uint32_t c = n == 1 ? s[0] : n ? s[0] & (0x7Fu >> n) : 0;
	for (size_t i = 1; i < n; i++) {
		if (s[i] >> 6 != 2) /* the terminating 0 too */
			return 0;
		c = c << 6 | (s[i] & 0x3F);
	}
	*out = c;
	return n && c >= least[n] && c <= 0x10FFFF && c >> 11 != 0x1B ? n : 0;
}

static struct jp_utf8 in_letters(uint32_t c, size_t bytes)
{
	struct jp_utf8 u = {.bytes = bytes};
	u.columns = snprintf(u.text, sizeof u.text, c < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned)c);
	return u;
}

struct jp_utf8 jp_utf8_next(const char *s, bool utf8)
{
	uint32_t c = 0;
	size_t n = decode((const unsigned char *)s, &c);
	if (n == 0)
		return in_letters((unsigned char)*s, 1);
	if (IN(hidden, c))
		return in_letters(c, n);
	struct jp_utf8 u = {.bytes = n, .columns = IN(wide, c) ? 2 : IN(combining, c) ? 0 : 1};
	if (utf8 || n == 1) {
		memcpy(u.text, s, n);
	} else {
		u.text[0] = '?';
		u.columns = 1;
	}
	return u;
}

void jp_utf8_show(const char *s, char *out, size_t size)
{
	size_t n = 0;
	while (*s) {
		struct jp_utf8 c = jp_utf8_next(s, true);
		size_t len = strlen(c.text);
		if (n + len + 1 > size)
			break;
		memcpy(out + n, c.text, len);
		n += len;
		s += c.bytes;
	}
	out[n] = 0;
}
