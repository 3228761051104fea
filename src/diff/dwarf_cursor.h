/*
 * Reads debug information from a stranger, piece by piece. Nothing beyond the end is read: what is
 * missing there is 0, and `bad` says so. In object files numbers that are still to be relocated have
 * the value that they would have if all sections began at 0.
 */
#ifndef STET_DIFF_DWARF_CURSOR_H
#define STET_DIFF_DWARF_CURSOR_H

#include "diff/elf_parts.h"

struct dwarf_relocation {
	uint64_t at, value;
};

/* The bytes of a section, unpacked. */
struct dwarf_section {
	const struct elf *elf;
	struct blob bytes;
	struct dwarf_relocation *relocations; /* by places; NULL for none */
	size_t relocation_count;
};

struct dwarf_cursor {
	const struct dwarf_section *section;
	uint64_t at, end;
	bool bad;
};

struct dwarf_cursor dwarf_cursor(const struct dwarf_section *section, uint64_t at, uint64_t end);

/* A number of so many bytes, at most eight. */
uint64_t dwarf_take(struct dwarf_cursor *cursor, unsigned bytes);
/* Numbers of as many bytes as they need (LEB128). */
uint64_t dwarf_take_unsigned(struct dwarf_cursor *cursor);
int64_t dwarf_take_signed(struct dwarf_cursor *cursor);
/* The length of what follows, and whether offsets in it have eight bytes. */
uint64_t dwarf_take_length(struct dwarf_cursor *cursor, bool *wide);
struct blob dwarf_take_block(struct dwarf_cursor *cursor, uint64_t bytes);
/* A text that ends within; "" when it does not. */
const char *dwarf_take_text(struct dwarf_cursor *cursor);

#endif
