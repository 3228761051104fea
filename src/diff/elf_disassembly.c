#include "diff/elf_disassembly.h"

#include <string.h>
#include <Zydis/Zydis.h>

#include "diff/printable.h"

#define CODE_MOST (64u << 10) /* bytes of a function that are shown */
#define TEXT_MOST 256	      /* bytes of one instruction's text, by far */

typedef unsigned long long number;

static bool start_decoder(ZydisDecoder *decoder, const struct elf *elf)
{
	if (elf->machine == EM_X86_64)
		return ZYAN_SUCCESS(ZydisDecoderInit(
			decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
	return elf->machine == EM_386 &&
	       ZYAN_SUCCESS(ZydisDecoderInit(
		       decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32));
}

/* The place that a call or a jump goes to, by its function; false when none is known. */
static bool put_target(const struct elf_part *part, const ZydisDecodedInstruction *instruction,
	uint64_t at, FILE *out)
{
	uint64_t target = part->address + at + instruction->length +
			  (uint64_t)instruction->raw.imm[0].value.s;
	const struct elf_function *function = instruction->raw.imm[0].is_relative && part->functions
						      ? elf_functions_at(part->functions, target)
						      : NULL;

	if (!function)
		return false;
	fprintf(out, "%s ", ZydisMnemonicGetString(instruction->mnemonic));
	printable_put(out, function->name, strnlen(function->name, TEXT_MOST));
	if (target > function->at)
		fprintf(out, "+0x%llx", (number)(target - function->at));
	fputc('\n', out);
	return true;
}

static void put_byte(const struct elf_part *part, uint64_t at, FILE *out)
{
	fprintf(out, "byte 0x%02x\n", part->bytes.data[at]);
}

bool elf_lines_of_code(const struct elf_part *part, FILE *out)
{
	uint64_t size = part->bytes.size < CODE_MOST ? part->bytes.size : CODE_MOST;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction instruction;
	ZydisFormatter formatter;
	ZydisDecoder decoder;

	if (!start_decoder(&decoder, part->elf) ||
		!ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL)))
		return false;
	for (uint64_t at = 0; at < size; at += instruction.length) {
		char text[TEXT_MOST];

		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(
			    &decoder, part->bytes.data + at, size - at, &instruction, operands))) {
			put_byte(part, at, out);
			instruction.length = 1;
		} else if (!put_target(part, &instruction, at, out)) {
			ZydisFormatterFormatInstruction(&formatter, &instruction, operands,
				instruction.operand_count_visible, text, sizeof(text),
				ZYDIS_RUNTIME_ADDRESS_NONE, NULL);
			fprintf(out, "%s\n", text);
		}
	}
	return true;
}

/* Bytes of an instruction from `from` on that are a distance: `size` of them, or none. */
struct field {
	unsigned from, size;
};

static struct field distance_in(const ZydisDecodedInstruction *instruction)
{
	if (instruction->raw.imm[0].is_relative)
		return (struct field){ instruction->raw.imm[0].offset,
			instruction->raw.imm[0].size / 8 };
	/* [rip + distance]: mod 0, r/m 5 */
	if (instruction->machine_mode == ZYDIS_MACHINE_MODE_LONG_64 &&
		instruction->attributes & ZYDIS_ATTRIB_HAS_MODRM && !instruction->raw.modrm.mod &&
		instruction->raw.modrm.rm == 5)
		return (struct field){ instruction->raw.disp.offset,
			instruction->raw.disp.size / 8 };
	return (struct field){ instruction->length, 0 };
}

bool elf_code_only_moved(const struct elf_part *a, const struct elf_part *b)
{
	ZydisDecodedInstruction one;
	ZydisDecoder decoder;

	if (a->bytes.size != b->bytes.size || a->elf->machine != b->elf->machine ||
		!start_decoder(&decoder, a->elf))
		return false;
	for (uint64_t at = 0; at < a->bytes.size; at += one.length) {
		const unsigned char *bytes = a->bytes.data + at, *others = b->bytes.data + at;
		struct field field;

		if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
			    &decoder, NULL, bytes, a->bytes.size - at, &one)))
			return false;
		field = distance_in(&one);
		if (memcmp(bytes, others, field.from) != 0 ||
			memcmp(bytes + field.from + field.size, others + field.from + field.size,
				one.length - field.from - field.size) != 0)
			return false;
	}
	return true;
}
