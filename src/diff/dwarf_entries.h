/*
 * The entries of a unit as lines: a line each, with its attributes. What it refers to is named, so
 * that lines stay the same when only places do not.
 */
#ifndef STET_DIFF_DWARF_ENTRIES_H
#define STET_DIFF_DWARF_ENTRIES_H

#include "diff/dwarf_units.h"

/* Which, as `more` of the part. */
struct dwarf_wanted {
	struct dwarf_units *units;
	const struct dwarf_unit *unit;
	bool exact; /* addresses and places are shown, too: all that a reader may look at */
};

/* False when the unit is damaged. The name, directory and producer of the unit are left out. */
elf_lines_function dwarf_lines_of_entries;

#endif
