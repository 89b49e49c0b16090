/* Reference numbers. */
#include "exec_refs.h"

void jp_exec_ref_forget(struct jp_exec_ref *r)
{
	r->is_open = false;
	r->last_awake_ns = r->last_finish_ns = r->next_signal_ns = JP_NS_UNKNOWN;
}

struct jp_exec_ref *jp_exec_refs_find(struct jp_exec_refs *refs, int32_t ref)
{
	const size_t buckets = sizeof refs->bucket / sizeof *refs->bucket;
	size_t i = (size_t)((uint32_t)ref * 2654435761u) % buckets;
	while (refs->bucket[i] && refs->item[refs->bucket[i] - 1].ref != ref)
		i = (i + 1) % buckets;
	if (refs->bucket[i])
		return &refs->item[refs->bucket[i] - 1];
	if (refs->n == JP_EXEC_REFS_MAX)
		return NULL;
	struct jp_exec_ref *r = &refs->item[refs->n++];
	refs->bucket[i] = (uint16_t)refs->n;
	*r = (struct jp_exec_ref){.ref = ref};
	jp_exec_ref_forget(r);
	return r;
}
