#include "diff/dwarf_line_table.h"

#include <errno.h>
#include <stdlib.h>

#define TEXTS_MOST  32 /* bytes of names that are shown for each byte, and for any */
#define TEXTS_FIRST (1u << 20)

/* The numbers between the length of the header and the names. */
static void read_numbers(struct dwarf_line_table *table, struct dwarf_cursor *cursor)
{
	int base;

	table->unit = (unsigned)dwarf_take(cursor, 1);
	table->most_operations = table->shape.version >= 4 ? (unsigned)dwarf_take(cursor, 1) : 1;
	table->statements = dwarf_take(cursor, 1) != 0;
	base = (int)dwarf_take(cursor, 1);
	table->line_base = base < 128 ? base : base - 256;
	table->line_range = (unsigned)dwarf_take(cursor, 1);
	table->first_special = (unsigned)dwarf_take(cursor, 1);
	table->operands = cursor->section->bytes.data + cursor->at;
	dwarf_take_block(cursor, table->first_special ? table->first_special - 1 : 0);
	table->names = cursor->at;
}

static bool read_header(struct dwarf_line_table *table, struct dwarf_cursor *cursor)
{
	uint64_t length;

	*table = (struct dwarf_line_table){ .start = cursor->at };
	length = dwarf_take_length(cursor, &table->shape.wide);
	table->end = cursor->at + length;
	table->shape.version = (unsigned)dwarf_take(cursor, 2);
	table->shape.address_size = cursor->section->elf->wide ? 8 : 4;
	if (table->shape.version >= 5) {
		table->shape.address_size = (unsigned)dwarf_take(cursor, 1);
		dwarf_take(cursor, 1); /* segments, which no machine has any more */
	}
	length = dwarf_take(cursor, table->shape.wide ? 8 : 4);
	table->program = length <= table->end - cursor->at ? cursor->at + length : UINT64_MAX;
	read_numbers(table, cursor);
	cursor->at = table->end;
	return !cursor->bad && table->shape.version >= 2 && table->shape.version <= 5 &&
	       table->shape.address_size && table->shape.address_size <= 8 && table->line_range &&
	       table->first_special && table->names <= table->program &&
	       table->program <= table->end;
}

static int add(struct dwarf_line_tables *tables, const struct dwarf_line_table *table)
{
	if (tables->count == tables->room) {
		size_t room = tables->room ? 2 * tables->room : 64;
		struct dwarf_line_table *list = reallocarray(tables->list, room, sizeof(*list));

		if (!list)
			return -1;
		tables->list = list;
		tables->room = room;
	}
	tables->list[tables->count++] = *table;
	return 0;
}

enum compared dwarf_line_tables_read(
	struct dwarf_line_tables *tables, const struct dwarf *dwarf, struct error *err)
{
	uint64_t size = dwarf->own.bytes.size;
	struct dwarf_cursor cursor = dwarf_cursor(&dwarf->own, 0, size);

	*tables = (struct dwarf_line_tables){ .dwarf = dwarf,
		.text_left = TEXTS_FIRST + TEXTS_MOST * size };
	while (cursor.at < size) {
		struct dwarf_line_table table;

		if (!read_header(&table, &cursor))
			return NOT_THIS;
		dwarf_line_names(tables, &table, NULL, &table.name);
		if (add(tables, &table))
			return error_set(err, ENOMEM, "cannot read line tables"), COMPARE_FAILED;
	}
	return tables->count ? COMPARED : NOT_THIS;
}

void dwarf_line_tables_release(struct dwarf_line_tables *tables)
{
	free(tables->list);
	*tables = (struct dwarf_line_tables){ 0 };
}

bool dwarf_lines_of_table(const struct elf_part *part, FILE *out)
{
	const struct dwarf_table_wanted *wanted = part->more;
	const struct dwarf_line_table *table = wanted->table;

	fprintf(out,
		"DWARF %u, addresses of %u bytes, offsets of %u, instructions of %u bytes, "
		"operations %u, lines from %d, range %u, first special opcode %u%s\n",
		table->shape.version, table->shape.address_size, table->shape.wide ? 8u : 4u,
		table->unit, table->most_operations, table->line_base, table->line_range,
		table->first_special, table->statements ? "" : ", no statements");
	return dwarf_line_names(wanted->tables, table, out, NULL) &&
	       dwarf_line_rows(wanted->tables, table, wanted->exact, out);
}
