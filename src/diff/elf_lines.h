/* Parts of ELF files as lines of text, so that they can be read and compared as such. */
#ifndef STET_DIFF_ELF_LINES_H
#define STET_DIFF_ELF_LINES_H

#include <stdio.h>

#include "diff/elf_parts.h"

struct elf_functions;

/* One side of a part. */
struct elf_part {
	const struct elf *elf;
	const struct elf_section *section;     /* or NULL */
	struct blob bytes;		       /* of the section, unpacked; or of a function */
	const struct elf_functions *functions; /* of code: those of the section */
	uint64_t address;		       /* of a function */
	void *more; /* what the function that writes lines needs besides */
};

/* Writes the lines; false when the part is not what it should be. */
typedef bool elf_lines_function(const struct elf_part *part, FILE *out);

elf_lines_function elf_lines_of_segments;
elf_lines_function elf_lines_of_dynamic;
elf_lines_function elf_lines_of_relocations;
elf_lines_function elf_lines_of_group;
/* Texts that end with a zero byte, or that are among other bytes. */
elf_lines_function elf_lines_of_strings;
/* The same, sorted: linkers merge such by their hashes, which follow from all of them. */
elf_lines_function elf_lines_of_merged_strings;
elf_lines_function elf_lines_of_texts;

/* The lines of one, to be closed by blob_unpacked_close; NOT_THIS when there are none. */
enum compared elf_lines_write(struct diff *diff, elf_lines_function *lines,
	const struct elf_part *part, struct blob *text, struct error *err);

/*
 * Compares both parts by their lines. When these are equal and the bytes are not, `same` says what is
 * the same, and so is the content; NULL: NOT_THIS, as when one has no lines, and nothing was said.
 */
enum compared elf_lines_compare(struct diff *diff, struct node *node,
	const struct elf_part parts[2], elf_lines_function *lines, const char *same,
	struct error *err);

#endif
