/* The live page's table of clients. */
#include "screen_parts.h"

#include <math.h>

enum { CELL = 9, CELLS = 7, FEW = 3, ALL_FROM = 78, NAME_MAX_COLUMNS = 40 };

static int cells_of(const struct jp_print *p)
{
	return p->columns >= ALL_FROM ? CELLS : FEW;
}

/* What the figures leave, and the sign behind the share. */
static int name_width(const struct jp_print *p)
{
	int left = p->columns - cells_of(p) * CELL - (cells_of(p) == CELLS ? 2 : 0);
	return left < NAME_MAX_COLUMNS ? left : NAME_MAX_COLUMNS;
}

static void cells(struct jp_print *p, enum jp_tone tone, const char *const *text)
{
	jp_print_to(p, name_width(p));
	for (int i = 0; i < cells_of(p); i++)
		jp_print(p, tone, "%*s", CELL, text[i]);
}

/* A long one is cut as lines are. */
static void put_name(struct jp_print *p, enum jp_tone tone, const char *name)
{
	int columns = p->columns;
	p->columns = name_width(p);
	jp_print(p, tone, "%s", name);
	p->columns = columns;
}

void jp_part_clients_head(const struct jp_screen *s, int which, struct jp_print *p)
{
	static const char *const titles[CELLS] = {"late", "blamed", "busy p50", "p99", "max", "wait p99", "share"};
	if ((size_t)which < s->all_clients)
		jp_print(p, JP_DIM, "%d of %zu, us", which, s->all_clients);
	else
		jp_print(p, JP_DIM, "window, us");
	cells(p, JP_DIM, titles);
}

void jp_part_client(const struct jp_screen *s, int which, struct jp_print *p)
{
	const struct jp_client_row *row = &s->client[which];
	const struct jp_client_figures *f = &row->figures;
	struct jp_num late = jp_num_count(f->late), blamed = jp_num_count(f->blamed);
	struct jp_num p50 = jp_num_us(f->busy_p50_us), p99 = jp_num_us(f->busy_p99_us), max = jp_num_us(f->busy_max_us);
	double share_pct = 100 * f->busy_p50_us / row->period_us;
	struct jp_num wait = jp_num_us(f->wait_p99_us), share = jp_num(share_pct, 1);
	const char *const text[CELLS] = {late.text, blamed.text, p50.text, p99.text, max.text, wait.text, share.text};
	enum jp_tone tone = f->blamed ? JP_BAD : (f->late ? JP_WARN : JP_PLAIN);
	put_name(p, tone, f->name);
	cells(p, tone, text);
	if (cells_of(p) == CELLS && isfinite(share_pct))
		jp_print(p, tone, " %%");
}
