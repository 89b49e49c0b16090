/** @file exec_refs.h
 * What exec_merge.c knows of each reference number, found by the number. Pure. */
#ifndef JP_EXEC_REFS_H
#define JP_EXEC_REFS_H

#include <jackprobe/exec.h>
#include <stddef.h>

enum { JP_EXEC_REFS_MAX = 1024 /**< clients looked after at a time */ };

struct jp_exec_ref {
	int32_t ref;
	bool is_open;
	uint8_t role;           /**< enum jp_exec_role; JP_EXEC_CLIENT when it is new */
	struct jp_exec open;    /**< began, not ended yet */
	int64_t last_awake_ns;  /**< of the youngest execution that was seen to begin */
	int64_t last_finish_ns; /**< the finish that was seen last */
	int64_t next_signal_ns; /**< a release later than last_awake_ns */
};

/** Zero-initialised is empty. */
struct jp_exec_refs {
	struct jp_exec_ref item[JP_EXEC_REFS_MAX];
	size_t n;
	uint16_t bucket[2 * JP_EXEC_REFS_MAX]; /**< place in item + 1; 0 = free */
};

/** @return what is known of a number, new when it was not; NULL when there is no room for more. */
struct jp_exec_ref *jp_exec_refs_find(struct jp_exec_refs *r, int32_t ref);
/** All but its number and role. */
void jp_exec_ref_forget(struct jp_exec_ref *r);

#endif
