/* Notes of ELF files: build ids, which follow from other differences, and others. */
#ifndef STET_DIFF_ELF_NOTES_H
#define STET_DIFF_ELF_NOTES_H

#include "diff/elf_lines.h"

/* NOT_THIS when they are damaged, or differ in nothing that was read. */
enum compared elf_notes_compare(
	struct diff *diff, struct node *node, const struct elf_part parts[2], struct error *err);

#endif
