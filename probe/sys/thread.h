/** @file thread.h
 * Threads of ours, and what the kernel says of a thread's scheduling. */
#ifndef JP_THREAD_H
#define JP_THREAD_H

#include <jackprobe/status.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Stack of our threads: ample for what they call (libjack's client_open included), and little should a library lock all
 * memory of the process, present and future, which makes every page of every stack resident. */
enum { JP_THREAD_STACK = 256 * 1024 };

/** pthread_create with a stack of JP_THREAD_STACK bytes and a name. @param name at most 15 characters.
 * @return 0 or an errno. */
int jp_thread_create(pthread_t *out, const char *name, void *(*run)(void *), void *arg);

/** Start a thread with all signals blocked (threads it makes, libjack's too, inherit that), so that signals reach the main
 * thread only. Else as jp_thread_create. Errors: JP_NO_MEM (the kernel gives no more threads). */
enum jp_status jp_thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *arg);

/** The kernel's id of a live thread of this process; -1 = unknown. Linux spells it in the id of the thread's CPU clock. */
pid_t jp_thread_tid(pthread_t thread);

/** The policy a thread really has, asked of the kernel. */
struct jp_sched {
	int policy;        /**< SCHED_*, without flags; -1 = unknown */
	int priority;      /**< of FIFO and RR; 0 else */
	long rtprio_limit; /**< RLIMIT_RTPRIO of the process; -1 = no limit */
};

/** @param tid the kernel's id of a thread of this process. */
struct jp_sched jp_sched_of(pid_t tid);

/** A phrase for people: "SCHED_FIFO 55"; when not real-time also why. Pure.
 * @param server_realtime whether the server itself runs real-time. */
void jp_sched_text(const struct jp_sched *sched, bool server_realtime, char *out, size_t size);

#endif
