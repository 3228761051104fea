/* Bytes of ELF files that are in no section and in no header: padding, or what was hidden there. */
#ifndef STET_DIFF_ELF_REST_H
#define STET_DIFF_ELF_REST_H

#include "diff/elf_parts.h"

/* Says that paddings differ, or compares other bytes as a child of `node`. -1 with err. */
int elf_rest_compare(
	struct diff *diff, struct node *node, const struct elf sides[2], struct error *err);

#endif
