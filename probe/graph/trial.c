/* New cables are on trial. */
#include "trial.h"

#include <stdio.h>
#include <string.h>

enum {
	ENOUGH_TAILS = 2,  /* calls of the tail that clear a batch: one may have been on its way */
	ENOUGH_HEADS = 20, /* calls of the head without those that condemn it */
};

void jp_trial_begin(struct jp_trial *trial, uint32_t head, uint32_t tail)
{
	trial->n = 0;
	trial->head = head;
	trial->tail = tail;
}

void jp_trial_add(struct jp_trial *trial, const char *from, const char *to)
{
	struct jp_trial_cable *cable = &trial->cables[trial->n++];
	snprintf(cable->from, sizeof cable->from, "%s", from);
	snprintf(cable->to, sizeof cable->to, "%s", to);
}

enum jp_verdict jp_trial_verdict(const struct jp_trial *trial, uint32_t head, uint32_t tail)
{
	if (!trial->n)
		return JP_TRIAL_NONE;
	if (tail - trial->tail > ENOUGH_TAILS)
		return JP_TRIAL_FINE;
	return head - trial->head > ENOUGH_HEADS ? JP_TRIAL_STARVED : JP_TRIAL_PENDING;
}

void jp_trial_failed(struct jp_trial *trial, int64_t until_ns)
{
	if (trial->n > 1) {
		trial->singly = true;
	} else {
		if (trial->n_shunned == JP_TRIAL_SHUNNED)
			memmove(trial->shunned, trial->shunned + 1,
				(size_t)--trial->n_shunned * sizeof *trial->shunned);
		trial->shunned[trial->n_shunned++] = trial->cables[0];
		trial->shunned_until_ns = until_ns;
	}
	trial->n = 0;
}

bool jp_trial_shuns(const struct jp_trial *trial, const char *from, const char *to, int64_t now_ns)
{
	for (int i = 0; i < trial->n_shunned && now_ns < trial->shunned_until_ns; i++)
		if (!strcmp(trial->shunned[i].from, from) && !strcmp(trial->shunned[i].to, to))
			return true;
	return false;
}
