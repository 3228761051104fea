#include "guest/exact.h"

#include "arena/cpu_model.h"
#include "code/format.h"
#include "guest/fpstate.h"
#include "guest/sys.h"

#define XSTATE_SSE    2ull
#define REGISTER      16ul /* bytes of a register in each of the two components */
#define REGISTERS     16ul
#define KEPT_REGISTER (CODE_KEPT_WIDE - 1)

void exact_prepare(struct exact *exact)
{
	const uint32_t one = 0x3f800000; /* 1.0f */

	for (unsigned i = 0; i < sizeof(exact->ones) / sizeof(*exact->ones); i++)
		exact->ones[i] = one;
	exact->mxcsr = EXACT_MXCSR;
	exact->integer = 1;
}

/* A component that is not in use counts as zeros, whatever its bytes are. */
static void put_register(uint64_t fpstate, uint64_t component, uint64_t offset, unsigned number,
	const uint8_t *value)
{
	uint8_t *registers = (uint8_t *)fpstate + offset;

	if (fpstate_has_components(fpstate) && !(*fpstate_used(fpstate) & component)) {
		memset(registers, 0, REGISTERS * REGISTER);
		*fpstate_used(fpstate) |= component;
	}
	memcpy(registers + number * REGISTER, value, REGISTER);
}

void exact_undo(const struct exact *exact, uint8_t kept, uint64_t fpstate)
{
	unsigned number = kept & KEPT_REGISTER;

	if (!fpstate)
		return;
	memcpy((uint8_t *)fpstate + FPSTATE_MXCSR, &exact->mxcsr_kept, sizeof(exact->mxcsr_kept));
	put_register(fpstate, XSTATE_SSE, FPSTATE_VECTORS, number, exact->kept);
	if ((kept & CODE_KEPT_WIDE) && fpstate_has_components(fpstate))
		put_register(fpstate, XSTATE_AVX, XSTATE_VECTORS, number, exact->kept + REGISTER);
}
