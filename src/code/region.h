/*
 * The instructions of one region of text, proven by following control flow: from the region's start
 * through every direct jump, branch and listed switch target, each instruction must decode, and
 * none may overlap another. Bytes that nothing leads to stay unknown, so data in text is never
 * taken for code. A region in which two readings collide is not proven, and nothing in it may be
 * touched.
 */
#ifndef STET_CODE_REGION_H
#define STET_CODE_REGION_H

#include "code/elf_file.h"
#include "code/insn.h"
#include "code/scan.h"

struct region {
	const struct elf_file *file;
	const uint8_t *bytes;
	uint64_t address;
	uint32_t length;
	uint8_t *length_at; /* of the instruction that begins there, 0: none does */
	uint8_t *marks;	    /* enum region_mark bits, per byte */
	struct insn *sites; /* instructions to rewrite, ascending */
	size_t site_count, site_room;
	uint32_t *pending; /* offsets still to be followed */
	size_t pending_count, pending_room;
	struct region_table *tables;
	size_t table_count, table_room;
	bool indirect; /* a jump through a register or memory was met */
};

enum region_mark {
	MARK_INSIDE = 1, /* byte of an instruction, not its first */
	MARK_TARGET = 2, /* something may jump here */
};

/*
 * Traces the region from `address` to `end`. `outside` are possible targets of jumps from
 * elsewhere. 1: proven; 0: not proven; -1: out of memory. Free it in any case.
 */
int region_trace(struct region *region, const struct elf_file *file, uint64_t address, uint64_t end,
	const struct addresses *outside);
void region_free(struct region *region);

/* The instruction at an offset; false when none was proven there. */
bool region_insn(const struct region *region, uint32_t offset, struct insn *insn);

/* The instruction that ends at an offset; false when none, or more than one, does. */
bool region_insn_before(const struct region *region, uint32_t offset, struct insn *insn);

#endif
