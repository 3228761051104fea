#include "diff/dwarf_units.h"

#include <errno.h>
#include <stdlib.h>

#include "diff/dwarf_names.h"

#define WORK_MOST   32	       /* attributes that are read for each byte, and for any; */
#define WORK_FIRST  (1u << 20) /* some are read several times, as others refer to them */
#define TEXTS_MOST  32	       /* the same for bytes of texts */
#define TEXTS_FIRST (1u << 20)

const char *dwarf_value_text(
	const struct dwarf *dwarf, const struct dwarf_unit *unit, const struct dwarf_value *value)
{
	switch (value->class) {
	case DWARF_TEXT:
		return (const char *)value->block.data;
	case DWARF_TEXT_AT:
		return dwarf_text(dwarf, DWARF_STR, value->number);
	case DWARF_LINE_TEXT_AT:
		return dwarf_text(dwarf, DWARF_LINE_STR, value->number);
	case DWARF_TEXT_NUMBER:
		return dwarf_numbered_text(dwarf, unit->texts, value->number, unit->shape.wide);
	default:
		return NULL;
	}
}

static bool has_id(unsigned type)
{
	return type == DW_UT_type || type == DW_UT_split_type || type == DW_UT_skeleton ||
	       type == DW_UT_split_compile;
}

/* Version 5 has these in another order, and the type of the unit. */
static void read_shape(struct dwarf_unit *unit, struct dwarf_cursor *cursor, bool types)
{
	unsigned offset = unit->shape.wide ? 8 : 4;

	if (unit->shape.version >= 5) {
		unit->type = (unsigned)dwarf_take(cursor, 1);
		unit->shape.address_size = (unsigned)dwarf_take(cursor, 1);
		unit->abbreviations = dwarf_take(cursor, offset);
		/* Behind the header of a table, where the unit does not say it. */
		unit->texts = unit->addresses = unit->shape.wide ? 16 : 8;
	} else {
		unit->type = types ? DW_UT_type : 0;
		unit->abbreviations = dwarf_take(cursor, offset);
		unit->shape.address_size = (unsigned)dwarf_take(cursor, 1);
	}
	unit->has_id = has_id(unit->type);
	if (unit->has_id)
		unit->id = dwarf_take(cursor, 8);
	if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
		unit->type_at = dwarf_take(cursor, offset);
}

static bool is_size_of_address(unsigned bytes)
{
	return bytes == 2 || bytes == 4 || bytes == 8;
}

static bool read_header(struct dwarf_unit *unit, struct dwarf_cursor *cursor, bool types)
{
	uint64_t length;

	*unit = (struct dwarf_unit){ .start = cursor->at };
	length = dwarf_take_length(cursor, &unit->shape.wide);
	unit->end = cursor->at + length;
	unit->shape.version = (unsigned)dwarf_take(cursor, 2);
	read_shape(unit, cursor, types);
	unit->first = cursor->at;
	cursor->at = unit->end;
	return !cursor->bad && unit->first <= unit->end && unit->shape.version >= 2 &&
	       unit->shape.version <= 5 && is_size_of_address(unit->shape.address_size);
}

/* What the first entry says. Texts come when it is known where the table of them begins. */
static void read_first(struct dwarf_units *units, struct dwarf_unit *unit, bool texts)
{
	const struct dwarf *dwarf = units->dwarf;
	struct dwarf_cursor cursor = dwarf_cursor(&dwarf->own, unit->first, unit->end);
	const struct dwarf_abbreviations *table =
		dwarf_tables_find(&units->tables, unit->abbreviations, NULL);
	const struct dwarf_abbreviation *entry =
		table ? dwarf_abbreviation_find(table, dwarf_take_unsigned(&cursor)) : NULL;

	for (size_t i = 0; entry && i < entry->count; i++) {
		const struct dwarf_attribute *attribute = &table->attributes[entry->first + i];
		struct dwarf_value value = dwarf_form_read(&cursor, &unit->shape, attribute);

		if (cursor.bad)
			return;
		if (!texts && attribute->name == DW_AT_str_offsets_base)
			unit->texts = value.number;
		if (attribute->name == DW_AT_addr_base || attribute->name == DW_AT_GNU_addr_base)
			unit->addresses = value.number;
		if (texts && attribute->name == DW_AT_name)
			unit->name = dwarf_value_text(dwarf, unit, &value);
		if (texts && attribute->name == DW_AT_comp_dir)
			unit->directory = dwarf_value_text(dwarf, unit, &value);
		if (texts && attribute->name == DW_AT_producer)
			unit->producer = dwarf_value_text(dwarf, unit, &value);
	}
}

static int add(struct dwarf_units *units, const struct dwarf_unit *unit)
{
	if (units->count == units->room) {
		size_t room = units->room ? 2 * units->room : 64;
		struct dwarf_unit *list = reallocarray(units->list, room, sizeof(*list));

		if (!list)
			return -1;
		units->list = list;
		units->room = room;
	}
	units->list[units->count++] = *unit;
	return 0;
}

enum compared dwarf_units_read(
	struct dwarf_units *units, const struct dwarf *dwarf, bool types, struct error *err)
{
	uint64_t size = dwarf->own.bytes.size;
	struct dwarf_cursor cursor = dwarf_cursor(&dwarf->own, 0, size);

	*units = (struct dwarf_units){ .dwarf = dwarf,
		.tables = { .section = &dwarf->others[DWARF_ABBREV],
			.left = WORK_FIRST + WORK_MOST * size },
		.text_left = TEXTS_FIRST + TEXTS_MOST * size };
	while (cursor.at < size) {
		struct dwarf_unit unit;

		if (!read_header(&unit, &cursor, types))
			return NOT_THIS;
		read_first(units, &unit, false);
		read_first(units, &unit, true);
		if (add(units, &unit))
			return error_set(err, ENOMEM, "cannot read debug info"), COMPARE_FAILED;
	}
	return units->count ? COMPARED : NOT_THIS;
}

void dwarf_units_release(struct dwarf_units *units)
{
	dwarf_tables_release(&units->tables);
	free(units->list);
	*units = (struct dwarf_units){ 0 };
}

const struct dwarf_unit *dwarf_units_at(const struct dwarf_units *units, uint64_t at)
{
	size_t low = 0, high = units->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (units->list[middle].start <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at >= units->list[low - 1].first && at < units->list[low - 1].end
		       ? &units->list[low - 1]
		       : NULL;
}
