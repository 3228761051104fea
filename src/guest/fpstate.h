/* The extended state in a signal's frame, as FXSAVE and XSAVE lay it out. */
#ifndef STET_GUEST_FPSTATE_H
#define STET_GUEST_FPSTATE_H

#include <stdbool.h>

#include "guest/kernel.h"

#define FPSTATE_MXCSR	24
#define FPSTATE_VECTORS 160	       /* 16 registers' lower 16 bytes */
#define XSTATE_USED	FPSTATE_LEGACY /* a word of bits: which components are in use */
#define XSTATE_HEADER	64
#define XSTATE_VECTORS	(FPSTATE_LEGACY + XSTATE_HEADER) /* the registers' next 16 bytes */
#define XSTATE_AVX_END	832

static inline struct kernel_fpstate_software *fpstate_software(uint64_t fpstate)
{
	return (struct kernel_fpstate_software *)(fpstate + FPSTATE_SOFTWARE);
}

/* Is there more than what FXSAVE writes? On CPUs without XSAVE the kernel writes the mark, too, but
 * nothing behind the legacy part, whatever the mark's size says. */
static inline bool fpstate_has_components(uint64_t fpstate)
{
	return fpstate_software(fpstate)->magic == FP_XSTATE_MAGIC1 &&
	       fpstate_software(fpstate)->xstate_size > FPSTATE_LEGACY;
}

static inline uint64_t *fpstate_used(uint64_t fpstate)
{
	return (uint64_t *)(fpstate + XSTATE_USED);
}

#endif
