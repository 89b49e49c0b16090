/* One target: addresses, socket, standing. */
#include "target.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A refusal comes back at most once a second from a host that limits them: this long without one is quiet. */
static const double QUIET_S = 2;
static const double ASK_AGAIN_S = 10;

static void close_socket(struct jp_osc_target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

static bool same_addresses(const struct jp_osc_addresses *a, const struct jp_osc_addresses *b)
{
	bool same = a->n == b->n;
	for (size_t i = 0; i < a->n && same; i++)
		same = a->at[i].len == b->at[i].len && !memcmp(&a->at[i].addr, &b->at[i].addr, a->at[i].len);
	return same;
}

static void use_addresses(struct jp_osc_target *t, const struct jp_osc_addresses *addresses)
{
	if (t->standing == JP_OSC_NAMELESS)
		t->standing = JP_OSC_FINE;
	if (same_addresses(&t->addresses, addresses))
		return;
	close_socket(t);
	t->addresses = *addresses;
	t->current = 0;
	t->failures = 0;
	t->fresh = t->doubt = true;
}

enum jp_status jp_osc_target_open(struct jp_osc_target *t, const char *text, struct jp_why *why)
{
	struct jp_osc_endpoint endpoint;
	struct jp_osc_addresses numeric;
	memset(t, 0, sizeof *t);
	t->fd = -1;
	t->quiet_since_s = t->asked_s = NAN;
	enum jp_status status = jp_osc_parse_target(text, &endpoint, why);
	if (status != JP_OK)
		return status;
	snprintf(t->text, sizeof t->text, "%s", text);
	if (jp_osc_resolve_numeric(&endpoint, &numeric) == JP_OK) {
		use_addresses(t, &numeric);
		return JP_OK;
	}
	status = jp_osc_resolver_start(&endpoint, &t->resolver);
	if (status != JP_OK)
		jp_why_set(why, status, "osc target %.200s: no thread or memory to look the name up", text);
	return status;
}

void jp_osc_target_poll(struct jp_osc_target *t)
{
	struct jp_osc_addresses found;
	int error;
	if (!t->resolver || !jp_osc_resolver_take(t->resolver, &found, &error))
		return;
	if (!error) {
		use_addresses(t, &found);
	} else if (!t->addresses.n) {
		t->standing = JP_OSC_NAMELESS;
		t->error = error;
	}
}

/* Returns 0 or an errno. */
static int open_socket(struct jp_osc_target *t)
{
	const struct sockaddr *addr = (const struct sockaddr *)&t->addresses.at[t->current].addr;
	int yes = 1;
	if (t->fd >= 0)
		return 0;
	t->fd = socket(addr->sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (t->fd < 0)
		return errno;
	/* Without leave to broadcast, connecting to such an address fails: then the error says so. */
	(void)setsockopt(t->fd, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
	if (connect(t->fd, addr, t->addresses.at[t->current].len) == 0)
		return 0;
	int error = errno;
	close_socket(t);
	return error;
}

static void note_failure(struct jp_osc_target *t, int error)
{
	t->failed = t->doubt = true;
	t->failures++;
	if (t->failures >= t->addresses.n) {
		t->standing = error == ECONNREFUSED ? JP_OSC_REFUSED : JP_OSC_FAILING;
		t->error = error;
	}
	if (t->addresses.n > 1 || error != ECONNREFUSED)
		close_socket(t);
	t->current = (t->current + 1) % t->addresses.n;
}

/* Has the datagram just sent been refused already, as on this machine it is at once? Asked only while another address
 * could take it. */
static int refused_at_once(struct jp_osc_target *t)
{
	int error = 0;
	socklen_t len = sizeof error;
	if (t->doubt && t->addresses.n > 1)
		(void)getsockopt(t->fd, SOL_SOCKET, SO_ERROR, &error, &len);
	return error;
}

/* Returns 0 or an errno. */
static int send_once(struct jp_osc_target *t, const void *bytes, size_t size)
{
	int error = open_socket(t);
	if (error)
		return error;
	if (send(t->fd, bytes, size, MSG_NOSIGNAL) >= 0)
		return refused_at_once(t);
	error = errno;
	if (error == ECONNREFUSED && t->sent > 0) {
		t->sent--;
		t->dropped++;
	}
	return error;
}

void jp_osc_target_send(struct jp_osc_target *t, const void *bytes, size_t size)
{
	for (size_t tries = t->addresses.n ? t->addresses.n + 1 : 0; tries; tries--) {
		int error = send_once(t, bytes, size);
		if (!error) {
			t->sent++;
			return;
		}
		if (error == EAGAIN || error == ENOBUFS || error == ENOMEM)
			break;
		note_failure(t, error);
	}
	t->dropped++;
}

static void ask_again(struct jp_osc_target *t, double elapsed_s)
{
	if (!t->resolver || fabs(elapsed_s - t->asked_s) < ASK_AGAIN_S)
		return;
	t->asked_s = elapsed_s;
	jp_osc_resolver_again(t->resolver);
}

void jp_osc_target_window_end(struct jp_osc_target *t, double elapsed_s)
{
	bool failed = t->failed;
	t->failed = false;
	if (!t->doubt || !t->addresses.n)
		return;
	if (failed || isnan(t->quiet_since_s)) {
		t->quiet_since_s = elapsed_s;
		if (t->standing != JP_OSC_FINE)
			ask_again(t, elapsed_s);
		return;
	}
	if (fabs(elapsed_s - t->quiet_since_s) < QUIET_S)
		return;
	t->fresh |= t->standing != JP_OSC_FINE;
	t->standing = JP_OSC_FINE;
	t->doubt = false;
	t->failures = 0;
	t->quiet_since_s = NAN;
}

/* Why the name could not be looked up. */
static const char *nameless_text(const struct jp_osc_target *t)
{
	if (t->error == EAI_AGAIN)
		return "no answer from the name service";
	if (t->error != EAI_NONAME && t->error != EAI_NODATA)
		return gai_strerror(t->error);
	return t->text[0] == '[' ? "no such network interface" : "name not known";
}

bool jp_osc_target_news(struct jp_osc_target *t, struct jp_why *out)
{
	enum jp_osc_standing before = t->told;
	if (before == t->standing)
		return false;
	t->told = t->standing;
	switch (t->standing) {
	case JP_OSC_FINE:
		jp_why_set(out, JP_OK, "osc target %.150s: %s", t->text,
			before == JP_OSC_NAMELESS  ? "name found, sending now"
			: before == JP_OSC_REFUSED ? "no longer refused"
						   : "sending works again");
		break;
	case JP_OSC_NAMELESS:
		jp_why_set(out, JP_MISSING, "osc target %.150s: %s, trying again in the background", t->text,
			nameless_text(t));
		break;
	case JP_OSC_REFUSED:
		jp_why_set(out, JP_MISSING, "osc target %.150s: nobody listens there (yet), sending on", t->text);
		break;
	case JP_OSC_FAILING:
		jp_why_set(out, jp_status_from_errno(t->error), "osc target %.150s: %s, trying on", t->text,
			strerror(t->error));
		break;
	}
	return true;
}

void jp_osc_target_stop(struct jp_osc_target *t)
{
	close_socket(t);
	if (t->resolver)
		jp_osc_resolver_stop(t->resolver);
}

void jp_osc_target_free(struct jp_osc_target *t, const struct timespec *deadline)
{
	if (t->resolver)
		jp_osc_resolver_free(t->resolver, deadline);
	t->resolver = NULL;
}
