/* Signals that must not reach a program with callbacks in a graph. */
#include "signals.h"

#include <signal.h>
#include <stddef.h>

void jp_signals_ignore_stops(void)
{
	const int stops[] = {SIGTSTP, SIGTTIN, SIGTTOU};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigemptyset(&ignore.sa_mask);
	for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
		sigaction(stops[i], &ignore, NULL);
}
