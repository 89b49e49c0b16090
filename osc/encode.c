/* Messages built once and overwritten in place. */
#include "encode.h"

#include <lo/lo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lo_message blank_message(const char *types)
{
	lo_message m = lo_message_new();
	int failed = 0;
	for (const char *t = types; m && *t; t++)
		failed |= *t == 'i'   ? lo_message_add_int32(m, 0)
			  : *t == 'f' ? lo_message_add_float(m, 0)
				      : lo_message_add_string(m, "");
	if (failed) {
		lo_message_free(m);
		m = NULL;
	}
	return m;
}

size_t jp_osc_text_size(size_t length)
{
	return (length / 4 + 1) * 4;
}

enum jp_status jp_osc_msg_init(
	struct jp_osc_msg *msg, const char *prefix, const char *address, const char *types, size_t text_room)
{
	char path[256];
	size_t path_size = jp_osc_text_size((size_t)snprintf(path, sizeof path, "%s%s", prefix, address));
	memset(msg, 0, sizeof *msg);
	lo_message m = blank_message(types);
	if (!m)
		return JP_NO_MEM;
	msg->size = lo_message_length(m, path);
	msg->room = msg->size + text_room;
	msg->tags = path_size + 1;
	msg->args = path_size + jp_osc_text_size(strlen(types) + 1);
	msg->bytes = calloc(1, msg->room);
	if (msg->bytes)
		lo_message_serialise(m, path, msg->bytes, NULL);
	lo_message_free(m);
	return msg->bytes ? JP_OK : JP_NO_MEM;
}

void jp_osc_msg_free(struct jp_osc_msg *msg)
{
	free(msg->bytes);
	memset(msg, 0, sizeof *msg);
}

static void put_big_endian(uint8_t *at, uint32_t v)
{
	at[0] = (uint8_t)(v >> 24);
	at[1] = (uint8_t)(v >> 16);
	at[2] = (uint8_t)(v >> 8);
	at[3] = (uint8_t)v;
}

void jp_osc_msg_rewind(struct jp_osc_msg *msg)
{
	msg->size = msg->args;
}

void jp_osc_msg_int(struct jp_osc_msg *msg, int32_t value)
{
	put_big_endian(msg->bytes + msg->size, (uint32_t)value);
	msg->size += 4;
}

void jp_osc_msg_float(struct jp_osc_msg *msg, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_big_endian(msg->bytes + msg->size, bits);
	msg->size += 4;
}

/* Length of the UTF-8 character (RFC 3629) that begins at s; 0 = what stands there is none. */
static size_t utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char first, last, second_min, second_max, length;
	} form[] = {
		{0x01, 0x7f, 0, 0, 1},
		{0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};
	size_t i = 0;
	while (i < sizeof form / sizeof *form && s[0] > form[i].last)
		i++;
	if (i == sizeof form / sizeof *form || s[0] < form[i].first)
		return 0;
	if (form[i].length > 1 && (s[1] < form[i].second_min || s[1] > form[i].second_max))
		return 0;
	for (size_t k = 2; k < form[i].length; k++)
		if ((s[k] & 0xc0) != 0x80)
			return 0;
	return form[i].length;
}

void jp_osc_msg_text(struct jp_osc_msg *msg, const char *text, size_t max)
{
	uint8_t *out = msg->bytes + msg->size;
	size_t n = 0;
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		size_t length = utf8_length(s);
		size_t step = length ? length : 1;
		if (n + step > max)
			break;
		if (length)
			memcpy(out + n, s, length);
		else
			out[n] = '?';
		n += step;
		s += step;
	}
	size_t size = jp_osc_text_size(n);
	memset(out + n, 0, size - n);
	msg->size += size;
}

void jp_osc_bundle_begin(struct jp_osc_bundle *bundle)
{
	static const uint8_t head[16] = "#bundle\0\0\0\0\0\0\0\0\1";
	memcpy(bundle->bytes, head, sizeof head);
	bundle->size = sizeof head;
}

enum jp_status jp_osc_bundle_add(struct jp_osc_bundle *bundle, const struct jp_osc_msg *msg)
{
	if (bundle->size + 4 + msg->size > sizeof bundle->bytes)
		return JP_FULL;
	put_big_endian(bundle->bytes + bundle->size, (uint32_t)msg->size);
	memcpy(bundle->bytes + bundle->size + 4, msg->bytes, msg->size);
	bundle->size += 4 + msg->size;
	return JP_OK;
}
