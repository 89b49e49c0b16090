/* Built instead of pipewire.c where libpipewire's headers are not installed: nothing can be opened, so the rest is never called. */
#include "timing/pipewire.h"

enum jp_status jp_pipewire_open(const char *head, const char *tail, struct jp_pipewire **out, struct jp_why *why)
{
	(void)head, (void)tail;
	*out = NULL;
	return jp_why_set(why, JP_UNSUPPORTED,
		"this jackprobe was built without libpipewire: per-client times are not available");
}

void jp_pipewire_close(struct jp_pipewire *p)
{
	(void)p;
}

void jp_pipewire_refs(struct jp_pipewire *p, int32_t *head, int32_t *tail, int32_t *driver)
{
	(void)p;
	*head = *tail = *driver = -1;
}

size_t jp_pipewire_take(struct jp_pipewire *p, struct jp_exec *out, size_t max)
{
	(void)p, (void)out, (void)max;
	return 0;
}

int64_t jp_pipewire_told(struct jp_pipewire *p)
{
	(void)p;
	return JP_NS_UNKNOWN;
}

uint64_t jp_pipewire_dropped(struct jp_pipewire *p)
{
	(void)p;
	return 0;
}

bool jp_pipewire_name(struct jp_pipewire *p, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX])
{
	(void)p, (void)ref, (void)at_ns;
	out[0] = 0;
	return false;
}
