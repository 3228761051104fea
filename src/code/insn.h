/* One decoded instruction, reduced to what tracing and patching need. Wraps Zydis. */
#ifndef STET_CODE_INSN_H
#define STET_CODE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/format.h"

enum insn_flow {
	FLOW_NEXT,     /* goes on behind itself */
	FLOW_CALL,     /* likewise, if the callee returns; may have a target */
	FLOW_BRANCH,   /* conditional: target or next */
	FLOW_JUMP,     /* direct jump */
	FLOW_INDIRECT, /* jump through a register or memory */
	FLOW_RETURN,
	FLOW_STOP, /* does not go on: ud2, hlt, int3 */
};

#define INSN_ORDINARY INSN_KINDS /* kind of an instruction that stays as it is */

/* What exact.c must know of an approximation. */
struct insn_approximation {
	uint8_t opcode; /* offset of its byte */
	uint8_t second; /* of VEX forms: offset of the byte that names the second source; else 0 */
	uint8_t destination;
	bool root; /* of the square root */
	bool scalar;
	bool wide; /* 32 bytes */
	bool same; /* the operand is the register that it writes */
};

struct insn {
	uint64_t address;
	uint8_t length;
	uint8_t flow;	       /* enum insn_flow */
	uint8_t kind;	       /* enum insn_kind, or INSN_ORDINARY */
	uint8_t reg;	       /* of rdrand, rdseed, rdpid: number of the register written */
	uint8_t operand_bytes; /* likewise: its width */
	uint8_t condition;     /* of a branch that can be encoded anew: low 4 bits of its opcode */
	bool movable;	    /* may be copied elsewhere, after insn_relocate when rip_field is set */
	bool rejoinable;    /* a jump or branch that can be encoded anew with a 32-bit distance */
	uint8_t rip_field;  /* offset of a RIP-relative displacement, 0: none */
	uint64_t reference; /* address that a RIP-relative operand names */
	uint64_t target;    /* of a direct call, jump or branch; 0: none */
	uint64_t table;	    /* where jump targets may be listed; 0: none */
	bool table_absolute; /* the list can only hold addresses, not distances from its start */
	struct insn_approximation approximation;
};

/* Decodes one instruction of 64-bit code; false when the bytes are none. */
bool insn_decode(struct insn *insn, const uint8_t *bytes, size_t available, uint64_t address);

#endif
