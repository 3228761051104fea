#include "code/insn.h"

#include <Zydis/Zydis.h>

static const ZydisDecoder *decoder(void)
{
	static _Thread_local ZydisDecoder instance;
	static _Thread_local bool ready;

	if (!ready) {
		ZydisDecoderInit(&instance, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
		ready = true;
	}
	return &instance;
}

static uint8_t kind_of(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_SYSCALL:
		return INSN_SYSCALL;
	case ZYDIS_MNEMONIC_RDTSC:
		return INSN_RDTSC;
	case ZYDIS_MNEMONIC_RDTSCP:
		return INSN_RDTSCP;
	case ZYDIS_MNEMONIC_CPUID:
		return INSN_CPUID;
	case ZYDIS_MNEMONIC_RDRAND:
		return INSN_RDRAND;
	case ZYDIS_MNEMONIC_RDSEED:
		return INSN_RDSEED;
	case ZYDIS_MNEMONIC_RDPID:
		return INSN_RDPID;
	case ZYDIS_MNEMONIC_XBEGIN:
		return INSN_XBEGIN;
	case ZYDIS_MNEMONIC_XGETBV:
		return INSN_XGETBV;
	case ZYDIS_MNEMONIC_RCPPS:
	case ZYDIS_MNEMONIC_RCPSS:
	case ZYDIS_MNEMONIC_RSQRTPS:
	case ZYDIS_MNEMONIC_RSQRTSS:
	case ZYDIS_MNEMONIC_VRCPPS:
	case ZYDIS_MNEMONIC_VRCPSS:
	case ZYDIS_MNEMONIC_VRSQRTPS:
	case ZYDIS_MNEMONIC_VRSQRTSS:
		return INSN_APPROXIMATION;
	default:
		return INSN_ORDINARY;
	}
}

static uint8_t flow_of(const ZydisDecodedInstruction *decoded)
{
	bool direct = decoded->raw.imm[0].is_relative;

	switch (decoded->meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return FLOW_CALL;
	case ZYDIS_CATEGORY_COND_BR:
		return FLOW_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return direct ? FLOW_JUMP : FLOW_INDIRECT;
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSRET:
		return FLOW_RETURN;
	default:
		break;
	}
	switch (decoded->mnemonic) {
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_INT3:
	case ZYDIS_MNEMONIC_INT1:
		return FLOW_STOP;
	default:
		return FLOW_NEXT;
	}
}

/* Only these write a register that the instruction names; it is in the low bits of ModRM. */
static void read_operand(struct insn *insn, const ZydisDecodedInstruction *decoded)
{
	if (insn->kind != INSN_RDRAND && insn->kind != INSN_RDSEED && insn->kind != INSN_RDPID)
		return;
	insn->reg = (uint8_t)(decoded->raw.modrm.rm | decoded->raw.rex.B << 3);
	insn->operand_bytes = insn->kind == INSN_RDPID ? 8 : decoded->operand_width / 8;
}

static void read_relative(struct insn *insn, const ZydisDecodedInstruction *decoded)
{
	bool modrm = decoded->attributes & ZYDIS_ATTRIB_HAS_MODRM;
	uint64_t end = insn->address + insn->length;

	if (decoded->raw.imm[0].is_relative) {
		insn->target = end + (uint64_t)decoded->raw.imm[0].value.s;
		insn->movable = false;
		/* Without prefixes: a short or near jmp, or a short or near jcc. */
		if (decoded->raw.prefix_count == 0 && insn->kind == INSN_ORDINARY)
			insn->rejoinable = insn->flow == FLOW_JUMP ||
					   (insn->flow == FLOW_BRANCH &&
						   (decoded->opcode & 0xf0) ==
							   (insn->length == 2 ? 0x70 : 0x80));
		insn->condition = decoded->opcode & 0xf;
		return;
	}
	if (!modrm || decoded->raw.modrm.mod != 0 || decoded->raw.modrm.rm != 5)
		return;
	if (decoded->address_width != 64) {
		insn->movable = false; /* EIP-relative: wraps at 4 GiB */
		if (insn->kind == INSN_APPROXIMATION)
			insn->kind = INSN_ORDINARY;
		return;
	}
	insn->rip_field = decoded->raw.disp.offset;
	insn->reference = end + (uint64_t)decoded->raw.disp.value;
}

static bool is_scalar(ZydisMnemonic mnemonic)
{
	return mnemonic == ZYDIS_MNEMONIC_RCPSS || mnemonic == ZYDIS_MNEMONIC_RSQRTSS ||
	       mnemonic == ZYDIS_MNEMONIC_VRCPSS || mnemonic == ZYDIS_MNEMONIC_VRSQRTSS;
}

static void read_approximation(struct insn *insn, const ZydisDecodedInstruction *decoded)
{
	bool vex = decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;
	unsigned high = vex ? !decoded->raw.vex.R : decoded->raw.rex.R;
	unsigned high_operand = vex ? !decoded->raw.vex.B : decoded->raw.rex.B;

	if (insn->kind != INSN_APPROXIMATION)
		return;
	insn->approximation = (struct insn_approximation){
		.opcode = decoded->raw.modrm.offset - 1,
		.destination = (uint8_t)(decoded->raw.modrm.reg | high << 3),
		.root = decoded->opcode == 0x52,
		.scalar = is_scalar(decoded->mnemonic),
	};
	if (vex) {
		insn->approximation.second = decoded->raw.vex.offset + decoded->raw.vex.size - 1;
		insn->approximation.wide = !insn->approximation.scalar && decoded->raw.vex.L;
	}
	insn->approximation.same =
		decoded->raw.modrm.mod == 3 &&
		(decoded->raw.modrm.rm | high_operand << 3) == insn->approximation.destination;
}

/*
 * Compilers list a switch's targets as distances from a table that `lea` names, or as addresses in
 * a table that `lea` or an operand of the form TABLE(,%reg,8) names.
 */
static void read_table(struct insn *insn, const ZydisDecodedInstruction *decoded)
{
	bool modrm = decoded->attributes & ZYDIS_ATTRIB_HAS_MODRM;

	if (decoded->mnemonic == ZYDIS_MNEMONIC_LEA && insn->rip_field) {
		insn->table = insn->reference;
	} else if (modrm && decoded->raw.modrm.mod == 0 && decoded->raw.modrm.rm == 4 &&
		   decoded->raw.sib.base == 5 && decoded->raw.sib.scale == 3) {
		insn->table = (uint64_t)decoded->raw.disp.value;
		insn->table_absolute = true;
	}
}

bool insn_decode(struct insn *insn, const uint8_t *bytes, size_t available, uint64_t address)
{
	ZydisDecodedInstruction decoded;

	if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(decoder(), NULL, bytes, available, &decoded)))
		return false;
	*insn = (struct insn){
		.address = address,
		.length = decoded.length,
		.flow = flow_of(&decoded),
		.kind = kind_of(decoded.mnemonic),
	};
	if (insn->kind == INSN_XBEGIN)
		insn->flow = FLOW_BRANCH;
	insn->movable = insn->kind == INSN_ORDINARY &&
			(insn->flow == FLOW_NEXT || insn->flow == FLOW_RETURN);
	read_operand(insn, &decoded);
	read_relative(insn, &decoded);
	read_approximation(insn, &decoded);
	read_table(insn, &decoded);
	return true;
}
