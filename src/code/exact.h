/*
 * What runs in the place of rcpps, rsqrtps and their like, whose results are approximations that
 * differ between makes of processors: a division, and a square root before it, which IEEE 754
 * defines to the last bit. As with the instruction itself, nothing but its destination changes, no
 * exception is raised, and denormal numbers count as zeros. Format.h has the sequence.
 */
#ifndef STET_CODE_EXACT_H
#define STET_CODE_EXACT_H

#include "code/emitter.h"

/* Bytes that an approximation takes in a stub. */
unsigned exact_length(const struct insn *insn);

/* Writes them; `original` are the instruction's own bytes. */
void exact_emit(struct emitter *emitter, const struct insn *insn, const uint8_t *original);

/* What `kept` of its struct code_site says. */
uint8_t exact_kept(const struct insn *insn);

#endif
