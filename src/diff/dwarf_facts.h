/* What is said of units as a whole, where it differs: once for all units, as it is mostly the same
 * for all of them. */
#ifndef STET_DIFF_DWARF_FACTS_H
#define STET_DIFF_DWARF_FACTS_H

#include "diff/dwarf_units.h"

enum dwarf_fact { DWARF_NAME, DWARF_DIRECTORY, DWARF_PRODUCER };
#define DWARF_FACTS (DWARF_PRODUCER + 1)

/* Zeroed at first. Texts are those of the units. */
struct dwarf_facts {
	struct {
		size_t count;
		const char *unit, *a, *b; /* of the first */
	} list[DWARF_FACTS];
};

/* Of two units that stand for each other. `strings`: only texts that are in there; NULL: all. */
void dwarf_facts_add(struct dwarf_facts *facts, const struct dwarf_unit *a,
	const struct dwarf_unit *b, const struct blob *strings);
/* -1 without memory. */
int dwarf_facts_say(const struct dwarf_facts *facts, struct node *node);

#endif
