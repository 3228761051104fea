#include "code/exact.h"

/* Opcodes behind 0x0f, of the legacy and the VEX forms. The four forms of these differ in the same
 * way as those of the approximations: by prefix F3 (scalar) and VEX.L (32 bytes). */
#define SCALAR_STORE   0x11 /* movss */
#define LOAD	       0x28 /* movaps */
#define STORE	       0x29
#define INTEGER_TO_ONE 0x2a /* cvtsi2ss: unlike a load it keeps the upper bits */
#define SQUARE_ROOT    0x51
#define DIVIDE	       0x5e

#define STORE_CONTROL  3 /* stmxcsr, in the bits of ModRM that name a register */
#define LOAD_CONTROL   2

#define GS_PREFIX      0x65
#define GS_BYTES       6 /* ModRM, SIB and displacement of %gs:place */
#define CONTROL_BYTES  (3 + GS_BYTES)
#define WHOLE_BYTES    (4 + GS_BYTES)
#define SECOND_BITS    0x78 /* of a byte of VEX: the second source, inverted */
#define NO_SECOND      0

/* Either all elements of the register or the first one. */
enum part { WHOLE, FIRST };

static enum part part_of(const struct insn_approximation *a)
{
	return a->scalar ? FIRST : WHOLE;
}

/* An operand %gs:place, and a register or an extension of the opcode. */
static void put_place(struct emitter *emitter, unsigned reg, uint32_t place)
{
	PUT(emitter, (uint8_t)((reg & 7) << 3 | 4), 0x25);
	emitter_put_word(emitter, place);
}

static void put_control(struct emitter *emitter, unsigned operation, uint32_t place)
{
	PUT(emitter, GS_PREFIX, 0x0f, 0xae);
	put_place(emitter, operation, place);
}

static uint8_t second_bits(unsigned reg)
{
	return (uint8_t)((~reg << 3) & SECOND_BITS);
}

/* An instruction on the destination and a place, whose first source is `second` in VEX forms. */
static void put_vector(struct emitter *emitter, const struct insn_approximation *a, enum part part,
	uint8_t opcode, unsigned second, uint32_t place)
{
	uint8_t high = a->destination >> 3;

	PUT(emitter, GS_PREFIX);
	if (a->second) {
		PUT(emitter, 0xc5,
			(uint8_t)((high ? 0 : 0x80) | second_bits(second) | (a->wide ? 4 : 0) |
				  (part == FIRST ? 2 : 0)),
			opcode);
	} else {
		if (part == FIRST)
			PUT(emitter, 0xf3);
		PUT(emitter, (uint8_t)(0x40 | high << 2), 0x0f, opcode);
	}
	put_place(emitter, a->destination, place);
}

static unsigned vector_length(const struct insn_approximation *a, enum part part)
{
	return WHOLE_BYTES + (part == FIRST && !a->second);
}

/* The destination's part becomes 1; what a scalar form leaves alone comes from `second`. */
static void put_one(struct emitter *emitter, const struct insn_approximation *a, unsigned second)
{
	if (a->scalar)
		put_vector(emitter, a, FIRST, INTEGER_TO_ONE, second, GS_EXACT_INTEGER);
	else
		put_vector(emitter, a, WHOLE, LOAD, NO_SECOND, GS_EXACT_ONES);
}

/* The instruction itself with another opcode: its operand may be anything. */
static uint8_t *put_operation(
	struct emitter *emitter, const struct insn *insn, const uint8_t *original, uint8_t opcode)
{
	uint8_t *copy = emitter_put_copy(emitter, insn, original);

	copy[insn->approximation.opcode] = opcode;
	return copy;
}

static void put_reciprocal(
	struct emitter *emitter, const struct insn *insn, const uint8_t *original)
{
	const struct insn_approximation *a = &insn->approximation;
	uint8_t *copy;

	put_one(emitter, a, a->second ? (~original[a->second] & SECOND_BITS) >> 3 : NO_SECOND);
	if (a->same) {
		put_vector(emitter, a, part_of(a), DIVIDE, a->destination, GS_EXACT_KEPT);
		return;
	}
	copy = put_operation(emitter, insn, original, DIVIDE);
	if (a->second)
		copy[a->second] =
			(uint8_t)((copy[a->second] & ~SECOND_BITS) | second_bits(a->destination));
}

static void put_reciprocal_root(
	struct emitter *emitter, const struct insn *insn, const uint8_t *original)
{
	const struct insn_approximation *a = &insn->approximation;
	enum part part = part_of(a);

	put_operation(emitter, insn, original, SQUARE_ROOT);
	put_vector(emitter, a, part, part == FIRST ? SCALAR_STORE : STORE, NO_SECOND,
		GS_EXACT_OPERAND);
	put_one(emitter, a, a->destination);
	put_vector(emitter, a, part, DIVIDE, a->destination, GS_EXACT_OPERAND);
}

unsigned exact_length(const struct insn *insn)
{
	const struct insn_approximation *a = &insn->approximation;
	unsigned vector = vector_length(a, part_of(a));
	unsigned rest =
		a->root ? insn->length + 3 * vector : vector + (a->same ? vector : insn->length);

	return CODE_EXACT_BEGUN + rest + CONTROL_BYTES;
}

void exact_emit(struct emitter *emitter, const struct insn *insn, const uint8_t *original)
{
	const struct insn_approximation *a = &insn->approximation;
	struct insn_approximation all = *a;

	all.wide = a->second; /* VEX forms change the upper half, too */
	put_vector(emitter, &all, WHOLE, STORE, NO_SECOND, GS_EXACT_KEPT);
	put_control(emitter, STORE_CONTROL, GS_EXACT_MXCSR_KEPT);
	put_control(emitter, LOAD_CONTROL, GS_EXACT_MXCSR);
	if (a->root)
		put_reciprocal_root(emitter, insn, original);
	else
		put_reciprocal(emitter, insn, original);
	put_control(emitter, LOAD_CONTROL, GS_EXACT_MXCSR_KEPT);
}

uint8_t exact_kept(const struct insn *insn)
{
	const struct insn_approximation *a = &insn->approximation;

	return a->destination | (a->second ? CODE_KEPT_WIDE : 0);
}

_Static_assert(WHOLE_BYTES + 2 * CONTROL_BYTES == CODE_EXACT_BEGUN, "the sequence of format.h");
