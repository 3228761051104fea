/* The sections of debug information that one file has, and its texts. */
#ifndef STET_DIFF_DWARF_SECTIONS_H
#define STET_DIFF_DWARF_SECTIONS_H

#include "diff/dwarf_cursor.h"
#include "diff/elf_lines.h"
#include "diff/elf_unpack.h"

/* Those that others refer to. */
enum dwarf_kind { DWARF_ABBREV, DWARF_STR, DWARF_LINE_STR, DWARF_STR_OFFSETS, DWARF_ADDR };
#define DWARF_KINDS (DWARF_ADDR + 1)

struct dwarf {
	struct dwarf_section own; /* the one that is compared; its bytes are not owned */
	struct dwarf_section others[DWARF_KINDS]; /* without bytes where there is none */
	struct elf_unpacked unpacked[DWARF_KINDS];
};

/*
 * For a section that is compared. NOT_THIS when the machine's relocations are not known, and so what
 * it refers to. To be closed in any case.
 */
enum compared dwarf_open(
	struct dwarf *dwarf, const struct elf_part *part, struct budget *budget, struct error *err);
void dwarf_close(struct dwarf *dwarf, struct budget *budget);

/* One by its name without the dot, packed in the old way or not; NULL for none. */
const struct elf_section *dwarf_find_section(const struct elf *elf, const char *name);

/* Have both the same of all that others refer to? */
bool dwarf_refer_to_same(const struct dwarf *a, const struct dwarf *b);

/* A text by its place, or by its number in a table of places from `base`; NULL for none. */
const char *dwarf_text(const struct dwarf *dwarf, enum dwarf_kind kind, uint64_t at);
const char *dwarf_numbered_text(
	const struct dwarf *dwarf, uint64_t base, uint64_t number, bool wide);

#endif
