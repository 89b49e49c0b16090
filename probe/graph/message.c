/* What libjack would print. Its callbacks carry no argument, hence the one variable of this file; they may come on any
 * thread, the process thread too, hence nobody waits for the lock. */
#include "message.h"

#include <jack/jack.h>
#include <pthread.h>
#include <stdio.h>

static struct {
	pthread_mutex_t lock;
	char text[160];
} first = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void keep(const char *text)
{
	if (pthread_mutex_trylock(&first.lock))
		return;
	if (!first.text[0])
		snprintf(first.text, sizeof first.text, "%s", text);
	pthread_mutex_unlock(&first.lock);
}

static void drop(const char *text)
{
	(void)text;
}

void jp_messages_catch(void)
{
	jack_set_error_function(keep);
	jack_set_info_function(drop);
}

bool jp_messages_take(char *out, size_t size)
{
	pthread_mutex_lock(&first.lock);
	bool any = first.text[0];
	snprintf(out, size, "%s", first.text);
	first.text[0] = 0;
	pthread_mutex_unlock(&first.lock);
	return any;
}
