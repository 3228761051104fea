/*
 * Fast looks at raw text bytes, before any decoding. They over-approximate: what they find may be
 * no instruction at all, so they only choose where to decode, and which addresses to be wary of.
 */
#ifndef STET_CODE_SCAN_H
#define STET_CODE_SCAN_H

#include "code/elf_file.h"

struct addresses {
	uint64_t *items; /* ascending */
	size_t count, room;
};

/* Where one of the opcodes that get rewritten may stand. -1 when memory runs out. */
int scan_candidates(struct addresses *found, const struct elf_file *file);

/* Where calls and jumps with 32-bit distances may lead, near the given places only. */
int scan_targets(
	struct addresses *found, const struct elf_file *file, const struct addresses *near);

void addresses_free(struct addresses *addresses);

#endif
