/** @file exec_list.h
 * A list of looks or executions that grows up to JP_EXEC_PENDING_MAX. Pure. */
#ifndef JP_EXEC_LIST_H
#define JP_EXEC_LIST_H

#include <jackprobe/exec.h>
#include <stddef.h>

enum { JP_EXEC_PENDING_MAX = 65536 };

/** Zero-initialised is empty. */
struct jp_exec_list {
	struct jp_exec *item;
	size_t n, room;
};

/** @return false when it is full or memory is: nothing was added. */
bool jp_exec_list_add(struct jp_exec_list *l, const struct jp_exec *e);
void jp_exec_list_drop_first(struct jp_exec_list *l, size_t n);
void jp_exec_list_free(struct jp_exec_list *l);

#endif
