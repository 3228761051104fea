/* Rows of line tables: a program makes them, whose opcodes change a state and put it down. */
#include "diff/dwarf_line_table.h"

#include <string.h>

#include "diff/printable.h"

typedef unsigned long long number;

struct state {
	uint64_t address, start; /* of the row, and of the first in its sequence */
	uint64_t operation, file, line, column, isa, discriminator;
	bool statement, block, prologue_end, epilogue_begin;
};

struct rows {
	const struct dwarf_line_table *table;
	struct dwarf_cursor cursor;
	struct state state;
	bool exact;
	FILE *out;
};

static void reset(struct rows *rows)
{
	rows->state = (struct state){ .file = 1, .line = 1, .statement = rows->table->statements };
}

/* Addresses are told from the start of the sequence, which may have moved as a whole. */
static void put_row(struct rows *rows, bool end)
{
	struct state *state = &rows->state;

	fprintf(rows->out, " +0x%llx file %llu line %llu", (number)(state->address - state->start),
		(number)state->file, (number)state->line);
	if (state->column)
		fprintf(rows->out, " column %llu", (number)state->column);
	if (state->operation)
		fprintf(rows->out, ", operation %llu", (number)state->operation);
	if (state->isa)
		fprintf(rows->out, ", isa %llu", (number)state->isa);
	if (state->discriminator)
		fprintf(rows->out, ", discriminator %llu", (number)state->discriminator);
	fprintf(rows->out, "%s%s%s%s%s\n", state->statement ? "" : ", no statement",
		state->block ? ", block" : "", state->prologue_end ? ", end of prologue" : "",
		state->epilogue_begin ? ", begin of epilogue" : "", end ? ", end" : "");
	state->discriminator = 0;
	state->block = state->prologue_end = state->epilogue_begin = false;
	if (end)
		reset(rows);
}

static void advance(struct rows *rows, uint64_t operations)
{
	const struct dwarf_line_table *table = rows->table;
	struct state *state = &rows->state;
	unsigned most = table->most_operations ? table->most_operations : 1;

	operations += state->operation;
	state->address += table->unit * (operations / most);
	state->operation = operations % most;
}

static void put_bytes(struct rows *rows, const char *what, uint64_t opcode, struct blob bytes)
{
	fprintf(rows->out, " %s %llu:", what, (number)opcode);
	for (uint64_t i = 0; i < bytes.size; i++)
		fprintf(rows->out, " %02x", bytes.data[i]);
	putc('\n', rows->out);
}

static void set_address(struct rows *rows, uint64_t bytes)
{
	if (bytes > 8) {
		rows->cursor.bad = true;
		return;
	}
	rows->state.address = rows->state.start = dwarf_take(&rows->cursor, (unsigned)bytes);
	rows->state.operation = 0;
	if (rows->exact)
		fprintf(rows->out, "from 0x%llx\n", (number)rows->state.address);
	else
		fputs("from an address\n", rows->out);
}

static void define_file(struct rows *rows)
{
	const char *name = dwarf_take_text(&rows->cursor);
	number directory = dwarf_take_unsigned(&rows->cursor);
	number time = dwarf_take_unsigned(&rows->cursor), size = dwarf_take_unsigned(&rows->cursor);

	fputs(" file: ", rows->out);
	printable_put(rows->out, name, strlen(name));
	fprintf(rows->out, ", directory %llu, time %llu, size %llu\n", directory, time, size);
}

static void do_extended(struct rows *rows)
{
	uint64_t size = dwarf_take_unsigned(&rows->cursor), end;
	unsigned opcode;

	if (!size || size > rows->cursor.end - rows->cursor.at) {
		rows->cursor.bad = true;
		return;
	}
	end = rows->cursor.at + size;
	opcode = (unsigned)dwarf_take(&rows->cursor, 1);
	switch (opcode) {
	case 1:
		put_row(rows, true);
		break;
	case 2:
		set_address(rows, size - 1);
		break;
	case 3:
		define_file(rows);
		break;
	case 4:
		rows->state.discriminator = dwarf_take_unsigned(&rows->cursor);
		break;
	default:
		put_bytes(
			rows, "extended opcode", opcode, dwarf_take_block(&rows->cursor, size - 1));
	}
	if (rows->cursor.at > end)
		rows->cursor.bad = true;
	rows->cursor.at = end;
}

static void skip_unknown(struct rows *rows, unsigned opcode)
{
	uint64_t start = rows->cursor.at;

	for (unsigned i = 0; i < rows->table->operands[opcode - 1]; i++)
		dwarf_take_unsigned(&rows->cursor);
	put_bytes(rows, "opcode", opcode,
		blob_part(&rows->cursor.section->bytes, start, rows->cursor.at - start, NULL));
}

static uint64_t special_advance(const struct rows *rows, unsigned opcode)
{
	return (opcode - rows->table->first_special) / rows->table->line_range;
}

static void do_standard(struct rows *rows, unsigned opcode)
{
	struct state *state = &rows->state;

	switch (opcode) {
	case 1:
		put_row(rows, false);
		break;
	case 2:
		advance(rows, dwarf_take_unsigned(&rows->cursor));
		break;
	case 3:
		state->line += (uint64_t)dwarf_take_signed(&rows->cursor);
		break;
	case 4:
		state->file = dwarf_take_unsigned(&rows->cursor);
		break;
	case 5:
		state->column = dwarf_take_unsigned(&rows->cursor);
		break;
	case 6:
		state->statement = !state->statement;
		break;
	case 7:
		state->block = true;
		break;
	case 8:
		advance(rows, special_advance(rows, 255));
		break;
	case 9:
		state->address += dwarf_take(&rows->cursor, 2);
		state->operation = 0;
		break;
	case 10:
		state->prologue_end = true;
		break;
	case 11:
		state->epilogue_begin = true;
		break;
	case 12:
		state->isa = dwarf_take_unsigned(&rows->cursor);
		break;
	default:
		skip_unknown(rows, opcode);
	}
}

static void do_special(struct rows *rows, unsigned opcode)
{
	const struct dwarf_line_table *table = rows->table;
	int lines = table->line_base + (int)((opcode - table->first_special) % table->line_range);

	advance(rows, special_advance(rows, opcode));
	rows->state.line += (uint64_t)lines;
	put_row(rows, false);
}

bool dwarf_line_rows(const struct dwarf_line_tables *tables, const struct dwarf_line_table *table,
	bool exact, FILE *out)
{
	struct rows rows = { .table = table,
		.cursor = dwarf_cursor(&tables->dwarf->own, table->program, table->end),
		.exact = exact,
		.out = out };

	reset(&rows);
	while (rows.cursor.at < rows.cursor.end && !rows.cursor.bad && !ferror(out)) {
		unsigned opcode = (unsigned)dwarf_take(&rows.cursor, 1);

		if (opcode >= table->first_special)
			do_special(&rows, opcode);
		else if (opcode)
			do_standard(&rows, opcode);
		else
			do_extended(&rows);
	}
	return !rows.cursor.bad;
}
