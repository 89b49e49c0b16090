/** @file area.h
 * The memory that the clients of a run write and the supervisor reads: shared, so that it is the same whether the clients are
 * threads or processes, and outlives a client that dies. */
#ifndef JP_LOAD_AREA_H
#define JP_LOAD_AREA_H

#include "rt/load_client.h"

#include <jackprobe/report.h>
#include <jackprobe/status.h>
#include <stddef.h>

/** One client's place. Written by the client's own thread or process until it has answered an order, then read by all. */
struct jp_load_seat {
	struct jp_load_tally tally;
	char name[JP_NAME_MAX];   /**< as the server knows it; "" = not open yet */
	uint32_t rate_hz, frames; /**< as the server told at opening; 0 = not open yet */
	uint32_t gone_;           /**< atomic: the server has gone away from it */
	uint32_t unlocked;        /**< its memory could not be locked */
};

struct jp_load_area {
	struct jp_load_board *board;
	struct jp_load_seat *seats;     /**< n_clients */
	struct jp_load_record *records; /**< n_clients x capacity; page aligned, used only as far as pinned */
	uint64_t capacity;              /**< records that a client can have at most; 0 = none are kept */
	uint32_t n_clients;
	size_t bytes; /**< of the whole mapping */
};

/** Reserve address space for all clients; pages take memory once they are used. Call before any fork.
 * @param keep_s seconds of records to make room for at the highest rate of cycles there is; NaN = no records.
 * Errors: JP_NO_MEM. */
enum jp_status jp_load_area_open(struct jp_load_area *area, uint32_t n_clients, double keep_s, struct jp_why *why);
void jp_load_area_close(struct jp_load_area *area);

/** First record of client i. */
struct jp_load_record *jp_load_area_records(const struct jp_load_area *area, uint32_t i);

/** Bring the memory that client i writes, with so many records, into this process and lock it, so that its callback does not
 * fault. Thread: the one that sets the client up. Sets the seat's `unlocked` when the limit on locked memory forbids it
 * (the pages are touched all the same). */
void jp_load_area_pin(const struct jp_load_area *area, uint32_t i, uint64_t n_records);

#endif
