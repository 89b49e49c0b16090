/* Owner field and slots of a jackd2 segment: candidates are scored over rounds of evidence, joined, and the only best one
 * is taken. */
#include "timing/layout.h"

#include "rt/slots.h"

#include <jackprobe/exec.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEEP = 128,         /* places kept, owner fields kept */
	OWNER_REACH = 4096, /* bytes after a name that are searched for the owner */
	WAKE_US = 300,      /* a thread wakes at most so long before its callback's entry, mostly */
	RETURN_US = 100,    /* and records its end at most so long after the callback's exit, mostly */
	STRIDE_MAX = 64,
	GAP_MIN = 8, /* bytes between the end of the slots and the first port's name */
	GAP_MAX = 16,
};

/* A place in the window that behaved like the awake field of the head. */
struct place {
	size_t at;
	unsigned score;
};

struct places {
	struct place item[KEEP];
	size_t n;
	bool too_many;
};

struct owners {
	size_t at[KEEP]; /* bytes after the name */
	size_t n;
};

struct search {
	const struct jp_layout_image *image;
	const struct jp_layout_names *names;
	const struct jp_layout_round *rounds;
	size_t n;
	struct places head; /* places of the head; the tail's follows from a layout */
	struct owners owners;
	bool head_ports, tail_ports, driver_ports;
	struct jp_layout best;
};

static uint64_t u64_at(const unsigned char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

static int32_t i32_at(const unsigned char *p)
{
	int32_t v;
	memcpy(&v, p, sizeof v);
	return v;
}

static unsigned enough(size_t n)
{
	return (unsigned)((3 * n + 3) / 4);
}

/* awake in (entry - WAKE_US, entry], finished in [exit, exit + RETURN_US]. */
static bool fits(const unsigned char *awake, int64_t entry_us, int64_t exit_us)
{
	uint64_t early = (uint64_t)entry_us - u64_at(awake), late = u64_at(awake + 8) - (uint64_t)exit_us;
	return early < WAKE_US && late <= RETURN_US;
}

static unsigned score_place(const struct search *s, size_t at, enum jp_layout_owner who)
{
	unsigned score = 0, misses = 0, allowed = (unsigned)s->n - enough(s->n);
	bool head = who == JP_LAYOUT_HEAD;
	for (size_t i = 0; i < s->n && misses <= allowed; i++) {
		const struct jp_layout_round *r = &s->rounds[i];
		bool fit = fits(r->window + at, head ? r->head_entry_us : r->tail_entry_us,
			head ? r->head_exit_us : r->tail_exit_us);
		score += fit;
		misses += !fit;
	}
	return score;
}

/* Only places that the callbacks' reader can read (4-byte aligned in the image). */
static void find_places(const struct search *s, struct places *out)
{
	size_t first = (4 - s->names->from % 4) % 4 + JP_SLOTS_AWAKE;
	for (size_t at = first; at + 20 <= s->names->window; at += 4) {
		unsigned score = score_place(s, at, JP_LAYOUT_HEAD);
		if (score < enough(s->n))
			continue;
		if (out->n == KEEP) {
			out->too_many = true;
			return;
		}
		out->item[out->n++] = (struct place){at, score};
	}
}

static const unsigned char *entry_of(const struct search *s, const struct jp_layout_port *p)
{
	return s->image->base + s->names->name0 + p->index * s->names->stride;
}

/* The value at a distance after the names of one client's ports; -1 when they differ or it is out of range. */
static int32_t common_value(const struct search *s, enum jp_layout_owner who, size_t at)
{
	int32_t value = -1;
	for (size_t i = 0; i < s->image->n_ports; i++) {
		const struct jp_layout_port *p = &s->image->ports[i];
		if (p->owner != who)
			continue;
		int32_t v = i32_at(entry_of(s, p) + at);
		if (v < 0 || v >= JP_SLOTS_MAX || (value >= 0 && v != value))
			return -1;
		value = v;
	}
	return value;
}

static bool has_ports(const struct search *s, enum jp_layout_owner who)
{
	for (size_t i = 0; i < s->image->n_ports; i++)
		if (s->image->ports[i].owner == who)
			return true;
	return false;
}

/* Same number on all ports of a client, different ones for head, tail and driver. */
static bool tells_owner(const struct search *s, size_t at)
{
	int32_t head = s->head_ports ? common_value(s, JP_LAYOUT_HEAD, at) : -2;
	if (head == -1)
		return false;
	int32_t tail = s->tail_ports ? common_value(s, JP_LAYOUT_TAIL, at) : -3;
	if (tail == -1 || tail == head)
		return false;
	int32_t driver = s->driver_ports ? common_value(s, JP_LAYOUT_DRIVER, at) : -4;
	return driver != -1 && driver != head && driver != tail;
}

static void find_owners(struct search *s)
{
	size_t reach = s->names->stride < OWNER_REACH ? s->names->stride : OWNER_REACH;
	size_t last = s->names->name0;
	for (size_t i = 0; i < s->image->n_ports; i++) {
		size_t at = s->names->name0 + s->image->ports[i].index * s->names->stride;
		last = at > last ? at : last;
	}
	if (reach > s->image->size - last)
		reach = s->image->size - last;
	s->owners.n = 0;
	for (size_t at = 1; at + sizeof(int32_t) <= reach && s->owners.n < KEEP; at++)
		if (tells_owner(s, at))
			s->owners.at[s->owners.n++] = at;
}

/* Slot of a reference number in a copy of the window; NULL when it lies outside. */
static const unsigned char *slot_in(
	const struct search *s, const struct jp_layout *l, const struct jp_layout_round *r, uint32_t ref)
{
	size_t at = l->slot0 + (size_t)ref * l->slot_stride;
	if (at < s->names->from || at + JP_SLOTS_LEAST_SIZE > s->names->from + s->names->window)
		return NULL;
	return r->window + (at - s->names->from);
}

static bool slot_sane(const unsigned char *slot, int64_t now_us)
{
	int32_t state = i32_at(slot + JP_SLOTS_STATE);
	uint64_t latest = (uint64_t)now_us + 1;
	return state >= JP_EXEC_IDLE && state <= JP_EXEC_FINISHED && u64_at(slot + JP_SLOTS_SIGNALLED) <= latest &&
	       u64_at(slot + JP_SLOTS_AWAKE) <= latest && u64_at(slot + JP_SLOTS_FINISHED) <= latest;
}

/* Every port's owner has a sane slot in every round. */
static bool all_sane(const struct search *s, const struct jp_layout *l)
{
	for (size_t i = 0; i < s->image->n_ports; i++) {
		int32_t ref = i32_at(entry_of(s, &s->image->ports[i]) + l->owner);
		if (ref < 0 || (uint32_t)ref >= l->slots)
			return false;
		for (size_t k = 0; k < s->n; k++) {
			const unsigned char *slot = slot_in(s, l, &s->rounds[k], (uint32_t)ref);
			if (!slot || !slot_sane(slot, s->rounds[k].now_us))
				return false;
		}
	}
	return true;
}

static unsigned score_releaser(const struct search *s, const struct jp_layout *l, uint32_t ref)
{
	unsigned score = 0, misses = 0, allowed = (unsigned)s->n - enough(s->n);
	for (size_t k = 0; k < s->n && misses <= allowed; k++) {
		const unsigned char *d = slot_in(s, l, &s->rounds[k], ref);
		const unsigned char *h = slot_in(s, l, &s->rounds[k], l->head_ref);
		uint64_t released = d && h ? u64_at(h + JP_SLOTS_SIGNALLED) : 0;
		bool fit = released && u64_at(d + JP_SLOTS_FINISHED) == released;
		score += fit;
		misses += !fit;
	}
	return score;
}

/* The head is a root: its release is the end of a driver, to the microsecond. @return score, 0 when nobody fits. */
static unsigned find_releaser(const struct search *s, struct jp_layout *l)
{
	unsigned best = 0;
	for (uint32_t ref = 0; ref < l->slots; ref++) {
		unsigned score = ref == l->head_ref || ref == l->tail_ref ? 0 : score_releaser(s, l, ref);
		if (score >= enough(s->n) && score > best) {
			best = score;
			l->driver_ref = ref;
		}
	}
	return best;
}

/* Slots end just before the first port; their number follows from that. */
static bool complete(const struct search *s, struct jp_layout *l, size_t head_at)
{
	size_t slot = s->names->from + head_at - JP_SLOTS_AWAKE, before = (size_t)l->head_ref * l->slot_stride;
	if (slot < before)
		return false;
	l->slot0 = slot - before;
	size_t gap = s->names->name0 - l->slot0;
	l->slots = (uint32_t)((gap - GAP_MIN) / l->slot_stride);
	gap -= (size_t)l->slots * l->slot_stride;
	return gap >= GAP_MIN && gap <= GAP_MAX && l->slots > l->head_ref && l->slots <= JP_SLOTS_MAX &&
	       (l->tail_ref == UINT32_MAX || l->slots > l->tail_ref);
}

static void consider(struct search *s, struct jp_layout *l)
{
	if (l->score > s->best.score) {
		l->next_score = s->best.score;
		s->best = *l;
	} else if (l->score > s->best.next_score) {
		s->best.next_score = l->score;
	}
}

/* Score of the tail's slot where this layout has it; 0 = does not fit. */
static unsigned score_tail(const struct search *s, const struct jp_layout *l)
{
	size_t at = l->slot0 + (size_t)l->tail_ref * l->slot_stride;
	if (at < s->names->from || at + JP_SLOTS_LEAST_SIZE > s->names->from + s->names->window)
		return 0;
	unsigned score = score_place(s, at - s->names->from + JP_SLOTS_AWAKE, JP_LAYOUT_TAIL);
	return score >= enough(s->n) ? score : 0;
}

/* A head place, an owner field, a stride and the head's number make a layout: score it by all that it foretells. */
static void try_layout(struct search *s, const struct place *head, struct jp_layout *l)
{
	if (!complete(s, l, head->at))
		return;
	l->score = head->score;
	if (s->tail_ports) {
		unsigned tail = score_tail(s, l);
		if (!tail)
			return;
		l->score += tail;
	}
	unsigned release = find_releaser(s, l);
	if (!release || !all_sane(s, l))
		return;
	l->score += release;
	consider(s, l);
}

/* The gap before the ports leaves few strides; a head without ports may have any number. */
static void try_owner(struct search *s, const struct place *head, size_t owner)
{
	struct jp_layout l = {.names = *s->names, .owner = owner, .tail_ref = UINT32_MAX};
	if (s->tail_ports)
		l.tail_ref = (uint32_t)common_value(s, JP_LAYOUT_TAIL, owner);
	uint32_t first = 1, last = JP_SLOTS_MAX - 1;
	if (s->head_ports)
		first = last = (uint32_t)common_value(s, JP_LAYOUT_HEAD, owner);
	size_t distance = s->names->name0 - s->names->from - head->at + JP_SLOTS_AWAKE;
	for (uint32_t stride = JP_SLOTS_LEAST_SIZE; stride <= STRIDE_MAX; stride += 4) {
		if ((distance - GAP_MIN) % stride > GAP_MAX - GAP_MIN)
			continue;
		l.slot_stride = stride;
		for (l.head_ref = first; l.head_ref <= last; l.head_ref++)
			if (l.head_ref != l.tail_ref)
				try_layout(s, head, &l);
	}
}

static enum jp_status search(struct search *s, struct jp_why *why)
{
	s->head_ports = has_ports(s, JP_LAYOUT_HEAD);
	s->tail_ports = has_ports(s, JP_LAYOUT_TAIL);
	s->driver_ports = has_ports(s, JP_LAYOUT_DRIVER);
	if (s->head_ports + s->tail_ports + s->driver_ports < 2)
		return jp_why_set(why, JP_UNSUPPORTED,
			"head, tail and driver have too few ports to find their times in the server's memory: "
			"per-client times are not available");
	find_places(s, &s->head);
	find_owners(s);
	if (s->head.too_many)
		return jp_why_set(why, JP_UNSUPPORTED,
			"too many places of the server's memory look like our own times: per-client times are not "
			"available");
	for (size_t i = 0; i < s->head.n; i++)
		for (size_t k = 0; k < s->owners.n; k++)
			try_owner(s, &s->head.item[i], s->owners.at[k]);
	if (!s->best.score)
		return jp_why_set(why, JP_UNSUPPORTED,
			"the server's memory does not hold our own times where expected: per-client times are not "
			"available");
	if (s->best.next_score == s->best.score)
		return jp_why_set(why, JP_UNSUPPORTED,
			"the layout of the server's memory could not be told from another one: per-client times are "
			"not available");
	return JP_OK;
}

enum jp_status jp_layout_find(const struct jp_layout_image *image, const struct jp_layout_names *names,
	const struct jp_layout_round *rounds, size_t n, struct jp_layout *out, struct jp_why *why)
{
	struct search *s = calloc(1, sizeof *s);
	if (!s)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	s->image = image;
	s->names = names;
	s->rounds = rounds;
	s->n = n < JP_LAYOUT_ROUNDS ? n : JP_LAYOUT_ROUNDS;
	enum jp_status status =
		n ? search(s, why) : jp_why_set(why, JP_UNSUPPORTED, "no evidence about the server's memory yet");
	if (status == JP_OK)
		*out = s->best;
	free(s);
	return status;
}
