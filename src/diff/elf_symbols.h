/* Symbol tables of ELF files, compared by names: who is only in one, changed, or only moved. */
#ifndef STET_DIFF_ELF_SYMBOLS_H
#define STET_DIFF_ELF_SYMBOLS_H

#include "diff/elf_lines.h"

struct elf_symbol {
	const char *name;    /* of a section's symbol: the section's */
	const char *section; /* where it is */
	uint64_t value, size;
	uint32_t section_index; /* SHN_UNDEF, SHN_ABS ... too */
	unsigned char type, binding, other;
	uint32_t order; /* its place in the table */
};

struct elf_symbols {
	struct elf_symbol *list; /* sorted by name, section and type; those of one name by value */
	size_t count;
};

/* NOT_THIS when it is damaged, COMPARE_FAILED without memory. To be released after COMPARED. */
enum compared elf_symbols_read(
	struct elf_symbols *symbols, const struct elf_part *part, struct error *err);
void elf_symbols_release(struct elf_symbols *symbols);

/* Compares two tables. NOT_THIS when one is damaged. */
enum compared elf_symbols_compare(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err);

#endif
