/** @file encode.h
 * OSC messages that are built once, by liblo, and whose arguments are then overwritten in place; bundles of them.
 *
 * Thread: one at a time. After jp_osc_msg_init nothing allocates. */
#ifndef JP_OSC_ENCODE_H
#define JP_OSC_ENCODE_H

#include <jackprobe/osc_schema.h>
#include <jackprobe/status.h>
#include <stdint.h>

/** A message ready to send: bytes[0..size). */
struct jp_osc_msg {
	uint8_t *bytes;
	size_t tags; /**< where the first type tag stands */
	size_t args; /**< where the first argument stands */
	size_t size; /**< bytes in use; arguments are appended here after a rewind */
	size_t room; /**< bytes there are */
};

/** Build a message whose arguments are all 0 and "".
 * @param types of i, f and s, without the comma.
 * @param text_room bytes that all string arguments together may take beyond their 4 for "".
 * Errors: JP_NO_MEM. */
enum jp_status jp_osc_msg_init(
	struct jp_osc_msg *msg, const char *prefix, const char *address, const char *types, size_t text_room);
void jp_osc_msg_free(struct jp_osc_msg *msg);

/** Start over with the first argument. */
void jp_osc_msg_rewind(struct jp_osc_msg *msg);
/* The next argument. The order must be that of the type tags. */
void jp_osc_msg_int(struct jp_osc_msg *msg, int32_t value);
/** @param value finite. */
void jp_osc_msg_float(struct jp_osc_msg *msg, float value);
/** At most max bytes of the text, cut between characters; what is not UTF-8 becomes '?', byte by byte. */
void jp_osc_msg_text(struct jp_osc_msg *msg, const char *text, size_t max);

/** Bytes a string argument of that length takes: with its end and its padding. */
size_t jp_osc_text_size(size_t length);

/** A bundle being filled, immediate time tag. */
struct jp_osc_bundle {
	size_t size; /**< bytes in use */
	uint8_t bytes[JP_OSC_DATAGRAM_MAX];
};

void jp_osc_bundle_begin(struct jp_osc_bundle *bundle);
/** Append a copy. Errors: JP_FULL - it does not fit; the bundle is as it was. */
enum jp_status jp_osc_bundle_add(struct jp_osc_bundle *bundle, const struct jp_osc_msg *msg);

#endif
