/* Ports and cables. */
#include "fake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* jackd's handles are small integers, PipeWire's are addresses. */
static uintptr_t handle_base(void)
{
	return strstr(fake.version, "PipeWire") ? (uintptr_t)1 << 40 : 1;
}

static jack_port_t *handle(int index)
{
	return (jack_port_t *)(handle_base() + (uintptr_t)index);
}

static struct fake_port *port_of(const jack_port_t *port)
{
	return &fake.ports[(uintptr_t)port - handle_base()];
}

static int find(const char *name)
{
	for (int i = 0; i < FAKE_PORTS; i++)
		if (fake.ports[i].used && !strcmp(fake.ports[i].name, name))
			return i;
	return -1;
}

void fake_tell_order(void)
{
	for (int i = 0; i < FAKE_CLIENTS; i++)
		if (fake.clients[i].used && fake.clients[i].active && fake.clients[i].order)
			fake.clients[i].order(fake.clients[i].order_arg);
}

static void tell_port(int index, int added)
{
	for (int i = 0; i < FAKE_CLIENTS; i++)
		if (fake.clients[i].used && fake.clients[i].active && fake.clients[i].port)
			fake.clients[i].port((jack_port_id_t)index, added, fake.clients[i].port_arg);
}

static void tell_cable(int from, int to, int made)
{
	for (int i = 0; i < FAKE_CLIENTS; i++)
		if (fake.clients[i].used && fake.clients[i].active && fake.clients[i].cable)
			fake.clients[i].cable(
				(jack_port_id_t)from, (jack_port_id_t)to, made, fake.clients[i].cable_arg);
	fake_tell_order();
}

int fake_port_add(const jack_client_t *owner, const char *name, const char *type, unsigned long flags)
{
	int index = -1;
	pthread_mutex_lock(&fake.lock);
	for (int i = 0; i < FAKE_PORTS && index < 0; i++)
		if (!fake.ports[i].used)
			index = i;
	if (index >= 0) {
		struct fake_port *p = &fake.ports[index];
		*p = (struct fake_port){.used = true, .owner = owner, .flags = flags};
		snprintf(p->name, sizeof p->name, "%s", name);
		snprintf(p->type, sizeof p->type, "%s", type);
	}
	pthread_mutex_unlock(&fake.lock);
	if (index >= 0)
		tell_port(index, 1);
	return index;
}

void fake_port_remove(const char *name)
{
	pthread_mutex_lock(&fake.lock);
	int index = find(name);
	if (index >= 0)
		fake.ports[index].used = false;
	for (int i = 0; i < FAKE_CABLES; i++)
		if (index >= 0 && (fake.cables[i][0] == index + 1 || fake.cables[i][1] == index + 1))
			fake.cables[i][0] = fake.cables[i][1] = 0;
	pthread_mutex_unlock(&fake.lock);
	if (index >= 0)
		tell_port(index, 0);
}

jack_port_t *jack_port_register(
	jack_client_t *client, const char *name, const char *type, unsigned long flags, unsigned long size)
{
	(void)size;
	char full[128];
	fake_maybe_hang("port_register");
	snprintf(full, sizeof full, "%.64s:%.60s", client->name, name);
	int index = fake_port_add(client, full, type, flags);
	return index < 0 ? NULL : handle(index);
}

int jack_port_unregister(jack_client_t *client, jack_port_t *port)
{
	(void)client;
	fake_port_remove(port_of(port)->name);
	return 0;
}

jack_port_t *jack_port_by_name(jack_client_t *client, const char *name)
{
	(void)client;
	int index = find(name);
	return index < 0 ? NULL : handle(index);
}

const char *jack_port_name(const jack_port_t *port)
{
	return port_of(port)->name;
}

const char *jack_port_type(const jack_port_t *port)
{
	return port_of(port)->type;
}

int jack_port_flags(const jack_port_t *port)
{
	return (int)port_of(port)->flags;
}

void jack_port_get_latency_range(jack_port_t *port, jack_latency_callback_mode_t mode, jack_latency_range_t *range)
{
	*range = port_of(port)->latency[mode];
}

void jack_port_set_latency_range(jack_port_t *port, jack_latency_callback_mode_t mode, jack_latency_range_t *range)
{
	port_of(port)->latency[mode] = *range;
}

void jack_free(void *p)
{
	free(p);
}

/* Lists end with NULL; an empty one is none. */
static const char **list_of(bool (*wanted)(int index, const void *arg), const void *arg)
{
	const char **list = calloc(FAKE_PORTS + 1, sizeof *list);
	size_t n = 0;
	pthread_mutex_lock(&fake.lock);
	for (int i = 0; list && i < FAKE_PORTS; i++)
		if (fake.ports[i].used && wanted(i, arg))
			list[n++] = fake.ports[i].name;
	pthread_mutex_unlock(&fake.lock);
	if (n)
		return list;
	free(list);
	return NULL;
}

static bool has_flags(int index, const void *flags)
{
	const unsigned long *wanted = flags;
	return (fake.ports[index].flags & *wanted) == *wanted;
}

const char **jack_get_ports(jack_client_t *client, const char *name, const char *type, unsigned long flags)
{
	(void)client;
	(void)name;
	(void)type;
	return list_of(has_flags, &flags);
}

static bool joined(int a, int b)
{
	for (int i = 0; i < FAKE_CABLES; i++)
		if ((fake.cables[i][0] == a + 1 && fake.cables[i][1] == b + 1) ||
			(fake.cables[i][0] == b + 1 && fake.cables[i][1] == a + 1))
			return true;
	return false;
}

bool fake_feeds_tail(const char *client)
{
	for (int i = 0; i < FAKE_CABLES; i++) {
		int from = fake.cables[i][0] - 1, to = fake.cables[i][1] - 1;
		if (from >= 0 && to >= 0 && strstr(fake.ports[to].name, "-tail:") &&
			!strncmp(fake.ports[from].name, client, strlen(client)))
			return true;
	}
	return false;
}

static bool joined_to(int index, const void *other)
{
	return joined(index, (int)((const struct fake_port *)other - fake.ports));
}

const char **jack_port_get_all_connections(const jack_client_t *client, const jack_port_t *port)
{
	(void)client;
	return list_of(joined_to, port_of(port));
}

const char **jack_port_get_connections(const jack_port_t *port)
{
	return list_of(joined_to, port_of(port));
}

int jack_port_connected_to(const jack_port_t *port, const char *name)
{
	int other = find(name);
	return other >= 0 && joined_to(other, port_of(port));
}

int jack_connect(jack_client_t *client, const char *from, const char *to)
{
	(void)client;
	fake_maybe_hang("connect");
	int room = -1, a = find(from), b = find(to);
	if (a < 0 || b < 0 || strcmp(fake.ports[a].type, fake.ports[b].type) != 0)
		return -1;
	if (joined(a, b))
		return EEXIST;
	pthread_mutex_lock(&fake.lock);
	for (int i = 0; i < FAKE_CABLES && room < 0; i++)
		if (!fake.cables[i][0])
			room = i;
	if (room >= 0) {
		fake.cables[room][0] = a + 1;
		fake.cables[room][1] = b + 1;
	}
	pthread_mutex_unlock(&fake.lock);
	tell_cable(a, b, 1);
	return room < 0 ? -1 : 0;
}

int jack_disconnect(jack_client_t *client, const char *from, const char *to)
{
	(void)client;
	int a = find(from), b = find(to);
	pthread_mutex_lock(&fake.lock);
	for (int i = 0; i < FAKE_CABLES; i++)
		if (fake.cables[i][0] == a + 1 && fake.cables[i][1] == b + 1)
			fake.cables[i][0] = fake.cables[i][1] = 0;
	pthread_mutex_unlock(&fake.lock);
	tell_cable(a, b, 0);
	return 0;
}
