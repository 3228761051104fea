/*
 * A decoder for the instructions of which loops that wait are made: general registers, memory,
 * jumps. It promises the right length and operands for what it knows, and to say so when it does
 * not know an instruction. Facts of the architecture only; uses nobody.
 */
#ifndef STET_GUEST_SPIN_DECODE_H
#define STET_GUEST_SPIN_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPERATION_BYTES	  15 /* the longest instruction */
#define OPERATION_RIP	  16 /* as a base */
#define OPERATION_NOTHING 17 /* no base, no index */

struct operation {
	uint8_t length;
	uint8_t opcode;
	bool extended; /* 0x0f came before */
	uint8_t size;  /* of its operands, in bytes */
	bool rex, lock, rep, repne, fs;
	bool memory;	 /* the operand of mod and rm is in memory */
	uint8_t reg, rm; /* with their fourth bits; reg also selects among operations */
	uint8_t base, index, shift;
	int32_t displacement;
	int64_t immediate;
};

/* Is it one that we know, and are all of its bytes here? */
bool spin_decode(const uint8_t *code, size_t bytes, struct operation *operation);

#endif
