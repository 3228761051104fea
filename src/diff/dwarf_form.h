/* Values of attributes, in whatever form they are written. */
#ifndef STET_DIFF_DWARF_FORM_H
#define STET_DIFF_DWARF_FORM_H

#include <stdio.h>

#include "diff/dwarf_abbreviations.h"

/* What tells how to read forms: of a unit, or of a line table. */
struct dwarf_shape {
	unsigned version, address_size;
	bool wide; /* offsets have eight bytes */
};

enum dwarf_class {
	DWARF_NUMBER,
	DWARF_SIGNED,
	DWARF_FLAG,
	DWARF_ADDRESS,
	DWARF_ADDRESS_NUMBER, /* the number of an address in a table */
	DWARF_BLOCK,
	DWARF_TEXT,	      /* in the block, with the zero at its end */
	DWARF_TEXT_AT,	      /* in .debug_str */
	DWARF_LINE_TEXT_AT,   /* in .debug_line_str */
	DWARF_TEXT_NUMBER,    /* in .debug_str_offsets */
	DWARF_UNIT_REFERENCE, /* from the unit's start */
	DWARF_REFERENCE,      /* from the section's start */
	DWARF_PLACE,	      /* in another section, or the number of one */
	DWARF_ELSEWHERE,      /* in another file */
};

struct dwarf_value {
	enum dwarf_class class;
	uint64_t number;
	struct blob block;
};

/* Bad if the form is not known: what follows cannot be read then. */
struct dwarf_value dwarf_form_read(struct dwarf_cursor *cursor, const struct dwarf_shape *shape,
	const struct dwarf_attribute *attribute);

/* "strp"; a number where there is no name. */
void dwarf_put_form(FILE *out, uint64_t form);

#endif
