#include "guest/spin_alu.h"

/* Around an instruction that uses and sets flags: %1 has them. The stack is used beyond what may be
 * a red zone. */
#define WITH_FLAGS(instruction)                                                                    \
	"leaq -128(%%rsp), %%rsp\n\tpushq %1\n\tpopfq\n\t" instruction                             \
	"\n\tpushfq\n\tpopq %1\n\tleaq 128(%%rsp), %%rsp"

#define UNARY(name, suffix, type)                                                                  \
	static uint64_t name##_##suffix(uint64_t a, uint64_t *flags)                               \
	{                                                                                          \
		type x = (type)a;                                                                  \
		__asm__(WITH_FLAGS(#name #suffix " %0") : "+q"(x), "+r"(*flags) : : "cc");         \
		return x;                                                                          \
	}

#define BINARY(name, suffix, type)                                                                 \
	static uint64_t name##_##suffix(uint64_t a, uint64_t b, uint64_t *flags)                   \
	{                                                                                          \
		type x = (type)a;                                                                  \
		__asm__(WITH_FLAGS(#name #suffix " %2, %0")                                        \
			: "+q"(x), "+r"(*flags)                                                    \
			: "q"((type)b)                                                             \
			: "cc");                                                                   \
		return x;                                                                          \
	}

#define SHIFTED(name, suffix, type)                                                                \
	static uint64_t name##_##suffix(uint64_t a, uint64_t b, uint64_t *flags)                   \
	{                                                                                          \
		type x = (type)a;                                                                  \
		__asm__(WITH_FLAGS(#name #suffix " %%cl, %0")                                      \
			: "+q"(x), "+r"(*flags)                                                    \
			: "c"(b)                                                                   \
			: "cc");                                                                   \
		return x;                                                                          \
	}

#define NOT_BYTES(kind, name)                                                                      \
	kind(name, w, uint16_t) kind(name, l, uint32_t) kind(name, q, uint64_t)
#define ALL_SIZES(kind, name) kind(name, b, uint8_t) NOT_BYTES(kind, name)

ALL_SIZES(BINARY, add)
ALL_SIZES(BINARY, or)
ALL_SIZES(BINARY, adc)
ALL_SIZES(BINARY, sbb)
ALL_SIZES(BINARY, and)
ALL_SIZES(BINARY, sub)
ALL_SIZES(BINARY, xor)
ALL_SIZES(BINARY, cmp)
ALL_SIZES(UNARY, neg)
ALL_SIZES(SHIFTED, rol)
ALL_SIZES(SHIFTED, ror)
ALL_SIZES(SHIFTED, rcl)
ALL_SIZES(SHIFTED, rcr)
ALL_SIZES(SHIFTED, shl)
ALL_SIZES(SHIFTED, shr)
ALL_SIZES(SHIFTED, sar)
NOT_BYTES(BINARY, imul)
NOT_BYTES(BINARY, bt)
NOT_BYTES(BINARY, bts)
NOT_BYTES(BINARY, btr)
NOT_BYTES(BINARY, btc)

NOT_BYTES(BINARY, bsf)
NOT_BYTES(BINARY, bsr)
NOT_BYTES(BINARY, tzcnt)
NOT_BYTES(BINARY, lzcnt)
NOT_BYTES(BINARY, popcnt)

/* On rdx and rax. */
#define PAIRED(name, suffix, type)                                                                 \
	static struct pair pair_##name##_##suffix(struct pair a, uint64_t b, uint64_t *flags)      \
	{                                                                                          \
		type low = (type)a.low, high = (type)a.high;                                       \
		__asm__(WITH_FLAGS(#name #suffix " %3")                                            \
			: "+a"(low), "+r"(*flags), "+d"(high)                                      \
			: "r"((type)b)                                                             \
			: "cc");                                                                   \
		return (struct pair){ low, high };                                                 \
	}
#define BOTH_SIZES(name) PAIRED(name, l, uint32_t) PAIRED(name, q, uint64_t)
BOTH_SIZES(mul)
BOTH_SIZES(imul)
BOTH_SIZES(div)
BOTH_SIZES(idiv)

typedef uint64_t unary(uint64_t a, uint64_t *flags);
typedef uint64_t binary(uint64_t a, uint64_t b, uint64_t *flags);

/* By the logarithm of the size. */
#define SIZES(name)                                                                                \
	{                                                                                          \
		name##_b, name##_w, name##_l, name##_q                                             \
	}
#define SIZES_BUT_BYTES(name)                                                                      \
	{                                                                                          \
		0, name##_w, name##_l, name##_q                                                    \
	}

static unsigned place(unsigned size)
{
	return (unsigned)__builtin_ctz(size);
}

static uint64_t run_unary(unary *const *by_size, unsigned size, uint64_t a, uint64_t *flags)
{
	uint64_t status = *flags & FLAGS_STATUS;

	a = by_size[place(size)](a, &status);
	*flags = (*flags & ~FLAGS_STATUS) | (status & FLAGS_STATUS);
	return a;
}

static uint64_t run_binary(
	binary *const *by_size, unsigned size, uint64_t a, uint64_t b, uint64_t *flags)
{
	uint64_t status = *flags & FLAGS_STATUS;

	a = by_size[place(size)](a, b, &status);
	*flags = (*flags & ~FLAGS_STATUS) | (status & FLAGS_STATUS);
	return a;
}

uint64_t alu_binary(enum alu operation, unsigned size, uint64_t a, uint64_t b, uint64_t *flags)
{
	static binary *const by[8][4] = { SIZES(add), SIZES(or), SIZES(adc), SIZES(sbb), SIZES(and),
		SIZES(sub), SIZES(xor), SIZES(cmp) };

	return run_binary(by[operation], size, a, b, flags);
}

uint64_t alu_negate(unsigned size, uint64_t a, uint64_t *flags)
{
	static unary *const by[4] = SIZES(neg);

	return run_unary(by, size, a, flags);
}

uint64_t alu_shift(enum shift operation, unsigned size, uint64_t a, uint64_t count, uint64_t *flags)
{
	static binary *const by[8][4] = { SIZES(rol), SIZES(ror), SIZES(rcl), SIZES(rcr),
		SIZES(shl), SIZES(shr), SIZES(shl), SIZES(sar) };

	return run_binary(by[operation], size, a, count, flags);
}

uint64_t alu_multiply(unsigned size, uint64_t a, uint64_t b, uint64_t *flags)
{
	static binary *const by[4] = SIZES_BUT_BYTES(imul);

	return run_binary(by, size, a, b, flags);
}

uint64_t alu_bit(enum bit operation, unsigned size, uint64_t a, uint64_t b, uint64_t *flags)
{
	static binary *const by[4][4] = { SIZES_BUT_BYTES(bt), SIZES_BUT_BYTES(bts),
		SIZES_BUT_BYTES(btr), SIZES_BUT_BYTES(btc) };

	return run_binary(by[operation - BIT_TEST], size, a, b, flags);
}

uint64_t alu_search(enum search operation, unsigned size, uint64_t a, uint64_t b, uint64_t *flags)
{
	static binary *const by[5][4] = { SIZES_BUT_BYTES(bsf), SIZES_BUT_BYTES(bsr),
		SIZES_BUT_BYTES(tzcnt), SIZES_BUT_BYTES(lzcnt), SIZES_BUT_BYTES(popcnt) };

	return run_binary(by[operation], size, a, b, flags);
}

typedef struct pair paired(struct pair a, uint64_t b, uint64_t *flags);

static struct pair run_paired(paired *run, struct pair a, uint64_t b, uint64_t *flags)
{
	uint64_t status = *flags & FLAGS_STATUS;

	a = run(a, b, &status);
	*flags = (*flags & ~FLAGS_STATUS) | (status & FLAGS_STATUS);
	return a;
}

struct pair alu_product(bool with_sign, unsigned size, uint64_t a, uint64_t b, uint64_t *flags)
{
	static paired *const by[2][2] = { { pair_mul_l, pair_mul_q },
		{ pair_imul_l, pair_imul_q } };

	return run_paired(by[with_sign][size == 8], (struct pair){ a, 0 }, b, flags);
}

struct pair alu_quotient(bool with_sign, unsigned size, struct pair a, uint64_t b, uint64_t *flags)
{
	static paired *const by[2][2] = { { pair_div_l, pair_div_q },
		{ pair_idiv_l, pair_idiv_q } };

	return run_paired(by[with_sign][size == 8], a, b, flags);
}
