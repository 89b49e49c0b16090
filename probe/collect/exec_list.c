/* Lists of looks and executions. */
#include "exec_list.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 256 };

bool jp_exec_list_add(struct jp_exec_list *l, const struct jp_exec *e)
{
	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : ROOM_MIN;
		struct jp_exec *more = l->n < JP_EXEC_PENDING_MAX ? realloc(l->item, room * sizeof *more) : NULL;
		if (!more)
			return false;
		l->item = more;
		l->room = room;
	}
	l->item[l->n++] = *e;
	return true;
}

void jp_exec_list_drop_first(struct jp_exec_list *l, size_t n)
{
	if (n) {
		l->n -= n;
		memmove(l->item, l->item + n, l->n * sizeof *l->item);
	}
}

void jp_exec_list_free(struct jp_exec_list *l)
{
	free(l->item);
	*l = (struct jp_exec_list){.n = 0};
}
