/* Sections of machine code, by their functions: which differ, and how the first of them does. */
#ifndef STET_DIFF_ELF_CODE_H
#define STET_DIFF_ELF_CODE_H

#include "diff/elf_symbols.h"

/* Tables that name functions in both files, read when they are wanted first. Zeroed at first. */
struct elf_named {
	struct elf_symbols sides[2];
	bool tried;
};
void elf_named_release(struct elf_named *named);

/* NOT_THIS when no functions are known, or the bytes that differ are in none of them. */
enum compared elf_code_compare(struct diff *diff, struct node *node, const struct elf_part parts[2],
	struct elf_named *named, struct error *err);

#endif
