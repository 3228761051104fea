#include "diff/dwarf_abbreviations.h"

#include <stdlib.h>

#include "diff/dwarf_names.h"

#define ATTRIBUTES_MOST 65536 /* of one table; compilers need some hundreds */

/* Room for one more; it is doubled. */
static void *grown(void *list, size_t count, size_t *room, size_t bytes)
{
	if (count < *room)
		return list;
	*room = *room ? 2 * *room : 64;
	return reallocarray(list, *room, bytes);
}

static int add_attribute(struct dwarf_abbreviations *table, const struct dwarf_attribute *attribute)
{
	struct dwarf_attribute *list = grown(
		table->attributes, table->attribute_count, &table->attribute_room, sizeof(*list));

	if (!list)
		return -1;
	table->attributes = list;
	list[table->attribute_count++] = *attribute;
	return 0;
}

static int read_attributes(struct dwarf_abbreviations *table, struct dwarf_cursor *cursor)
{
	while (!cursor->bad && table->attribute_count < ATTRIBUTES_MOST) {
		struct dwarf_attribute attribute = { .name = dwarf_take_unsigned(cursor) };

		attribute.form = dwarf_take_unsigned(cursor);
		if (attribute.form == DW_FORM_implicit_const)
			attribute.constant = dwarf_take_signed(cursor);
		if (!attribute.name && !attribute.form)
			return cursor->bad ? -1 : 0;
		if (add_attribute(table, &attribute))
			return -1;
	}
	return -1;
}

int dwarf_abbreviation_read(struct dwarf_abbreviations *table, struct dwarf_cursor *cursor)
{
	struct dwarf_abbreviation *list =
		grown(table->list, table->count, &table->room, sizeof(*list));
	struct dwarf_abbreviation *new;

	if (!list)
		return -1;
	table->list = list;
	new = &list[table->count];
	*new = (struct dwarf_abbreviation){ .code = dwarf_take_unsigned(cursor),
		.first = table->attribute_count };
	if (!new->code)
		return cursor->bad ? -1 : 0;
	new->tag = dwarf_take_unsigned(cursor);
	new->has_children = dwarf_take(cursor, 1) != 0;
	if (read_attributes(table, cursor))
		return -1;
	new->count = table->attribute_count - new->first;
	table->count++;
	return 1;
}

static void release(struct dwarf_abbreviations *table)
{
	free(table->list);
	free(table->attributes);
	*table = (struct dwarf_abbreviations){ 0 };
}

static int by_code(const void *a, const void *b)
{
	const struct dwarf_abbreviation *one = a, *other = b;

	return (one->code > other->code) - (one->code < other->code);
}

/* The table ends with the section, too. */
static int read_all(struct dwarf_abbreviations *table, const struct dwarf_section *section)
{
	struct dwarf_cursor cursor = dwarf_cursor(section, table->at, section->bytes.size);
	int more = 1;

	while (more > 0 && cursor.at < cursor.end && table->count < ATTRIBUTES_MOST)
		more = dwarf_abbreviation_read(table, &cursor);
	if (table->count)
		qsort(table->list, table->count, sizeof(*table->list), by_code);
	return more || cursor.bad ? -1 : 0;
}

const struct dwarf_abbreviations *dwarf_tables_find(
	struct dwarf_tables *tables, uint64_t at, const struct dwarf_abbreviations *kept)
{
	struct dwarf_abbreviations *table = &tables->slots[at % DWARF_TABLES];
	uint64_t cost;

	if (table->read && table->at == at)
		return table;
	if (table == kept || !tables->left)
		return NULL;
	release(table);
	table->at = at;
	table->read = read_all(table, tables->section) == 0;
	cost = 1 + table->count + table->attribute_count;
	tables->left -= cost < tables->left ? cost : tables->left;
	if (table->read)
		return table;
	release(table);
	return NULL;
}

void dwarf_tables_release(struct dwarf_tables *tables)
{
	for (size_t i = 0; i < DWARF_TABLES; i++)
		release(&tables->slots[i]);
}

const struct dwarf_abbreviation *dwarf_abbreviation_find(
	const struct dwarf_abbreviations *table, uint64_t code)
{
	size_t low = 0, high = table->count;

	/* They are mostly numbered from 1. */
	if (code && code <= table->count && table->list[code - 1].code == code)
		return &table->list[code - 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->list[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->count && table->list[low].code == code ? &table->list[low] : NULL;
}
