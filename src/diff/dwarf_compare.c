#include "diff/dwarf_compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/dwarf_entries.h"
#include "diff/dwarf_facts.h"
#include "diff/dwarf_line_table.h"
#include "diff/dwarf_names.h"
#include "diff/dwarf_pieces.h"
#include "diff/printable.h"

/* One of the two sections that are compared. */
struct side {
	const struct elf_part *part;
	struct dwarf dwarf;
	struct dwarf_units units; /* one or the other */
	struct dwarf_line_tables tables;
	struct dwarf_facts facts; /* of both, at the first */
};

/* A name for a file below the place where it was compiled, without that place. */
static const char *name_below(const char *name, const char *directory)
{
	const char *rest = name;

	if (!directory || *name != '/')
		return name;
	for (size_t i = 0; name[i] && name[i] == directory[i]; i++)
		if (name[i] == '/' && i)
			rest = name + i + 1;
	if (strncmp(name, directory, strlen(directory)) == 0 && name[strlen(directory)] == '/')
		rest = name + strlen(directory) + 1;
	return *rest ? rest : name;
}

/* To be freed. */
static char *unit_name(const struct dwarf_unit *unit)
{
	cleanup_free char *named = NULL;
	size_t size;
	FILE *out = open_memstream(&named, &size);

	if (!out)
		return NULL;
	if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
		fprintf(out, "type 0x%016llx", (unsigned long long)unit->id);
	else if (unit->name && *unit->name)
		fputs(name_below(unit->name, unit->directory), out);
	else
		fputs(unit->type == DW_UT_partial ? "partial unit" : "unit", out);
	return fclose(out) ? NULL : strdup(named);
}

static int add_piece(struct members *members, const struct diff *diff, const char *name,
	uint64_t piece, struct error *err)
{
	struct member *member;

	if (!name)
		return error_set(err, ENOMEM, "cannot list debug info");
	member = members_add(members, diff, name, err);
	if (!member)
		return -1;
	member->at = piece;
	member->has_bytes = true;
	return 0;
}

static int list_units(
	void *context, const struct diff *diff, struct members *members, struct error *err)
{
	const struct side *side = context;

	for (size_t i = 0; i < side->units.count; i++) {
		cleanup_free char *name = unit_name(&side->units.list[i]);

		if (add_piece(members, diff, name, i, err))
			return -1;
	}
	return 0;
}

static struct blob unit_bytes(void *context, uint64_t piece)
{
	const struct side *side = context;
	const struct dwarf_unit *unit = &side->units.list[piece];

	return blob_part(&side->part->bytes, unit->start, unit->end - unit->start, NULL);
}

static enum compared write_unit(struct diff *diff, void *context, uint64_t piece, bool exact,
	struct blob *text, struct error *err)
{
	struct side *side = context;
	struct dwarf_wanted wanted = { &side->units, &side->units.list[piece], exact };
	struct elf_part part = *side->part;

	part.more = &wanted;
	return elf_lines_write(diff, dwarf_lines_of_entries, &part, text, err);
}

static void look_at_units(void *const contexts[2], uint64_t a, uint64_t b)
{
	struct side *side = contexts[0];
	const struct side *other = contexts[1];

	dwarf_facts_add(&side->facts, &side->units.list[a], &other->units.list[b], NULL);
}

static int say_of_units(void *const contexts[2], struct node *node)
{
	const struct side *side = contexts[0];

	return dwarf_facts_say(&side->facts, node);
}

static const struct dwarf_pieces_kind units_kind = {
	.list = list_units,
	.bytes = unit_bytes,
	.write = write_unit,
	.look = look_at_units,
	.say = say_of_units,
	.moved = "units that differ only in addresses, or in places of other entries",
	.same = "units of the same entries, by other places of texts or numbers of abbreviations",
};

static int list_tables(
	void *context, const struct diff *diff, struct members *members, struct error *err)
{
	const struct side *side = context;

	for (size_t i = 0; i < side->tables.count; i++) {
		const char *name = side->tables.list[i].name;

		if (add_piece(members, diff, name && *name ? name : "table", i, err))
			return -1;
	}
	return 0;
}

static struct blob table_bytes(void *context, uint64_t piece)
{
	const struct side *side = context;
	const struct dwarf_line_table *table = &side->tables.list[piece];

	return blob_part(&side->part->bytes, table->start, table->end - table->start, NULL);
}

static enum compared write_table(struct diff *diff, void *context, uint64_t piece, bool exact,
	struct blob *text, struct error *err)
{
	struct side *side = context;
	struct dwarf_table_wanted wanted = { &side->tables, &side->tables.list[piece], exact };
	struct elf_part part = *side->part;

	part.more = &wanted;
	return elf_lines_write(diff, dwarf_lines_of_table, &part, text, err);
}

static const struct dwarf_pieces_kind tables_kind = {
	.list = list_tables,
	.bytes = table_bytes,
	.write = write_table,
	.moved = "tables that differ only in addresses",
	.same = "tables of the same rows, written otherwise",
};

/* What a section is read as. */
enum content { UNITS, TYPES, TABLES, NOTHING };

static enum compared open_side(struct side *side, const struct elf_part *part, enum content content,
	struct budget *budget, struct error *err)
{
	enum compared opened = dwarf_open(&side->dwarf, part, budget, err);

	side->part = part;
	if (opened == COMPARED && content == TABLES)
		opened = dwarf_line_tables_read(&side->tables, &side->dwarf, err);
	else if (opened == COMPARED && content != NOTHING)
		opened = dwarf_units_read(&side->units, &side->dwarf, content == TYPES, err);
	return opened;
}

static void close_sides(struct side sides[2], struct budget *budget)
{
	for (int i = 0; i < 2; i++) {
		dwarf_units_release(&sides[i].units);
		dwarf_line_tables_release(&sides[i].tables);
		dwarf_close(&sides[i].dwarf, budget);
	}
}

static enum compared open_sides(struct side sides[2], const struct elf_part parts[2],
	enum content content, struct budget *budget, struct error *err)
{
	enum compared opened = open_side(&sides[0], &parts[0], content, budget, err);

	return opened == COMPARED ? open_side(&sides[1], &parts[1], content, budget, err) : opened;
}

static enum compared compare_pieces(struct diff *diff, struct node *node,
	const struct elf_part parts[2], enum content content, struct error *err)
{
	struct side sides[2] = { 0 };
	void *const contexts[2] = { &sides[0], &sides[1] };
	enum compared compared = open_sides(sides, parts, content, &diff->budget, err);

	if (compared == COMPARED)
		compared = dwarf_pieces_compare(diff, node,
			content == TABLES ? &tables_kind : &units_kind, contexts,
			dwarf_refer_to_same(&sides[0].dwarf, &sides[1].dwarf), err);
	close_sides(sides, &diff->budget);
	return compared;
}

enum compared dwarf_compare_info(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err)
{
	return compare_pieces(diff, node, parts, UNITS, err);
}

enum compared dwarf_compare_types(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err)
{
	return compare_pieces(diff, node, parts, TYPES, err);
}

enum compared dwarf_compare_lines(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err)
{
	return compare_pieces(diff, node, parts, TABLES, err);
}

/* Sections of units, unpacked, which two sections of texts belong to. */
struct owners {
	struct elf_part parts[2];
	struct elf_unpacked unpacked[2];
};

static int find_owners(struct owners *owners, const struct elf_part parts[2], struct budget *budget,
	struct error *err)
{
	for (int i = 0; i < 2; i++) {
		const struct elf *elf = parts[i].elf;
		const struct elf_section *section = dwarf_find_section(elf, "debug_info");

		if (!section)
			return 0;
		if (elf_unpack(&owners->unpacked[i], elf, section, budget, err))
			return -1;
		owners->parts[i] = (struct elf_part){
			.elf = elf, .section = section, .bytes = owners->unpacked[i].blob
		};
	}
	return 0;
}

static const struct blob *strings_of(const struct dwarf *dwarf, const struct elf_section *section)
{
	bool of_lines = strstr(section->name, "line") != NULL;

	return &dwarf->others[of_lines ? DWARF_LINE_STR : DWARF_STR].bytes;
}

static enum compared say_owners(struct diff *diff, struct node *node, const struct owners *owners,
	const struct elf_section *strings, struct error *err)
{
	struct side sides[2] = { 0 };
	enum compared opened = open_sides(sides, owners->parts, UNITS, &diff->budget, err);
	struct dwarf_facts facts = { 0 };

	for (size_t i = 0; opened == COMPARED && i < sides[0].units.count; i++)
		dwarf_facts_add(&facts, &sides[0].units.list[i], &sides[1].units.list[i],
			strings_of(&sides[0].dwarf, strings));
	if (opened == COMPARED && dwarf_facts_say(&facts, node)) {
		error_set(err, ENOMEM, "cannot compare %s", node->name);
		opened = COMPARE_FAILED;
	}
	close_sides(sides, &diff->budget);
	return opened;
}

enum compared dwarf_say_of_texts(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err)
{
	struct owners owners = { 0 };
	enum compared said = NOT_THIS;

	if (find_owners(&owners, parts, &diff->budget, err))
		said = COMPARE_FAILED;
	else if (owners.parts[1].section &&
		 blob_equal(&owners.parts[0].bytes, &owners.parts[1].bytes))
		said = say_owners(diff, node, &owners, parts[0].section, err);
	elf_unpack_close(&owners.unpacked[0], &diff->budget);
	elf_unpack_close(&owners.unpacked[1], &diff->budget);
	return said;
}

static void put_abbreviation(const struct dwarf_abbreviations *table, FILE *out)
{
	const struct dwarf_abbreviation *entry = &table->list[table->count - 1];

	fprintf(out, "%llu: ", (unsigned long long)entry->code);
	dwarf_put_tag(out, entry->tag);
	fputs(entry->has_children ? ", with children" : "", out);
	for (size_t i = 0; i < entry->count; i++) {
		const struct dwarf_attribute *attribute = &table->attributes[entry->first + i];

		fputs(", ", out);
		dwarf_put_attribute(out, attribute->name);
		fputs(" as ", out);
		dwarf_put_form(out, attribute->form);
		if (attribute->form == DW_FORM_implicit_const)
			fprintf(out, " %lld", (long long)attribute->constant);
	}
	putc('\n', out);
}

static bool put_abbreviations(const struct elf_part *part, FILE *out)
{
	const struct dwarf_section section = { .elf = part->elf, .bytes = part->bytes };
	struct dwarf_cursor cursor = dwarf_cursor(&section, 0, part->bytes.size);
	struct dwarf_abbreviations table = { 0 };
	int read = 0;

	while (cursor.at < cursor.end && read >= 0 && !ferror(out)) {
		read = dwarf_abbreviation_read(&table, &cursor);
		if (read > 0)
			put_abbreviation(&table, out);
		else if (read == 0)
			fputs("end of the table\n", out);
		table.count = table.attribute_count = 0;
	}
	free(table.list);
	free(table.attributes);
	return read >= 0;
}

enum compared dwarf_compare_abbreviations(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err)
{
	return elf_lines_compare(
		diff, node, parts, put_abbreviations, "the same abbreviations", err);
}

#define TEXTS_MOST  64 /* bytes of texts for each byte of their places, and for any */
#define TEXTS_FIRST 65536

/* Tables of a header and places each. */
static bool put_text_offsets(const struct elf_part *part, FILE *out)
{
	const struct side *side = part->more;
	struct dwarf_cursor cursor = dwarf_cursor(&side->dwarf.own, 0, part->bytes.size);
	uint64_t left = TEXTS_FIRST + TEXTS_MOST * part->bytes.size;

	while (cursor.at < cursor.end && !ferror(out)) {
		bool wide;
		uint64_t end = dwarf_take_length(&cursor, &wide);

		end += cursor.at;
		fprintf(out, "table of version %llu\n", (unsigned long long)dwarf_take(&cursor, 2));
		dwarf_take(&cursor, 2); /* padding */
		while (cursor.at < end && !cursor.bad) {
			uint64_t at = dwarf_take(&cursor, wide ? 8 : 4);
			const char *text = dwarf_text(&side->dwarf, DWARF_STR, at);
			size_t size = text ? strlen(text) : 0;

			if (!text || size > left || cursor.at > end)
				return false;
			left -= size;
			printable_put(out, text, size);
			putc('\n', out);
		}
		if (cursor.bad)
			return false;
	}
	return true;
}

enum compared dwarf_compare_text_offsets(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err)
{
	struct side sides[2] = { 0 };
	struct elf_part own[2] = { parts[0], parts[1] };
	enum compared compared = open_sides(sides, parts, NOTHING, &diff->budget, err);

	own[0].more = &sides[0];
	own[1].more = &sides[1];
	if (compared == COMPARED)
		compared = elf_lines_compare(
			diff, node, own, put_text_offsets, "the same texts, at other places", err);
	close_sides(sides, &diff->budget);
	return compared;
}
