/* Two sections of one name, compared by what kind of section they are. */
#ifndef STET_DIFF_ELF_SECTION_H
#define STET_DIFF_ELF_SECTION_H

#include "diff/elf_code.h"

/* Adds the child of `parent` for them. -1 with err. */
int elf_section_compare(struct diff *diff, struct node *parent, const struct elf_part parts[2],
	struct elf_named *named, struct error *err);
/* The same for one that only A, or only B has. */
int elf_section_lonely(struct diff *diff, struct node *parent, const struct elf_section *section,
	int side, struct error *err);

#endif
