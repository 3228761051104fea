/* Sections of debug information (DWARF 2 to 5), compared by what is in them. */
#ifndef STET_DIFF_DWARF_COMPARE_H
#define STET_DIFF_DWARF_COMPARE_H

#include "diff/elf_lines.h"

/* NOT_THIS when one of both is damaged, of another version, or nothing was found. */
typedef enum compared dwarf_compare_function(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err);

dwarf_compare_function dwarf_compare_info;	    /* .debug_info: units by their names */
dwarf_compare_function dwarf_compare_types;	    /* .debug_types: types by their signatures */
dwarf_compare_function dwarf_compare_lines;	    /* .debug_line: tables by their first files */
dwarf_compare_function dwarf_compare_abbreviations; /* .debug_abbrev */
dwarf_compare_function dwarf_compare_text_offsets;  /* .debug_str_offsets */

/*
 * Of texts that differ where units do not (texts of one length leave these as they are): which are
 * names, directories and producers of units. NOT_THIS: there is nothing to say.
 */
dwarf_compare_function dwarf_say_of_texts;

#endif
