/* Failures of a sink, as sentences: one when it begins, one when it is over. */
#include "trouble.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SHOWN = 80 };

/* What is tried again and again. */
static bool is_data(enum jp_item type)
{
	return type == JP_ITEM_WINDOW || type == JP_ITEM_CYCLES || type == JP_ITEM_EXECUTIONS ||
	       type == JP_ITEM_CLIENTS || type == JP_ITEM_EVENT;
}

void jp_trouble_failed(struct jp_trouble *t, enum jp_item type, uint64_t n, enum jp_status status, const char *text)
{
	t->failures += n;
	t->windows += type == JP_ITEM_WINDOW ? n : 0;
	t->cycles += type == JP_ITEM_CYCLES ? n : 0;
	t->executions += type == JP_ITEM_EXECUTIONS ? n : 0;
	t->clients += type == JP_ITEM_CLIENTS ? n : 0;
	t->events += type == JP_ITEM_EVENT ? n : 0;
	t->active = true;
	t->failing |= is_data(type) ? 1u << type : 0;
	t->due = status == JP_FULL ? n + 1 : 0;
	if (t->text[0])
		return;
	t->status = status;
	snprintf(t->text, sizeof t->text, "%s", text[0] ? text : jp_status_text(status));
}

void jp_trouble_went_well(struct jp_trouble *t, enum jp_item type, uint64_t n)
{
	if (!is_data(type))
		return;
	t->failing &= ~(1u << type);
	t->due -= n < t->due ? n : t->due;
	if (!t->failing && !t->due)
		jp_trouble_over(t);
}

void jp_trouble_over(struct jp_trouble *t)
{
	t->active = false;
	t->failing = 0;
	t->due = 0;
}

/* "3 windows and 1 event"; "" when only headers or facts were left out. */
static void list_counts(const struct jp_trouble *t, char *out, size_t size)
{
	const struct {
		uint64_t n;
		const char *what;
	} counts[] = {{t->windows, "window"}, {t->cycles, "cycle"}, {t->executions, "execution"},
		{t->clients, "client row"}, {t->events, "event"}};
	size_t len = 0;
	out[0] = 0;
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		if (!counts[i].n || len >= size)
			continue;
		len += (size_t)snprintf(out + len, size - len, "%s%" PRIu64 " %s%s", len ? " and " : "", counts[i].n,
			counts[i].what, counts[i].n == 1 ? "" : "s");
	}
}

void jp_trouble_name_it(struct jp_why *out, const char *name, const char *text)
{
	size_t len = strlen(name);
	const char *cut = len > NAME_SHOWN ? "..." : "";
	jp_why_set(out, JP_OK, "%s%s: %s", cut, len > NAME_SHOWN ? name + len - NAME_SHOWN : name, text);
}

bool jp_trouble_news(struct jp_trouble *t, const char *name, enum jp_status *status, struct jp_why *out)
{
	char counts[120], text[sizeof out->text];
	if (!t->failures || (t->active && t->told))
		return false;
	list_counts(t, counts, sizeof counts);
	if (t->active) {
		snprintf(text, sizeof text, "%s%s%s%s; will go on when %s", t->text, counts[0] ? ": " : "", counts,
			counts[0] ? " not written" : "", t->status == JP_FULL ? "there is room" : "it works again");
		jp_trouble_name_it(out, name, text);
		*status = t->status;
		t->told = true;
		return true;
	}
	snprintf(text, sizeof text, "goes on after: %s%s%s%s", t->text, counts[0] ? "; " : "", counts,
		counts[0] ? " not written" : "");
	jp_trouble_name_it(out, name, text);
	*status = JP_OK;
	*t = (struct jp_trouble){0};
	return true;
}
