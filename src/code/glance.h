/*
 * Quick looks at single addresses. Decoding falls into step with code after a few instructions,
 * wherever it begins; so what none of several runs that begin shortly before an address sees there
 * is not there. Good for sparing a proof (region.h) that would fail, and for what to be wary of.
 */
#ifndef STET_CODE_GLANCE_H
#define STET_CODE_GLANCE_H

#include "code/elf_file.h"

#define GLANCE_DISTANCE 64 /* how far before the address looks begin: some 15 instructions */

/* May one of the instructions to rewrite have its opcode, behind any prefixes, at `address`? */
bool glance_at_site(const struct elf_file *file, uint64_t address);

/* May an instruction begin at `address`? Both must lie in the text segment. */
bool glance_at_boundary(const struct elf_file *file, uint64_t address);

#endif
