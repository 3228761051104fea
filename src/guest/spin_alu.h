/*
 * Arithmetic as this processor does it, flags included: each operation is the instruction itself.
 * Uses nobody.
 */
#ifndef STET_GUEST_SPIN_ALU_H
#define STET_GUEST_SPIN_ALU_H

#include <stdbool.h>
#include <stdint.h>

#define FLAGS_STATUS 0x8d5ull /* CF PF AF ZF SF OF */

/* In the order of the architecture's groups. */
enum alu { ALU_ADD, ALU_OR, ALU_ADC, ALU_SBB, ALU_AND, ALU_SUB, ALU_XOR, ALU_CMP };
enum shift {
	SHIFT_ROL,
	SHIFT_ROR,
	SHIFT_RCL,
	SHIFT_RCR,
	SHIFT_SHL,
	SHIFT_SHR,
	SHIFT_SAL,
	SHIFT_SAR
};
enum bit { BIT_TEST = 4, BIT_SET, BIT_RESET, BIT_COMPLEMENT };

/* `size` in bytes; of `flags` the status flags are used and changed. */
uint64_t alu_binary(enum alu operation, unsigned size, uint64_t a, uint64_t b, uint64_t *flags);
uint64_t alu_negate(unsigned size, uint64_t a, uint64_t *flags);
uint64_t alu_shift(
	enum shift operation, unsigned size, uint64_t a, uint64_t count, uint64_t *flags);
uint64_t alu_multiply(unsigned size, uint64_t a, uint64_t b, uint64_t *flags);
/* bsf, bsr, tzcnt, lzcnt, popcnt of b; a is what the register held. */
enum search { SEARCH_FIRST, SEARCH_LAST, SEARCH_TRAILING, SEARCH_LEADING, SEARCH_COUNT };
uint64_t alu_search(enum search operation, unsigned size, uint64_t a, uint64_t b, uint64_t *flags);
/* Products and quotients of two registers: of 32 or 64 bits. */
struct pair {
	uint64_t low, high; /* product; quotient and remainder */
};
struct pair alu_product(bool with_sign, unsigned size, uint64_t a, uint64_t b, uint64_t *flags);
struct pair alu_quotient(bool with_sign, unsigned size, struct pair a, uint64_t b, uint64_t *flags);
uint64_t alu_bit(enum bit operation, unsigned size, uint64_t a, uint64_t b, uint64_t *flags);

#endif
