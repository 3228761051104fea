#include "diff/dwarf_entries.h"

#include <string.h>

#include "diff/dwarf_names.h"
#include "diff/printable.h"

#define INDENT_MOST 40
#define CHAIN_MOST  6	/* entries from a reference to a name: pointer to constant pointer to ... */
#define NAME_MOST   200 /* characters of what is referred to */

typedef unsigned long long number;

/* The work on one unit. */
struct entries {
	struct dwarf_units *units;
	const struct dwarf_unit *unit;
	const struct dwarf_abbreviations *table;
	struct dwarf_cursor cursor;
	uint64_t depth;
	bool exact;
	FILE *out;
};

/* What is said of an entry that another one refers to. */
struct named {
	uint64_t tag;
	const char *name; /* or NULL */
	uint64_t next;	  /* the entry whose name stands for it; 0 for none, as no entry is there */
};

static uint64_t target_of(const struct dwarf_unit *unit, const struct dwarf_value *value)
{
	if (value->class == DWARF_REFERENCE)
		return value->number;
	return value->class == DWARF_UNIT_REFERENCE ? unit->start + value->number : 0;
}

static void read_attribute(const struct entries *entries, const struct dwarf_unit *unit,
	uint64_t name, const struct dwarf_value *value, struct named *named)
{
	if (name == DW_AT_name)
		named->name = dwarf_value_text(entries->units->dwarf, unit, value);
	else if (name == DW_AT_type || name == DW_AT_specification || name == DW_AT_abstract_origin)
		named->next = target_of(unit, value);
}

static bool read_named(const struct entries *entries, uint64_t at, struct named *named)
{
	struct dwarf_tables *tables = &entries->units->tables;
	const struct dwarf_unit *unit = dwarf_units_at(entries->units, at);
	const struct dwarf_abbreviations *table =
		unit ? dwarf_tables_find(tables, unit->abbreviations, entries->table) : NULL;
	struct dwarf_cursor cursor;
	const struct dwarf_abbreviation *entry;

	*named = (struct named){ 0 };
	if (!table)
		return false;
	cursor = dwarf_cursor(&entries->units->dwarf->own, at, unit->end);
	entry = dwarf_abbreviation_find(table, dwarf_take_unsigned(&cursor));
	if (!entry || entry->count > tables->left)
		return false;
	tables->left -= entry->count;
	named->tag = entry->tag;
	for (size_t i = 0; i < entry->count && !cursor.bad; i++) {
		const struct dwarf_attribute *attribute = &table->attributes[entry->first + i];
		struct dwarf_value value = dwarf_form_read(&cursor, &unit->shape, attribute);

		read_attribute(entries, unit, attribute->name, &value, named);
	}
	return !cursor.bad;
}

/* Kinds of types on the way to a name are told: "pointer_type of const_type of char". */
static void put_reference(const struct entries *entries, const struct dwarf_value *value)
{
	uint64_t at = target_of(entries->unit, value);
	struct named named;

	for (int i = 0; i < CHAIN_MOST && at; i++) {
		if (!read_named(entries, at, &named)) {
			fputs("an entry", entries->out);
			break;
		}
		if (named.name) {
			printable_put(entries->out, named.name, strnlen(named.name, NAME_MOST));
			break;
		}
		dwarf_put_tag(entries->out, named.tag);
		if (named.next)
			fputs(" of ", entries->out);
		at = named.next;
	}
	if (entries->exact)
		fprintf(entries->out, " at 0x%llx", (number)value->number);
}

static void put_text(const struct entries *entries, const struct dwarf_value *value)
{
	const char *text = dwarf_value_text(entries->units->dwarf, entries->unit, value);
	size_t size = text ? strlen(text) : 0;

	if (!text || size > entries->units->text_left) {
		fprintf(entries->out, "text at 0x%llx", (number)value->number);
		return;
	}
	entries->units->text_left -= size;
	printable_put(entries->out, text, size);
}

static void put_block(const struct entries *entries, const struct blob *block)
{
	static const char digits[] = "0123456789abcdef";

	for (uint64_t i = 0; i < block->size && !ferror(entries->out); i++) {
		putc(digits[block->data[i] >> 4], entries->out);
		putc(digits[block->data[i] & 0xf], entries->out);
	}
}

static void put_numbered_address(const struct entries *entries, uint64_t index)
{
	const struct dwarf_section *section = &entries->units->dwarf->others[DWARF_ADDR];
	unsigned bytes = entries->unit->shape.address_size;
	uint64_t base = entries->unit->addresses, size = section->bytes.size;
	struct dwarf_cursor cursor;
	uint64_t address;

	cursor = dwarf_cursor(section,
		base <= size && index <= (size - base) / bytes ? base + index * bytes : size, size);
	address = dwarf_take(&cursor, bytes);
	if (cursor.bad)
		fprintf(entries->out, "address %llu", (number)index);
	else
		fprintf(entries->out, "0x%llx", (number)address);
}

static void put_value(const struct entries *entries, const struct dwarf_value *value)
{
	switch (value->class) {
	case DWARF_NUMBER:
		fprintf(entries->out, "%llu", (number)value->number);
		break;
	case DWARF_SIGNED:
		fprintf(entries->out, "%lld", (long long)value->number);
		break;
	case DWARF_FLAG:
		fputs(value->number ? "yes" : "no", entries->out);
		break;
	case DWARF_ADDRESS_NUMBER:
		put_numbered_address(entries, value->number);
		break;
	case DWARF_BLOCK:
		put_block(entries, &value->block);
		break;
	case DWARF_UNIT_REFERENCE:
	case DWARF_REFERENCE:
		put_reference(entries, value);
		break;
	case DWARF_ADDRESS:
	case DWARF_PLACE:
	case DWARF_ELSEWHERE:
		fprintf(entries->out, "0x%llx", (number)value->number);
		break;
	default:
		put_text(entries, value);
	}
}

static bool is_address(const struct dwarf_value *value)
{
	return value->class == DWARF_ADDRESS || value->class == DWARF_ADDRESS_NUMBER ||
	       (value->class == DWARF_BLOCK && value->block.size &&
		       (value->block.data[0] == DW_OP_addr || value->block.data[0] == DW_OP_addrx));
}

/* What the unit as a whole is compared by, and what only says where something is. */
static bool is_left_out(
	const struct entries *entries, uint64_t name, const struct dwarf_value *value)
{
	if (!entries->depth &&
		(name == DW_AT_name || name == DW_AT_comp_dir || name == DW_AT_producer))
		return true;
	return !entries->exact &&
	       (value->class == DWARF_PLACE || name == DW_AT_sibling || is_address(value));
}

static void put_depth(const struct entries *entries)
{
	if (entries->depth <= INDENT_MOST)
		fprintf(entries->out, "%*s", (int)entries->depth, "");
	else
		fprintf(entries->out, "%*s%llu ", INDENT_MOST, "", (number)entries->depth);
}

static void put_entry(struct entries *entries, const struct dwarf_abbreviation *entry)
{
	const char *between = ": ";

	put_depth(entries);
	dwarf_put_tag(entries->out, entry->tag);
	for (size_t i = 0; i < entry->count && !entries->cursor.bad; i++) {
		const struct dwarf_attribute *attribute =
			&entries->table->attributes[entry->first + i];
		struct dwarf_value value =
			dwarf_form_read(&entries->cursor, &entries->unit->shape, attribute);

		if (entries->cursor.bad || is_left_out(entries, attribute->name, &value))
			continue;
		fputs(between, entries->out);
		dwarf_put_attribute(entries->out, attribute->name);
		putc(' ', entries->out);
		put_value(entries, &value);
		between = ", ";
	}
	putc('\n', entries->out);
}

static bool put_next(struct entries *entries)
{
	uint64_t code = dwarf_take_unsigned(&entries->cursor), *left = &entries->units->tables.left;
	const struct dwarf_abbreviation *entry;

	if (!code) {
		if (!entries->depth)
			fputs("no entry\n", entries->out);
		entries->depth -= entries->depth > 0;
		return !entries->cursor.bad;
	}
	entry = dwarf_abbreviation_find(entries->table, code);
	if (!entry || entry->count > *left)
		return false;
	*left -= entry->count;
	put_entry(entries, entry);
	entries->depth += entry->has_children;
	return !entries->cursor.bad;
}

static void put_header(const struct entries *entries)
{
	const struct dwarf_unit *unit = entries->unit;

	fprintf(entries->out, "DWARF %u, addresses of %u bytes, offsets of %u", unit->shape.version,
		unit->shape.address_size, unit->shape.wide ? 8u : 4u);
	if (unit->type)
		fprintf(entries->out, ", unit of type %u", unit->type);
	if (unit->has_id)
		fprintf(entries->out, ", id 0x%llx", (number)unit->id);
	if (entries->exact && unit->type_at)
		fprintf(entries->out, ", type at 0x%llx", (number)unit->type_at);
	putc('\n', entries->out);
}

bool dwarf_lines_of_entries(const struct elf_part *part, FILE *out)
{
	const struct dwarf_wanted *wanted = part->more;
	const struct dwarf_unit *unit = wanted->unit;
	struct entries entries = { .units = wanted->units,
		.unit = unit,
		.cursor = dwarf_cursor(&wanted->units->dwarf->own, unit->first, unit->end),
		.exact = wanted->exact,
		.out = out };

	entries.table = dwarf_tables_find(&wanted->units->tables, unit->abbreviations, NULL);
	if (!entries.table)
		return false;
	put_header(&entries);
	while (entries.cursor.at < entries.cursor.end && !ferror(out))
		if (!put_next(&entries))
			return false;
	return true;
}
