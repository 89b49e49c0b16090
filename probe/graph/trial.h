/** @file trial.h
 * New cables are on trial: a client that is never called (jackd2 has such, see guard.h) or hangs would keep the tail from
 * ever being called. Such a cable is taken out again and its client left alone for a while. Pure. Thread: the session's. */
#ifndef JP_TRIAL_H
#define JP_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { JP_TRIAL_CABLES = 4, JP_TRIAL_SHUNNED = 16, JP_TRIAL_NAME = 320 };

struct jp_trial_cable {
	char from[JP_TRIAL_NAME], to[JP_TRIAL_NAME];
};

/** Zero-initialised is empty. */
struct jp_trial {
	struct jp_trial_cable cables[JP_TRIAL_CABLES]; /**< on trial */
	int n;
	uint32_t head, tail; /**< calls of our clients when it began */
	bool singly;         /**< a batch failed: one cable at a time, to find the one */
	struct jp_trial_cable shunned[JP_TRIAL_SHUNNED];
	int n_shunned; /**< the oldest make room */
	int64_t shunned_until_ns;
};

enum jp_verdict {
	JP_TRIAL_NONE,    /**< nothing is on trial */
	JP_TRIAL_PENDING, /**< too few cycles since */
	JP_TRIAL_FINE,    /**< the tail is called */
	JP_TRIAL_STARVED, /**< the head is called and the tail is not */
};

/** A new batch. @param head, tail calls so far. */
void jp_trial_begin(struct jp_trial *trial, uint32_t head, uint32_t tail);
/** Put a cable on trial; at most JP_TRIAL_CABLES, with jp_trial.singly one. */
void jp_trial_add(struct jp_trial *trial, const char *from, const char *to);
enum jp_verdict jp_trial_verdict(const struct jp_trial *trial, uint32_t head, uint32_t tail);
/** The batch failed and is out of the graph: a single cable is shunned until then, more are to be tried singly. */
void jp_trial_failed(struct jp_trial *trial, int64_t until_ns);
bool jp_trial_shuns(const struct jp_trial *trial, const char *from, const char *to, int64_t now_ns);

#endif
