/* Functions of one section of code, by their symbols. They do not overlap. */
#ifndef STET_DIFF_ELF_FUNCTIONS_H
#define STET_DIFF_ELF_FUNCTIONS_H

#include "diff/elf_symbols.h"

struct elf_function {
	const char *name;
	uint64_t at, size; /* within the section */
};

struct elf_functions {
	struct elf_function *list; /* by their places */
	size_t count;
};

/* Sorts symbols by their sections, so that those of one are found soon. */
void elf_functions_sort(struct elf_symbols *symbols);
/* Those of `symbols`, sorted so, that are in the section; -1 without memory. To be released. */
int elf_functions_find(struct elf_functions *functions, const struct elf_symbols *symbols,
	const struct elf_part *part);
void elf_functions_release(struct elf_functions *functions);

/* The one that has this place of the section; NULL for none. */
const struct elf_function *elf_functions_at(const struct elf_functions *functions, uint64_t at);

#endif
