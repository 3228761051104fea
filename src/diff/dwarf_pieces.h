/*
 * Sections of debug information that are made of pieces with names, as units and line tables are:
 * they are matched by their names and compared by their lines, one pair at a time. What is damaged is
 * compared as bytes.
 */
#ifndef STET_DIFF_DWARF_PIECES_H
#define STET_DIFF_DWARF_PIECES_H

#include "diff/dwarf_sections.h"
#include "diff/members.h"

/* What kind of pieces. A side is the kind's own. */
struct dwarf_pieces_kind {
	/* Adds a member for each, with its number as `at`. */
	int (*list)(
		void *side, const struct diff *diff, struct members *members, struct error *err);
	struct blob (*bytes)(void *side, uint64_t piece);
	/* As elf_lines_write. Lines leave out addresses, and places in sections; exact ones leave out
	 * nothing that a reader may look at. */
	enum compared (*write)(struct diff *diff, void *side, uint64_t piece, bool exact,
		struct blob *text, struct error *err);
	/* Looks at a pair that may differ, and says at the end what was seen; may be NULL. */
	void (*look)(void *const sides[2], uint64_t a, uint64_t b);
	int (*say)(void *const sides[2], struct node *node);
	/* What is to be said of pieces with the same lines: when exact ones differ, when they do not. */
	const char *moved, *same;
};

/* `refer_to_same`: pieces with the same bytes are the same. NOT_THIS: nothing was found. */
enum compared dwarf_pieces_compare(struct diff *diff, struct node *node,
	const struct dwarf_pieces_kind *kind, void *const sides[2], bool refer_to_same,
	struct error *err);

#endif
