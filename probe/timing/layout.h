/** @file layout.h
 * Finds how jackd2 lays out its shared memory, from evidence; nothing about it is assumed but this: there is an array of
 * ports whose entries hold the full port name and, at one fixed distance after it, the owner's reference number; and
 * just before it an array with one slot {u64 signalled, u64 awake, u64 finished, i32 state} (us) per reference number,
 * packed or not. Pure: works on a memory image, so that tests can make one up. Right or refused, never a guess. */
#ifndef JP_LAYOUT_H
#define JP_LAYOUT_H

#include <jackprobe/status.h>
#include <stddef.h>
#include <stdint.h>

enum {
	JP_LAYOUT_ROUNDS = 8,
	JP_LAYOUT_WINDOW = 256 * 1024, /**< bytes before the port array that are searched for the slots */
	JP_LAYOUT_PORTS_MAX = 4096,
};
#define JP_LAYOUT_NOWHERE SIZE_MAX

/** Whose port it is. */
enum jp_layout_owner { JP_LAYOUT_OTHER, JP_LAYOUT_HEAD, JP_LAYOUT_TAIL, JP_LAYOUT_DRIVER };

/** A port of the graph as libjack tells it. */
struct jp_layout_port {
	const char *name; /**< full name */
	size_t name_at;   /**< where libjack keeps that name, as offset in the image; JP_LAYOUT_NOWHERE = not known */
	uint32_t index;   /**< the port's handle as a number */
	enum jp_layout_owner owner;
};

/** The image and the ports in it. */
struct jp_layout_image {
	const unsigned char *base; /**< 4-byte aligned */
	size_t size;               /**< bytes */
	const struct jp_layout_port *ports;
	size_t n_ports;
};

/** One look at the window while neither of our callbacks ran. Times in us on JACK's clock. */
struct jp_layout_round {
	const unsigned char
		*window; /**< copy of the JP_LAYOUT_WINDOW bytes (or fewer, see below) before the port array */
	int64_t head_entry_us, head_exit_us; /**< head's last callback */
	int64_t tail_entry_us, tail_exit_us; /**< tail's; -1 = there is no tail */
	int64_t now_us;                      /**< when the copy was made */
};

/** The part that names alone give. */
struct jp_layout_names {
	size_t name0;  /**< offset of the name of the port with index 0 */
	size_t stride; /**< bytes from port to port */
	size_t from;   /**< offset of the window in the image */
	size_t window; /**< its size: JP_LAYOUT_WINDOW, less where the image begins sooner */
};

struct jp_layout {
	struct jp_layout_names names;
	size_t owner;                /**< bytes from a port's name to its owner's reference number (int32) */
	size_t slot0;                /**< offset in the image of the slot of reference number 0 */
	uint32_t slot_stride;        /**< bytes */
	uint32_t slots;              /**< how many there are */
	uint32_t head_ref, tail_ref; /**< ours; tail_ref UINT32_MAX when there is none */
	uint32_t driver_ref;         /**< the server's own number whose end releases the graph */
	unsigned score, next_score;  /**< of this layout and of the next best, for the log */
};

/** Find port array and stride from the places of our own names and hold every name against it.
 * Errors: JP_UNSUPPORTED - the names do not stand in one array; why says what contradicts. Thread: any. */
enum jp_status jp_layout_find_names(
	const struct jp_layout_image *image, struct jp_layout_names *out, struct jp_why *why);

/** Find owner field and slots. Scored over all rounds; accepted only when one layout explains most of them and is better
 * than every other. @param n at most JP_LAYOUT_ROUNDS. About 6 ms of CPU; allocates.
 * Two of head, tail and driver must have ports; the driver's are the server's own audio ports.
 * Errors: JP_UNSUPPORTED (not found or not the only one; try again with new rounds), JP_NO_MEM. Thread: any. */
enum jp_status jp_layout_find(const struct jp_layout_image *image, const struct jp_layout_names *names,
	const struct jp_layout_round *rounds, size_t n, struct jp_layout *out, struct jp_why *why);

/** Owner's reference number of a port as the image says now; -1 when another name than this stands there. */
int32_t jp_layout_owner_of(
	const struct jp_layout_image *image, const struct jp_layout *layout, uint32_t index, const char *name);

#endif
