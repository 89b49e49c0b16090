/* Reference number -> client name. */
#include "timing/names.h"

#include <stdio.h>
#include <string.h>

void jp_names_set(struct jp_names *names, int32_t ref, const char *name, int64_t since_ns)
{
	if (ref < 0 || ref >= JP_NAMES_MAX)
		return;
	struct jp_name *now = &names->now[ref];
	if (!strncmp(now->text, name, JP_NAME_MAX - 1))
		return;
	if (now->text[0]) {
		names->before[ref] = *now;
		names->before[ref].until_ns = since_ns;
	}
	snprintf(now->text, sizeof now->text, "%s", name);
	now->since_ns = since_ns;
}

bool jp_names_get(const struct jp_names *names, int32_t ref, int64_t at_ns, char out[JP_NAME_MAX])
{
	const struct jp_name *now = ref >= 0 && ref < JP_NAMES_MAX ? &names->now[ref] : NULL;
	const char *text = "";
	if (now) {
		const struct jp_name *before = &names->before[ref];
		bool earlier = before->text[0] && at_ns < now->since_ns && at_ns < before->until_ns;
		text = earlier ? before->text : now->text;
	}
	if (text[0])
		snprintf(out, JP_NAME_MAX, "%s", text);
	else
		snprintf(out, JP_NAME_MAX, "#%d", ref);
	return text[0] != 0;
}
