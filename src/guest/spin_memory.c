#include "guest/spin_memory.h"

#define CELL 4u

static uint64_t cell_address(uint64_t address)
{
	return address & ~(uint64_t)(CELL - 1);
}

struct cell *model_cell(struct model *m, uint64_t address)
{
	for (uint32_t i = 0; i < m->cell_count; i++)
		if (m->cells[i].address == address)
			return &m->cells[i];
	return NULL;
}

static struct cell *add_cell(struct model *m, uint64_t address)
{
	struct cell *cell = &m->cells[m->cell_count];
	uint32_t original;

	if (m->cell_count == MODEL_CELLS || !spin_read(&original, address, CELL)) {
		m->failed = true;
		return NULL;
	}
	*cell = (struct cell){ .address = address, .original = original };
	cell->value = cell->start = cell->original;
	m->cell_count++;
	return cell;
}

struct symbol model_root(struct model *m, bool in_memory, uint64_t place, uint32_t width)
{
	if (m->root_count == MODEL_ROOTS) {
		m->failed = true;
		return (struct symbol){ 0 };
	}
	m->roots[m->root_count++] =
		(struct root){ .in_memory = in_memory, .place = place, .width = width };
	return (struct symbol){ .root = m->root_count, .width = width };
}

/* Does reading it mean more than its bits? */
static bool is_special(const struct cell *cell)
{
	return cell && (cell->symbol.root || (cell->varies && !cell->touched));
}

static bool is_fresh(const struct cell *cell)
{
	return cell && !cell->touched;
}

static void give_symbol(struct cell *cell, struct symbol symbol, bool upper)
{
	cell->symbol = symbol;
	cell->upper = upper;
	cell->touched = true;
}

/* Four bytes: a root, the lower half of one, or a copy. */
static struct symbol load_half(struct model *m, struct cell *cell)
{
	struct symbol symbol;

	if (!cell->symbol.root)
		give_symbol(cell, model_root(m, true, cell->address, 32), false);
	if (cell->upper)
		m->failed = true;
	symbol = cell->symbol;
	symbol.width = 32;
	return symbol;
}

static bool is_pair(const struct cell *low, const struct cell *high)
{
	return low->symbol.root == high->symbol.root && low->symbol.width == 64 &&
	       high->symbol.width == 64 && low->symbol.offset == high->symbol.offset &&
	       !low->upper && high->upper;
}

static struct symbol load_whole(struct model *m, struct cell *low, struct cell *high)
{
	if (is_fresh(low) && is_fresh(high)) {
		struct symbol symbol = model_root(m, true, low->address, 64);

		give_symbol(low, symbol, false);
		give_symbol(high, symbol, true);
	} else if (low && high && !is_special(high) && high->value == 0 &&
		   low->symbol.width == 32) {
		return low->symbol;
	} else if (!low || !high || !is_pair(low, high)) {
		m->failed = true;
	}
	return low ? low->symbol : (struct symbol){ 0 };
}

static struct symbol load_symbol(struct model *m, uint64_t address, unsigned size)
{
	uint64_t first = cell_address(address), last = cell_address(address + size - 1);
	bool special = false;

	for (uint64_t at = first; at <= last && at >= first; at += CELL)
		special |= is_special(model_cell(m, at));
	if (!special)
		return (struct symbol){ 0 };
	if (address == first && size == CELL)
		return load_half(m, model_cell(m, first));
	if (address == first && size == 2 * CELL)
		return load_whole(m, model_cell(m, first), model_cell(m, last));
	m->failed = true;
	return (struct symbol){ 0 };
}

/* One byte after the other: a load may overlap cells in any way. */
static uint64_t with_cells(struct model *m, uint64_t address, unsigned size, uint64_t bits)
{
	for (uint32_t i = 0; i < m->cell_count; i++) {
		const struct cell *cell = &m->cells[i];

		for (unsigned byte = 0; byte < CELL; byte++) {
			uint64_t at = cell->address + byte - address;

			if (at < size) {
				bits &= ~(0xffull << (8 * at));
				bits |= (uint64_t)(cell->value >> (8 * byte) & 0xff) << (8 * at);
			}
		}
	}
	return bits;
}

struct value model_load(struct model *m, uint64_t address, unsigned size)
{
	struct value value = { 0 };

	if (m->failed || !spin_read(&value.bits, address, size)) {
		m->failed = true;
		return value;
	}
	value.bits = with_cells(m, address, size, value.bits);
	if (m->tracking)
		value.symbol = load_symbol(m, address, size);
	return value;
}

static void store_symbol(
	struct model *m, struct cell *cell, uint64_t address, unsigned size, struct symbol symbol)
{
	bool whole = address <= cell->address && cell->address + CELL <= address + size;
	bool aligned = address == cell_address(address) && size >= CELL;
	bool upper = cell->address != address;

	if ((symbol.root && !aligned) || (!whole && is_special(cell)))
		m->failed = true;
	if (upper && symbol.width == 32) /* its upper half is zero */
		symbol = (struct symbol){ 0 };
	give_symbol(cell, symbol, upper && symbol.root);
}

void model_store(struct model *m, uint64_t address, unsigned size, struct value value)
{
	uint64_t first = cell_address(address), last = cell_address(address + size - 1);

	for (uint64_t at = first; at <= last && !m->failed; at += CELL) {
		struct cell *cell = model_cell(m, at);

		if (!cell)
			cell = add_cell(m, at);
		if (!cell)
			return;
		if (m->tracking)
			store_symbol(m, cell, address, size, value.symbol);
		for (unsigned byte = 0; byte < CELL; byte++) {
			uint64_t from = at + byte - address;

			if (from < size) {
				cell->value &= ~(0xffu << (8 * byte));
				cell->value |= (uint32_t)(value.bits >> (8 * from) & 0xff)
					       << (8 * byte);
			}
		}
	}
}
