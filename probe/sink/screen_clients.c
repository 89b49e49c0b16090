/* The live page's table of clients. */
#include "screen_parts.h"

#include <math.h>

enum { CELL = 8, SHARE_FROM = 72 }; /* columns from which the share of the period has room */

static void cells(struct jp_print *p, enum jp_tone tone, const char *const *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		jp_print(p, tone, "%*s", CELL, text[i]);
}

void jp_part_clients_head(const struct jp_screen *s, int which, struct jp_print *p)
{
	static const char *const titles[] = {"late", "blamed", "busy p50", "p99", "max", "wait p99", "share"};
	(void)s, (void)which;
	jp_part_label(p, p->columns >= SHARE_FROM ? "clients, us" : "us");
	cells(p, JP_DIM, titles, p->columns >= SHARE_FROM ? 7 : 3);
}

void jp_part_client(const struct jp_screen *s, int which, struct jp_print *p)
{
	const struct jp_client_row *row = &s->client[which];
	const struct jp_client_figures *f = &row->figures;
	struct jp_num late = jp_num_count(f->late), blamed = jp_num_count(f->blamed);
	struct jp_num p50 = jp_num_us(f->busy_p50_us), p99 = jp_num_us(f->busy_p99_us), max = jp_num_us(f->busy_max_us);
	struct jp_num wait = jp_num_us(f->wait_p99_us), share = jp_num(100 * f->busy_p50_us / row->period_us, 1);
	const char *const text[] = {late.text, blamed.text, p50.text, p99.text, max.text, wait.text, share.text};
	int width = jp_part_label_width(p) - 1;
	enum jp_tone tone = f->blamed ? JP_BAD : (f->late ? JP_WARN : JP_PLAIN);
	jp_print(p, tone, "%.*s", width, f->name);
	jp_print_to(p, width + 1);
	cells(p, tone, text, p->columns >= SHARE_FROM ? 7 : 3);
	if (p->columns >= SHARE_FROM && isfinite(row->period_us))
		jp_print(p, tone, " %%");
}
