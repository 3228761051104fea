/* The units of debug information, usually one for each source file: their headers, and what the first
 * entry of each says of the whole. */
#ifndef STET_DIFF_DWARF_UNITS_H
#define STET_DIFF_DWARF_UNITS_H

#include "diff/dwarf_form.h"
#include "diff/dwarf_sections.h"

struct dwarf_unit {
	struct dwarf_shape shape;
	uint64_t start, first, end; /* of all; of the entries */
	uint64_t abbreviations;	    /* their place */
	uint64_t texts, addresses;  /* where its tables of those begin */
	uint64_t id;		    /* of a type, or of a split unit */
	uint64_t type_at;	    /* which entry the type is; 0 for none */
	unsigned type;		    /* DW_UT_... */
	bool has_id;
	const char *name, *directory, *producer; /* NULL for none */
};

struct dwarf_units {
	const struct dwarf *dwarf;
	struct dwarf_tables tables;
	struct dwarf_unit *list; /* by places */
	size_t count, room;
	uint64_t text_left; /* bytes of texts that may be shown: one may be referred to often */
};

/* NOT_THIS when a header is damaged or of another version. `types`: of .debug_types. To be released
 * in any case. */
enum compared dwarf_units_read(
	struct dwarf_units *units, const struct dwarf *dwarf, bool types, struct error *err);
void dwarf_units_release(struct dwarf_units *units);

/* The unit that has an entry there; NULL for none. */
const struct dwarf_unit *dwarf_units_at(const struct dwarf_units *units, uint64_t at);

/* The text of a value; NULL for none. */
const char *dwarf_value_text(
	const struct dwarf *dwarf, const struct dwarf_unit *unit, const struct dwarf_value *value);

#endif
