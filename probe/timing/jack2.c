/* Per-client times of a stock jackd2. */
#include "timing/jack2.h"

#include "sys/clock.h"
#include "timing/layout.h"
#include "timing/names.h"
#include "timing/ports.h"
#include "timing/shm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

enum {
	ATTEMPTS = 4,
	ROUND_MS = 300,    /* no callback for that long: give up */
	ATTEMPT_MS = 1000, /* all attempts together take no longer, the last one begun ends */
	CABLES_MAX = 4096, /* pairs of clients */
	NAP_NS = 400000,
};

struct jp_jack2 {
	struct jp_jack2_config config;
	struct jp_shm shm;
	struct jp_layout layout;
	int32_t hardware;                          /* owner of the server's audio ports; -1 = it has none */
	char head[JP_NAME_MAX], tail[JP_NAME_MAX]; /* our names as the server gave them; "" = no tail */
	pthread_mutex_t lock;                      /* of what follows; never held over a call into libjack */
	struct jp_names names;
	struct jp_blame_cable cables[CABLES_MAX];
	size_t n_cables;
};

/* Copies of the window, and the calls that belong to them. */
struct evidence {
	struct jp_layout_round round[JP_LAYOUT_ROUNDS];
	unsigned char *copy[JP_LAYOUT_ROUNDS];
	size_t n;
	uint64_t head_call, tail_call; /* of the last round */
};

struct calls {
	uint64_t head, tail;
	int64_t head_entry, head_exit, tail_entry, tail_exit;
};

static void look_at_calls(const struct jp_jack2 *j, struct calls *c)
{
	*c = (struct calls){.tail_entry = -1, .tail_exit = -1, .tail = 1};
	c->head = jp_slots_last_call(j->config.slots, JP_HEAD, &c->head_entry, &c->head_exit);
	if (j->config.tail)
		c->tail = jp_slots_last_call(j->config.slots, JP_TAIL, &c->tail_entry, &c->tail_exit);
}

static int64_t to_us(int64_t ns)
{
	return ns < 0 ? -1 : ns / 1000;
}

/* Copy the window between two looks at the calls; @return false when a callback came in between. */
static bool copy_quietly(const struct jp_jack2 *j, const struct jp_layout_names *names, struct evidence *e)
{
	struct calls before, after;
	look_at_calls(j, &before);
	if (!before.head || !before.tail || before.head == e->head_call ||
		(j->config.tail && before.tail == e->tail_call))
		return false;
	memcpy(e->copy[e->n], j->shm.base + names->from, names->window);
	look_at_calls(j, &after);
	if (after.head != before.head || after.tail != before.tail)
		return false;
	e->round[e->n] = (struct jp_layout_round){
		.window = e->copy[e->n],
		.head_entry_us = to_us(before.head_entry),
		.head_exit_us = to_us(before.head_exit),
		.tail_entry_us = to_us(before.tail_entry),
		.tail_exit_us = to_us(before.tail_exit),
		.now_us = to_us(jp_clock_now(j->config.clock)),
	};
	e->head_call = before.head;
	e->tail_call = before.tail;
	e->n++;
	return true;
}

static enum jp_status collect(
	const struct jp_jack2 *j, const struct jp_layout_names *names, struct evidence *e, struct jp_why *why)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	int64_t last = jp_clock_now(CLOCK_MONOTONIC);
	e->n = 0;
	while (e->n < JP_LAYOUT_ROUNDS) {
		if (copy_quietly(j, names, e))
			last = jp_clock_now(CLOCK_MONOTONIC);
		else if (jp_clock_now(CLOCK_MONOTONIC) - last > ROUND_MS * MS)
			return jp_why_set(why, JP_TIMEOUT,
				"the probe's callbacks do not run often enough to prove the layout of the server's "
				"memory");
		nanosleep(&nap, NULL);
	}
	return JP_OK;
}

static void drop_copies(struct evidence *e)
{
	for (size_t i = 0; i < JP_LAYOUT_ROUNDS; i++)
		free(e->copy[i]);
}

static bool make_copies(struct evidence *e, size_t window)
{
	for (size_t i = 0; i < JP_LAYOUT_ROUNDS; i++) {
		e->copy[i] = malloc(window);
		if (!e->copy[i])
			return false;
	}
	return true;
}

static enum jp_status list(struct jp_jack2 *j, struct jp_ports *ports)
{
	return jp_ports_list(j->config.head, &j->shm, j->head, j->tail, ports);
}

static struct jp_layout_image image_of(const struct jp_jack2 *j, const struct jp_ports *ports)
{
	return (struct jp_layout_image){
		.base = j->shm.base, .size = j->shm.size, .ports = ports->port, .n_ports = ports->n};
}

/* One attempt with the ports as they are now. */
static enum jp_status attempt_with(struct jp_jack2 *j, const struct jp_ports *ports, struct jp_why *why)
{
	struct jp_layout_image image = image_of(j, ports);
	struct jp_layout_names names;
	struct evidence e = {.n = 0};
	enum jp_status status = jp_layout_find_names(&image, &names, why);
	if (status != JP_OK)
		return status;
	status = make_copies(&e, names.window) ? collect(j, &names, &e, why)
					       : jp_why_set(why, JP_NO_MEM, "out of memory");
	if (status == JP_OK)
		status = jp_layout_find(&image, &names, e.round, e.n, &j->layout, why);
	drop_copies(&e);
	return status;
}

static enum jp_status attempt(struct jp_jack2 *j, struct jp_why *why)
{
	struct jp_ports ports;
	enum jp_status status = list(j, &ports);
	if (status != JP_OK)
		return jp_why_set(why, status, "out of memory");
	status = attempt_with(j, &ports, why);
	jp_ports_clear(&ports);
	return status;
}

static enum jp_status prove(struct jp_jack2 *j, struct jp_why *why)
{
	int64_t start = jp_clock_now(CLOCK_MONOTONIC);
	enum jp_status status = JP_UNSUPPORTED;
	for (int i = 0; i < ATTEMPTS && jp_clock_now(CLOCK_MONOTONIC) - start < ATTEMPT_MS * MS; i++) {
		status = attempt(j, why);
		if (status != JP_UNSUPPORTED)
			break;
	}
	return status;
}

static void show(struct jp_jack2 *j)
{
	const struct jp_layout *l = &j->layout;
	uint32_t highest = l->head_ref;
	if (l->tail_ref != UINT32_MAX && l->tail_ref > highest)
		highest = l->tail_ref;
	for (int32_t ref = 0; ref < JP_NAMES_MAX; ref++)
		if (j->names.now[ref].text[0] && (uint32_t)ref > highest)
			highest = (uint32_t)ref;
	jp_shm_hold(&j->shm, l->slot0, (size_t)l->slots * l->slot_stride);
	jp_slots_show(j->config.slots,
		&(struct jp_slots_view){.slot0 = j->shm.base + l->slot0, .stride = l->slot_stride, .n = l->slots},
		highest);
}

enum jp_status jp_jack2_find(const struct jp_jack2_config *config, struct jp_jack2 **out, struct jp_why *why)
{
	struct jp_jack2 *j = calloc(1, sizeof *j);
	if (!j)
		return jp_why_set(why, JP_NO_MEM, "out of memory");
	j->config = *config;
	j->hardware = -1;
	pthread_mutex_init(&j->lock, NULL);
	snprintf(j->head, sizeof j->head, "%s", jack_get_client_name(config->head));
	if (config->tail)
		snprintf(j->tail, sizeof j->tail, "%s", jack_get_client_name(config->tail));
	enum jp_status status = jp_shm_open(&j->shm, why);
	if (status == JP_OK)
		status = prove(j, why);
	if (status != JP_OK) {
		jp_jack2_free(j);
		return status;
	}
	jp_jack2_refresh(j, jp_clock_now(config->clock));
	show(j);
	*out = j;
	return JP_OK;
}

void jp_jack2_free(struct jp_jack2 *j)
{
	if (!j)
		return;
	jp_slots_hide(j->config.slots);
	jp_shm_close(&j->shm);
	pthread_mutex_destroy(&j->lock);
	free(j);
}

/* What a refresh learns, before it is shown. */
struct fresh {
	const struct jp_ports *ports;
	int32_t *ref; /* owner of each port; -1 = unknown */
	char (*owner)[JP_NAME_MAX];
	struct jp_blame_cable *cables;
	size_t n_cables;
};

static void free_fresh(struct fresh *f)
{
	free(f->ref);
	free(f->owner);
	free(f->cables);
}

static bool make_fresh(struct fresh *f, const struct jp_ports *ports)
{
	*f = (struct fresh){.ports = ports};
	f->ref = calloc(ports->n + 1, sizeof *f->ref);
	f->owner = calloc(JP_NAMES_MAX, sizeof *f->owner);
	f->cables = calloc(CABLES_MAX, sizeof *f->cables);
	return f->ref && f->owner && f->cables;
}

/* Who has which number now. */
static void read_owners(struct jp_jack2 *j, struct fresh *f)
{
	struct jp_layout_image image = image_of(j, f->ports);
	for (size_t i = 0; i < f->ports->n; i++) {
		const struct jp_layout_port *p = &f->ports->port[i];
		int32_t ref = jp_layout_owner_of(&image, &j->layout, p->index, p->name);
		f->ref[i] = ref < JP_NAMES_MAX ? ref : -1;
		if (f->ref[i] < 0)
			continue;
		jp_ports_client(p->name, f->owner[ref], JP_NAME_MAX);
		if (p->owner == JP_LAYOUT_DRIVER)
			j->hardware = ref;
	}
	snprintf(f->owner[j->layout.head_ref], JP_NAME_MAX, "%s", j->head);
}

static void put_cable(void *arg, size_t from, size_t to)
{
	struct fresh *f = arg;
	struct jp_blame_cable c = {f->ref[from], f->ref[to]};
	if (c.from < 0 || c.to < 0 || f->n_cables == CABLES_MAX)
		return;
	for (size_t i = 0; i < f->n_cables; i++)
		if (f->cables[i].from == c.from && f->cables[i].to == c.to)
			return;
	f->cables[f->n_cables++] = c;
}

void jp_jack2_refresh(struct jp_jack2 *j, int64_t since_ns)
{
	struct jp_ports ports;
	struct fresh f;
	if (list(j, &ports) != JP_OK)
		return;
	if (make_fresh(&f, &ports)) {
		read_owners(j, &f);
		jp_ports_cables(j->config.head, &ports, put_cable, &f);
		pthread_mutex_lock(&j->lock);
		for (int32_t ref = 0; ref < JP_NAMES_MAX; ref++)
			jp_names_set(&j->names, ref, f.owner[ref], since_ns);
		memcpy(j->cables, f.cables, sizeof j->cables);
		j->n_cables = f.n_cables;
		pthread_mutex_unlock(&j->lock);
	}
	free_fresh(&f);
	jp_ports_clear(&ports);
}

bool jp_jack2_name(struct jp_jack2 *j, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX])
{
	pthread_mutex_lock(&j->lock);
	bool known = jp_names_get(&j->names, ref, at_ns, out);
	pthread_mutex_unlock(&j->lock);
	return known;
}

size_t jp_jack2_cables(struct jp_jack2 *j, struct jp_blame_cable *out, size_t max)
{
	pthread_mutex_lock(&j->lock);
	size_t n = j->n_cables < max ? j->n_cables : max;
	memcpy(out, j->cables, n * sizeof *out);
	pthread_mutex_unlock(&j->lock);
	return n;
}

void jp_jack2_refs(const struct jp_jack2 *j, int32_t *head, int32_t *tail, int32_t *driver, int32_t *hardware)
{
	*head = (int32_t)j->layout.head_ref;
	*tail = j->layout.tail_ref == UINT32_MAX ? -1 : (int32_t)j->layout.tail_ref;
	*driver = (int32_t)j->layout.driver_ref;
	*hardware = j->hardware;
}

void jp_jack2_text(const struct jp_jack2 *j, char *out, size_t size)
{
	const struct jp_layout *l = &j->layout;
	snprintf(out, size, "slots at %zu, stride %u, %u clients, owner at %zu, score %u (next %u)", l->slot0,
		l->slot_stride, l->slots, l->owner, l->score, l->next_score);
}
