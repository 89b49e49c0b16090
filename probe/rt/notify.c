/* Notifications: a flag or a counter, and the session's thread is woken. */
#include "rt.h"

int jp_note_rate(jack_nframes_t rate, void *arg)
{
	struct jp_notes *notes = arg;
	jp_shared_set(&notes->rate_hz, rate);
	sem_post(notes->wake);
	return 0;
}

int jp_note_frames(jack_nframes_t frames, void *arg)
{
	struct jp_notes *notes = arg;
	jp_shared_set(&notes->frames, frames);
	sem_post(notes->wake);
	return 0;
}

void jp_note_freewheel(int starting, void *arg)
{
	struct jp_notes *notes = arg;
	jp_shared_set(&notes->freewheel, starting != 0);
	jp_shared_bump(&notes->turns);
	sem_post(notes->wake);
}

int jp_note_order(void *arg)
{
	struct jp_notes *notes = arg;
	jp_shared_bump(&notes->graph);
	sem_post(notes->wake);
	return 0;
}

void jp_note_port(jack_port_id_t port, int added, void *arg)
{
	(void)port;
	(void)added;
	jp_note_order(arg);
}

void jp_note_cable(jack_port_id_t a, jack_port_id_t b, int made, void *arg)
{
	(void)a;
	(void)b;
	(void)made;
	jp_note_order(arg);
}

void jp_note_shutdown(void *arg)
{
	struct jp_notes *notes = arg;
	jp_shared_bump(&notes->gone);
	sem_post(notes->wake);
}

void jp_note_info_shutdown(jack_status_t code, const char *reason, void *arg)
{
	(void)code;
	(void)reason;
	jp_note_shutdown(arg);
}
