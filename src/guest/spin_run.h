/*
 * A model of one thread's machine: it runs the program's instructions without the program noticing.
 * What they would write is kept aside. Nothing is done for real until somebody wants it so.
 *
 * While it tracks, it also knows of each value whether it depends on what varies from one period of
 * a loop to the next: on a *root*, a register or a place in memory. Only sums of one root and
 * constants can be followed. When a root decides where to jump or where to look, or is used in any
 * other way, the run fails.
 *
 * Uses the decoder, and spin_read of whoever uses it.
 */
#ifndef STET_GUEST_SPIN_RUN_H
#define STET_GUEST_SPIN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_REGISTERS 16 /* as the architecture numbers them */
#define MODEL_CELLS	64 /* words of memory that a loop may write */
#define MODEL_ROOTS	8

enum model_register { MODEL_RAX, MODEL_RCX, MODEL_RDX, MODEL_RBX, MODEL_RSP, MODEL_RBP };

/* zero_extend(low `width` bits of (root + offset)); root is a number + 1, 0: it varies not. */
struct symbol {
	uint32_t root, width;
	uint64_t offset;
};

/* Four bytes of memory that the loop writes. */
struct cell {
	uint64_t address; /* a multiple of 4 */
	uint32_t value, original;
	uint32_t start; /* when the tracking began */
	bool varies;	/* and had not always been the same */
	bool touched;	/* read as a root, or written, since */
	bool upper;	/* the upper half of its symbol */
	struct symbol symbol;
};

struct root {
	bool in_memory;
	uint64_t place; /* address, or number of a register */
	uint32_t width;
	uint64_t step; /* by which it grows in a period */
};

struct model {
	uint64_t registers[MODEL_REGISTERS], rip, flags, fs;

	uint64_t start[MODEL_REGISTERS], start_flags;
	bool tracking;
	bool varies[MODEL_REGISTERS], touched[MODEL_REGISTERS];
	bool flags_vary;
	struct symbol symbols[MODEL_REGISTERS];

	struct cell cells[MODEL_CELLS];
	uint32_t cell_count;
	struct root roots[MODEL_ROOTS];
	uint32_t root_count;

	bool failed; /* an instruction that is not known, memory that is not there, ... */
};

/* Reads the program's memory: false when it is not there. */
bool spin_read(void *to, uint64_t address, size_t bytes);

/* Runs one instruction. False: it failed, and the model is of no use any more. */
bool model_step(struct model *model);

#endif
