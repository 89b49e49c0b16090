/** @file watch.h
 * Watches control calls: what the session's thread is calling and since when, so that others can tell a hang without
 * waiting for it. */
#ifndef JP_WATCH_H
#define JP_WATCH_H

#include <jackprobe/attributes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Members are private to watch.c. */
struct jp_watch {
	pthread_mutex_t lock; /**< never held over a call into libjack */
	char what[96];        /**< "" = no call under way */
	int64_t since_ns;     /**< CLOCK_MONOTONIC */
};

void jp_watch_init(struct jp_watch *watch);

/** A call begins. The text names the call and its object: "jack_connect to synth". Thread: the session's. */
void jp_watch_begin(struct jp_watch *watch, const char *fmt, ...) JP_PRINTF(2, 3);
/** It has returned. Thread: the session's. */
void jp_watch_end(struct jp_watch *watch);

/** Has a call been under way for longer than limit_ms? Then write the sentence. Thread: any. */
bool jp_watch_hangs(struct jp_watch *watch, int limit_ms, char *out, size_t size);

#endif
