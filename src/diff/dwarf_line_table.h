/* Line tables: which addresses come from which lines of which files. Their directories and files, and
 * their rows, as lines of text. */
#ifndef STET_DIFF_DWARF_LINE_TABLE_H
#define STET_DIFF_DWARF_LINE_TABLE_H

#include "diff/dwarf_form.h"
#include "diff/dwarf_sections.h"

struct dwarf_line_table {
	struct dwarf_shape shape;
	uint64_t start, names, program, end; /* places */
	unsigned unit, most_operations;	     /* of instructions */
	bool statements;		     /* rows are such at first */
	int line_base;
	unsigned line_range, first_special;
	const unsigned char *operands; /* how many each standard opcode has, from the first */
	const char *name;	       /* of its first file; NULL for none */
};

struct dwarf_line_tables {
	const struct dwarf *dwarf;
	struct dwarf_line_table *list;
	size_t count, room;
	uint64_t text_left; /* bytes of names that may be shown: one may be referred to often */
};

/* NOT_THIS when a header is damaged or of another version. To be released in any case. */
enum compared dwarf_line_tables_read(
	struct dwarf_line_tables *tables, const struct dwarf *dwarf, struct error *err);
void dwarf_line_tables_release(struct dwarf_line_tables *tables);

/* Which table, as `more` of the part. */
struct dwarf_table_wanted {
	struct dwarf_line_tables *tables;
	const struct dwarf_line_table *table;
	bool exact; /* addresses are shown, too, not only how far rows are from the first */
};
/* False when it is damaged. */
elf_lines_function dwarf_lines_of_table;

/*
 * The directories and files, as lines if `out` is not NULL; the name of the first file otherwise.
 * False when they are damaged.
 */
bool dwarf_line_names(struct dwarf_line_tables *tables, const struct dwarf_line_table *table,
	FILE *out, const char **first);
/* The rows. */
bool dwarf_line_rows(const struct dwarf_line_tables *tables, const struct dwarf_line_table *table,
	bool exact, FILE *out);

#endif
