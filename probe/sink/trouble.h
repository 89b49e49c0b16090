/** @file trouble.h
 * What a sink could not do: counted exactly, told once per change. Pure. One thread at a time. */
#ifndef JP_TROUBLE_H
#define JP_TROUBLE_H

#include <jackprobe/status.h>
#include <stdbool.h>
#include <stdint.h>

/** What can be left out. */
enum jp_item {
	JP_ITEM_BEGIN,
	JP_ITEM_META,
	JP_ITEM_WINDOW,
	JP_ITEM_CYCLES,
	JP_ITEM_EXECUTIONS,
	JP_ITEM_CLIENTS,
	JP_ITEM_EVENT,
	JP_ITEM_SUMMARY,
	JP_ITEM_REOPEN
};

/** One kind of trouble from its first failure until its end has been told. All zero = none. */
struct jp_trouble {
	bool active;      /**< it lasts */
	bool told;        /**< its beginning has been told */
	unsigned failing; /**< types that failed when they were tried last, a bit each */
	uint64_t due;     /**< things that must go well yet before a full disk is taken as one with room */
	uint64_t failures;
	uint64_t windows, cycles, executions, clients, events; /**< left out since it began */
	enum jp_status status;
	char text[160]; /**< the first failure's sentence */
};

/** Count n things of a type that failed. The first one's sentence is kept. */
void jp_trouble_failed(struct jp_trouble *t, enum jp_item type, uint64_t n, enum jp_status status, const char *text);
/** n things of a type went well. The trouble is over when none of windows, cycles, executions, clients and events fails any more: a
 * sink may write them to several files. On a full disk more things than failed last must go well too: fewer may just fit where
 * the whole batch did not. */
void jp_trouble_went_well(struct jp_trouble *t, enum jp_item type, uint64_t n);
/** It works again, all of it. */
void jp_trouble_over(struct jp_trouble *t);

/** Put "NAME: " before the text (a long name is cut at its front). */
void jp_trouble_name_it(struct jp_why *out, const char *name, const char *text);

/** The next thing to tell, with the sink's name in front. @param status what the trouble is, JP_OK when it tells of its
 * end. @return false when there is none. */
bool jp_trouble_news(struct jp_trouble *t, const char *name, enum jp_status *status, struct jp_why *out);

#endif
