/** @file fake.h
 * A libjack without a server: a script says which cycles come. It is built as libjack.so.0 and put before the real one with
 * LD_LIBRARY_PATH; FAKE_JACK_SCRIPT names the script. See script.c for its words.
 *
 * Times are virtual but exact: while one of the callbacks runs, its thread reads JACK's clock (clock_gettime and
 * jack_get_time) as the script has it, so that a cycle with end_us=3466 has a cycle end of 3466 us and nothing else. All
 * other threads and clocks are real. */
#ifndef FAKE_JACK_H
#define FAKE_JACK_H

#include <jack/jack.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/thread.h>
#include <jack/transport.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { FAKE_CLIENTS = 16, FAKE_PORTS = 256, FAKE_CABLES = 512, FAKE_FRAMES_MAX = 8192 };

/** How the server treats a client that is late. */
enum fake_mode {
	FAKE_QUEUED,    /**< jackd: its calls add up */
	FAKE_SYNC,      /**< jackd -S: the next cycle waits */
	FAKE_COALESCED, /**< PipeWire: its calls melt into one */
};

struct _jack_client {
	bool used, active;
	char name[65];
	JackProcessCallback process;
	JackXRunCallback xrun;
	JackFreewheelCallback freewheel;
	JackBufferSizeCallback buffer_size;
	JackSampleRateCallback sample_rate;
	JackGraphOrderCallback order;
	JackPortRegistrationCallback port;
	JackPortConnectCallback cable;
	JackShutdownCallback shutdown;
	JackInfoShutdownCallback info_shutdown;
	void *process_arg, *xrun_arg, *freewheel_arg, *buffer_size_arg, *sample_rate_arg, *order_arg, *port_arg,
		*cable_arg, *shutdown_arg, *info_shutdown_arg;
};

struct fake_port {
	bool used;
	char name[128];
	const jack_client_t *owner; /**< NULL: of a client that only the script knows */
	char type[48];
	unsigned long flags;
	jack_latency_range_t latency[2];
};

struct fake_state {
	pthread_mutex_t lock;    /**< of the tables */
	pthread_mutex_t running; /**< held while callbacks run: a client that is closed is called no more */
	jack_client_t clients[FAKE_CLIENTS];
	struct fake_port ports[FAKE_PORTS];
	int cables[FAKE_CABLES][2]; /**< indices of ports + 1; 0 = free */
	/* The server. */
	bool down;
	char version[64];
	clockid_t clock;
	enum fake_mode mode;
	uint32_t rate, frames;
	/* The cycle at hand; written by the driver's thread only. */
	uint32_t frame, rate_of_cycle;
	int64_t wake_us, nominal_us, period_us;
	float delay_us;
	char starving
		[64]; /**< a client that is never called: while it has a cable to the tail, the tail is not either */
	/* A call that hangs, for so many seconds; "" = none. */
	char hang[32];
	double hang_s;
};

extern struct fake_state fake;

/** Make JACK's clock read so in this thread; each reading moves it on by 250 ns. 0 = the real clock again. */
void fake_time_set(int64_t ns);
/** JACK's clock as this thread reads it. */
int64_t fake_time(void);

/** Start the driver's thread, once. */
void fake_drive(void);

/** Hang if the script says that this call does. */
void fake_maybe_hang(const char *call);

/** Add, remove a port; used by the API and the script. @return index, -1 = no room or not there. */
int fake_port_add(const jack_client_t *owner, const char *name, const char *type, unsigned long flags);
void fake_port_remove(const char *name);
/** Does a client have a cable to the tail? */
bool fake_feeds_tail(const char *client);
/** Tell every client that the graph changed. */
void fake_tell_order(void);

#endif
