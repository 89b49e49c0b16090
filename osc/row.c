/* The row profile. */
#include "row.h"

#include "parse.h"

#include <stdio.h>
#include <string.h>

/* The columns that every row begins with. */
static const char *const KEYS[] = {"seq", "unix_s", "unix_ns", "interval_ms"};
static const char KEY_TYPES[] = "iiif";
enum { N_KEYS = 4 };

static const char *column_name(const struct jp_osc_value *value)
{
	return value->address + 1;
}

/* Bytes of the schema of n figures from the first on. */
static size_t schema_size(const struct jp_osc_figures *figures, size_t first, size_t n, const char *address_of_row)
{
	size_t size = jp_osc_text_size(strlen(address_of_row) + strlen("/schema")) + jp_osc_text_size(1 + N_KEYS + n);
	for (size_t i = 0; i < N_KEYS; i++)
		size += jp_osc_text_size(strlen(KEYS[i]));
	for (size_t i = first; i < first + n; i++)
		size += jp_osc_text_size(strlen(column_name(&figures->at[i])));
	return size;
}

static enum jp_status build_schema(
	struct jp_osc_row_part *part, const struct jp_osc_figures *figures, const char *address, size_t size)
{
	char types[N_KEYS + JP_OSC_FIGURES_MAX + 1] = "";
	memset(types, 's', N_KEYS + part->n);
	enum jp_status status = jp_osc_msg_init(&part->schema, address, "/schema", types, size);
	if (status != JP_OK)
		return status;
	jp_osc_msg_rewind(&part->schema);
	for (size_t i = 0; i < N_KEYS; i++)
		jp_osc_msg_text(&part->schema, KEYS[i], strlen(KEYS[i]));
	for (size_t i = part->first; i < part->first + part->n; i++) {
		const char *name = column_name(&figures->at[i]);
		jp_osc_msg_text(&part->schema, name, strlen(name));
	}
	return JP_OK;
}

static enum jp_status build_row(struct jp_osc_row_part *part, const struct jp_osc_figures *figures, const char *address)
{
	char types[N_KEYS + JP_OSC_FIGURES_MAX + 1];
	size_t text_room = 0;
	memcpy(types, KEY_TYPES, N_KEYS);
	for (size_t i = 0; i < part->n; i++) {
		types[N_KEYS + i] = jp_osc_figure_type(&figures->at[part->first + i]);
		text_room += types[N_KEYS + i] == 's' ? JP_OSC_SHORT_TEXT_MAX : 0;
	}
	types[N_KEYS + part->n] = 0;
	return jp_osc_msg_init(&part->row, address, "", types, text_room);
}

static enum jp_status build_part(struct jp_osc_row *row, size_t first, const char *prefix)
{
	struct jp_osc_row_part *part = &row->part[row->n_parts];
	char address[JP_OSC_PREFIX_MAX + 16];
	size_t size = 0;
	if (row->n_parts)
		snprintf(address, sizeof address, "%s/row/%zu", prefix, row->n_parts + 1);
	else
		snprintf(address, sizeof address, "%s/row", prefix);
	part->first = first;
	while (first + part->n < row->figures->n) {
		size_t with_next = schema_size(row->figures, first, part->n + 1, address);
		if (with_next > JP_OSC_DATAGRAM_MAX)
			break;
		part->n++;
		size = with_next;
	}
	enum jp_status status = build_schema(part, row->figures, address, size);
	if (status == JP_OK)
		status = build_row(part, row->figures, address);
	row->n_parts++;
	return status;
}

enum jp_status jp_osc_row_init(struct jp_osc_row *row, const struct jp_osc_figures *figures, const char *prefix)
{
	enum jp_status status = JP_OK;
	row->figures = figures;
	for (size_t next = 0; next < figures->n && status == JP_OK;
		next = row->part[row->n_parts - 1].first + row->part[row->n_parts - 1].n)
		status = row->n_parts < JP_OSC_ROW_PARTS_MAX ? build_part(row, next, prefix) : JP_FULL;
	return status;
}

void jp_osc_row_free(struct jp_osc_row *row)
{
	for (size_t i = 0; i < row->n_parts; i++) {
		jp_osc_msg_free(&row->part[i].schema);
		jp_osc_msg_free(&row->part[i].row);
	}
	row->n_parts = 0;
}

struct jp_osc_msg *jp_osc_row_fill(struct jp_osc_row *row, size_t index, const struct jp_report *report)
{
	struct jp_osc_row_part *part = &row->part[index];
	struct jp_osc_msg *msg = &part->row;
	jp_osc_msg_rewind(msg);
	jp_osc_msg_int(msg, jp_osc_seq(report));
	jp_osc_put_time(msg, report);
	jp_osc_msg_float(msg, (float)((double)report->interval_ns / 1e6));
	for (size_t i = 0; i < part->n; i++) {
		const struct jp_osc_value *figure = &row->figures->at[part->first + i];
		bool known = jp_osc_figure_put(msg, figure, report);
		msg->bytes[msg->tags + N_KEYS + i] = (uint8_t)(known ? jp_osc_figure_type(figure) : 's');
		if (!known)
			jp_osc_msg_text(msg, "", 0);
	}
	return msg;
}
