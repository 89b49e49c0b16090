/* Cables by names. */
#include "timing/cables.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
	char name[JP_NAME_MAX];
	int32_t ref; /* of who asks, while it is answered; -1 = does not ask */
};

struct jp_cables {
	pthread_mutex_t lock; /* of what follows */
	struct place *place;  /* NULL = no picture yet */
	struct jp_blame_cable *cable;
	size_t n_places, n_cables;
};

struct jp_cables *jp_cables_new(void)
{
	struct jp_cables *c = calloc(1, sizeof *c);
	if (c)
		pthread_mutex_init(&c->lock, NULL);
	return c;
}

void jp_cables_free(struct jp_cables *c)
{
	if (!c)
		return;
	pthread_mutex_destroy(&c->lock);
	free(c->place);
	free(c->cable);
	free(c);
}

void jp_cables_set(struct jp_cables *c, const char *const *names, size_t n_names, const struct jp_blame_cable *cables,
	size_t n_cables)
{
	struct place *place = calloc(n_names + 1, sizeof *place);
	struct jp_blame_cable *cable = calloc(n_cables + 1, sizeof *cable);
	if (!place || !cable) {
		free(place);
		free(cable);
		return;
	}
	for (size_t i = 0; i < n_names; i++)
		snprintf(place[i].name, sizeof place[i].name, "%s", names[i]);
	if (n_cables)
		memcpy(cable, cables, n_cables * sizeof *cable);
	pthread_mutex_lock(&c->lock);
	free(c->place);
	free(c->cable);
	c->place = place;
	c->cable = cable;
	c->n_places = n_names;
	c->n_cables = n_cables;
	pthread_mutex_unlock(&c->lock);
}

static void find_places(struct jp_cables *c, const struct jp_cables_client *clients, size_t n)
{
	for (size_t i = 0; i < c->n_places; i++) {
		c->place[i].ref = -1;
		for (size_t k = 0; k < n && c->place[i].ref < 0; k++)
			if (!strcmp(c->place[i].name, clients[k].name))
				c->place[i].ref = clients[k].ref;
	}
}

int64_t jp_cables_between(
	struct jp_cables *c, const struct jp_cables_client *clients, size_t n, struct jp_blame_cable *out, size_t max)
{
	size_t found = 0;
	pthread_mutex_lock(&c->lock);
	bool known = c->place;
	find_places(c, clients, n);
	for (size_t i = 0; i < c->n_cables && found < max; i++) {
		struct jp_blame_cable cable = {c->place[c->cable[i].from].ref, c->place[c->cable[i].to].ref};
		if (cable.from >= 0 && cable.to >= 0)
			out[found++] = cable;
	}
	pthread_mutex_unlock(&c->lock);
	return known ? (int64_t)found : -1;
}
