/*
 * Tables of abbreviations: which attributes the entries of a unit have, in which forms. Those used
 * last are kept, as many units may share one.
 */
#ifndef STET_DIFF_DWARF_ABBREVIATIONS_H
#define STET_DIFF_DWARF_ABBREVIATIONS_H

#include "diff/dwarf_cursor.h"

struct dwarf_attribute {
	uint64_t name, form;
	int64_t constant; /* of DW_FORM_implicit_const */
};

struct dwarf_abbreviation {
	uint64_t code, tag;
	size_t first, count; /* of its attributes */
	bool has_children;
};

struct dwarf_abbreviations {
	uint64_t at; /* its place in the section */
	bool read;
	struct dwarf_abbreviation *list; /* by their codes */
	size_t count, room;
	struct dwarf_attribute *attributes;
	size_t attribute_count, attribute_room;
};

#define DWARF_TABLES 64

/* Zeroed at first, but for the section and `left`. */
struct dwarf_tables {
	const struct dwarf_section *section;
	struct dwarf_abbreviations slots[DWARF_TABLES];
	uint64_t left; /* attributes that may still be read, here or by those */
};

/* NULL when it is damaged, or too much work. Good until the next call, or longer if it is `kept`,
 * which may be NULL: what would take its place is not read. */
const struct dwarf_abbreviations *dwarf_tables_find(
	struct dwarf_tables *tables, uint64_t at, const struct dwarf_abbreviations *kept);
void dwarf_tables_release(struct dwarf_tables *tables);

const struct dwarf_abbreviation *dwarf_abbreviation_find(
	const struct dwarf_abbreviations *table, uint64_t code);

/* Reads one from a cursor: 1; 0: the end of the table; -1: damage, or no memory. */
int dwarf_abbreviation_read(struct dwarf_abbreviations *table, struct dwarf_cursor *cursor);

#endif
