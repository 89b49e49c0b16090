/* Shared memory of a run. */
#include "area.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

/* 192 kHz with 8 frames: more cycles a second than any server is run with. */
enum { CYCLES_PER_SECOND_MAX = 24000 };

static size_t whole_pages(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	return (bytes + page - 1) / page * page;
}

static size_t slice_bytes(uint64_t capacity)
{
	return whole_pages(capacity * sizeof(struct jp_load_record));
}

enum jp_status jp_load_area_open(struct jp_load_area *area, uint32_t n_clients, double keep_s, struct jp_why *why)
{
	uint64_t capacity = isnan(keep_s) ? 0 : (uint64_t)ceil(keep_s * CYCLES_PER_SECOND_MAX);
	size_t board = whole_pages(sizeof(struct jp_load_board));
	size_t seats = whole_pages(n_clients * sizeof(struct jp_load_seat));
	size_t bytes = board + seats + n_clients * slice_bytes(capacity);
	char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (base == MAP_FAILED)
		return jp_why_set(why, JP_NO_MEM,
			"no address space for the records of %u clients over %.0f s: give a shorter --duration",
			n_clients, keep_s);
	*area = (struct jp_load_area){
		.board = (struct jp_load_board *)base,
		.seats = (struct jp_load_seat *)(base + board),
		.records = (struct jp_load_record *)(base + board + seats),
		.capacity = capacity,
		.n_clients = n_clients,
		.bytes = bytes,
	};
	return JP_OK;
}

void jp_load_area_close(struct jp_load_area *area)
{
	munmap(area->board, area->bytes);
	*area = (struct jp_load_area){0};
}

struct jp_load_record *jp_load_area_records(const struct jp_load_area *area, uint32_t i)
{
	return (struct jp_load_record *)((char *)area->records + i * slice_bytes(area->capacity));
}

/* Adding nothing is a write that leaves the value alone, also while another client writes it. */
static bool pin(void *start, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	for (size_t at = 0; at < bytes; at += page)
		__atomic_fetch_add((uint64_t *)((char *)start + at), 0, __ATOMIC_RELAXED);
	return mlock(start, bytes) == 0;
}

void jp_load_area_pin(const struct jp_load_area *area, uint32_t i, uint64_t n_records)
{
	size_t fixed = (size_t)((char *)area->records - (char *)area->board);
	bool locked = pin(area->board, fixed);
	if (n_records)
		locked &= pin(jp_load_area_records(area, i), n_records * sizeof(struct jp_load_record));
	area->seats[i].unlocked = !locked;
}
