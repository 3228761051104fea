/* The memory of a model (spin_run.h): the program's, with what the model wrote over it. */
#ifndef STET_GUEST_SPIN_MEMORY_H
#define STET_GUEST_SPIN_MEMORY_H

#include "guest/spin_run.h"

struct value {
	uint64_t bits;
	struct symbol symbol;
};

/* What lies there is the same in each period, apart from a sum: from now on it is a symbol. */
struct symbol model_root(struct model *model, bool in_memory, uint64_t place, uint32_t width);

struct value model_load(struct model *model, uint64_t address, unsigned size);
void model_store(struct model *model, uint64_t address, unsigned size, struct value value);

/* The cell with these four bytes, or NULL when they were never written. */
struct cell *model_cell(struct model *model, uint64_t address);

#endif
