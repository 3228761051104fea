#include "test_code_snippet.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

static void look_inside(struct snippet *snippet)
{
	snippet->rc = rewrite_elf(&snippet->rewrite, snippet->bytes, snippet->size);
	if (snippet->rc <= 0)
		return;
	memcpy(&snippet->header, snippet->rewrite.image, sizeof(snippet->header));
	snippet->sites =
		(struct code_site *)(snippet->rewrite.image + snippet->header.table_offset);
	snippet->source = snippet->bytes + snippet->header.source_offset;
	snippet->copy = snippet->rewrite.image + snippet->header.copy_offset;
	snippet->stubs = snippet->rewrite.image + snippet->header.stub_offset;
	Elf64_Ehdr *header = (Elf64_Ehdr *)snippet->bytes;
	Elf64_Phdr *segments = (Elf64_Phdr *)(snippet->bytes + header->e_phoff);

	for (unsigned i = 0; i < header->e_phnum; i++)
		if (segments[i].p_type == PT_LOAD &&
			(segments[i].p_offset & -4096ull) == snippet->header.source_offset &&
			segments[i].p_flags & PF_X)
			snippet->text_address = segments[i].p_vaddr & -4096ull;
}

bool snippet_load(struct snippet *snippet, const char *path)
{
	FILE *file = fopen(path, "rb");
	long size;

	*snippet = (struct snippet){ 0 };
	if (!file)
		return false;
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	snippet->size = (size_t)size;
	snippet->bytes = malloc(snippet->size);
	assert_non_null(snippet->bytes);
	assert_int_equal(fread(snippet->bytes, 1, snippet->size, file), snippet->size);
	fclose(file);
	look_inside(snippet);
	return true;
}

void snippet_build(struct snippet *snippet, const char *assembly, const char *options)
{
	char path[] = "/tmp/test_code_XXXXXX", command[512];
	int fd = mkstemp(path);
	FILE *pipe;

	assert_true(fd >= 0);
	close(fd);
	snprintf(command, sizeof(command),
		"gcc -nostdlib %s -Wl,--build-id=none -o %s -x assembler -",
		options ? options : "-shared", path);
	pipe = popen(command, "w");
	assert_non_null(pipe);
	fputs(assembly, pipe);
	assert_int_equal(pclose(pipe), 0);
	assert_true(snippet_load(snippet, path));
	unlink(path);
}

void snippet_free(struct snippet *snippet)
{
	free(snippet->bytes);
	free(snippet->rewrite.image);
}

const struct code_site *snippet_site(const struct snippet *snippet, enum insn_kind kind)
{
	const struct code_site *found = NULL;

	assert_int_equal(snippet->rc, 1);
	for (uint32_t i = 0; i < snippet->header.sites; i++) {
		if (snippet->sites[i].kind != kind)
			continue;
		assert_null(found);
		found = &snippet->sites[i];
	}
	assert_non_null(found);
	return found;
}

uint64_t snippet_symbol(const struct snippet *snippet, const char *name)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)snippet->bytes;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(snippet->bytes + header->e_shoff);

	for (unsigned i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		const Elf64_Sym *symbols =
			(const Elf64_Sym *)(snippet->bytes + sections[i].sh_offset);
		const char *names =
			(const char *)snippet->bytes + sections[sections[i].sh_link].sh_offset;

		for (size_t s = 0; s < sections[i].sh_size / sizeof(*symbols); s++)
			if (!strcmp(names + symbols[s].st_name, name))
				return symbols[s].st_value - snippet->text_address;
	}
	fail_msg("no symbol %s", name);
	return 0;
}

struct decoded {
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

static void decode(struct decoded *decoded, const uint8_t *bytes)
{
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(
		&decoder, bytes, ZYDIS_MAX_INSTRUCTION_LENGTH, &decoded->insn, decoded->operands)));
}

/* The same instruction with the same operands, where it matters that they name the same address. */
static void check_copy(const uint8_t *original, uint64_t original_address, const uint8_t *copy,
	uint64_t copy_address)
{
	struct decoded a, b;

	decode(&a, original);
	decode(&b, copy);
	assert_int_equal(a.insn.mnemonic, b.insn.mnemonic);
	assert_int_equal(a.insn.operand_count_visible, b.insn.operand_count_visible);
	for (unsigned i = 0; i < a.insn.operand_count_visible; i++) {
		uint64_t to_a, to_b;
		bool relative = a.operands[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE
					? a.operands[i].imm.is_relative
					: a.operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
						  a.operands[i].mem.base == ZYDIS_REGISTER_RIP;

		if (!relative)
			continue;
		assert_true(ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(
			&a.insn, &a.operands[i], original_address, &to_a)));
		assert_true(ZYAN_SUCCESS(
			ZydisCalcAbsoluteAddress(&b.insn, &b.operands[i], copy_address, &to_b)));
		assert_int_equal(to_a, to_b);
	}
	if (!(a.insn.attributes & ZYDIS_ATTRIB_IS_RELATIVE))
		assert_memory_equal(original, copy, a.insn.length);
}

static uint64_t jump_target(const uint8_t *bytes, uint64_t address)
{
	int32_t distance;

	assert_int_equal(bytes[0], 0xe9);
	memcpy(&distance, bytes + 1, 4);
	return address + 5 + (uint64_t)(int64_t)distance;
}

static const ZydisMnemonic mnemonics[INSN_KINDS] = {
	[INSN_SYSCALL] = ZYDIS_MNEMONIC_SYSCALL,
	[INSN_RDTSC] = ZYDIS_MNEMONIC_RDTSC,
	[INSN_RDTSCP] = ZYDIS_MNEMONIC_RDTSCP,
	[INSN_CPUID] = ZYDIS_MNEMONIC_CPUID,
	[INSN_RDRAND] = ZYDIS_MNEMONIC_RDRAND,
	[INSN_RDSEED] = ZYDIS_MNEMONIC_RDSEED,
	[INSN_RDPID] = ZYDIS_MNEMONIC_RDPID,
	[INSN_XGETBV] = ZYDIS_MNEMONIC_XGETBV,
	[INSN_XBEGIN] = ZYDIS_MNEMONIC_XBEGIN,
};

static bool is_approximation(ZydisMnemonic mnemonic)
{
	static const ZydisMnemonic all[] = { ZYDIS_MNEMONIC_RCPPS, ZYDIS_MNEMONIC_RCPSS,
		ZYDIS_MNEMONIC_RSQRTPS, ZYDIS_MNEMONIC_RSQRTSS, ZYDIS_MNEMONIC_VRCPPS,
		ZYDIS_MNEMONIC_VRCPSS, ZYDIS_MNEMONIC_VRSQRTPS, ZYDIS_MNEMONIC_VRSQRTSS };

	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (mnemonic == all[i])
			return true;
	return false;
}

/* An operand %gs:place. */
static void check_place(const struct decoded *decoded, unsigned operand, int64_t place)
{
	const ZydisDecodedOperandMem *mem = &decoded->operands[operand].mem;

	assert_int_equal(decoded->operands[operand].type, ZYDIS_OPERAND_TYPE_MEMORY);
	assert_int_equal(mem->segment, ZYDIS_REGISTER_GS);
	assert_int_equal(mem->base, ZYDIS_REGISTER_NONE);
	assert_int_equal(mem->disp.value, place);
}

/* The sequence of format.h that stands for an approximation. */
static void check_exact(
	const struct code_site *site, const struct decoded *original, const uint8_t *stub)
{
	bool wide = site->kept & CODE_KEPT_WIDE;
	ZydisRegister first = wide ? ZYDIS_REGISTER_YMM0 : ZYDIS_REGISTER_XMM0;
	unsigned at = site->enter, instructions = 0;
	struct decoded decoded;

	assert_int_equal(wide, original->insn.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX);
	assert_int_equal(ZydisRegisterGetId(original->operands[0].reg.value), site->kept & 15);
	for (; at < site->back; at += decoded.insn.length, instructions++) {
		decode(&decoded, stub + at);
		if (instructions == 0) {
			assert_int_equal(decoded.insn.mnemonic,
				wide ? ZYDIS_MNEMONIC_VMOVAPS : ZYDIS_MNEMONIC_MOVAPS);
			check_place(&decoded, 0, GS_EXACT_KEPT);
			assert_int_equal(decoded.operands[1].reg.value, first + (site->kept & 15));
		} else if (instructions == 1) {
			assert_int_equal(decoded.insn.mnemonic, ZYDIS_MNEMONIC_STMXCSR);
			check_place(&decoded, 0, GS_EXACT_MXCSR_KEPT);
		} else if (instructions == 2) {
			assert_int_equal(decoded.insn.mnemonic, ZYDIS_MNEMONIC_LDMXCSR);
			check_place(&decoded, 0, GS_EXACT_MXCSR);
			assert_int_equal(at + decoded.insn.length, site->enter + CODE_EXACT_BEGUN);
		}
	}
	assert_int_equal(at, site->back);
	assert_int_equal(decoded.insn.mnemonic, ZYDIS_MNEMONIC_LDMXCSR);
	check_place(&decoded, 0, GS_EXACT_MXCSR_KEPT);
}

/* The sequence of format.h that enters the guest. Returns where it leaves to. */
static uint64_t check_enter(
	const struct code_site *site, const uint8_t *stub, uint64_t stub_address)
{
	static const uint8_t save[] = { 0x65, 0x48, 0x89, 0x0c, 0x25, GS_INSN_RCX, 0, 0, 0 };
	uint8_t jump[] = { 0x65, 0xff, 0x24, 0x25, GS_ENTER_SYSCALL, 0, 0, 0 };
	static const uint8_t lea[] = { 0x48, 0x8d, 0x0d };
	unsigned at = site->enter;
	int32_t distance;

	if (site->kind != INSN_SYSCALL) {
		assert_memory_equal(stub + at, save, sizeof(save));
		at += sizeof(save);
		jump[4] = GS_ENTER_INSN;
	}
	assert_memory_equal(stub + at, lea, sizeof(lea));
	memcpy(&distance, stub + at + 3, 4);
	at += 7;
	uint64_t back = stub_address + at + (uint64_t)(int64_t)distance;

	assert_memory_equal(stub + at, jump, sizeof(jump));
	at += sizeof(jump);
	if (site->kind != INSN_SYSCALL) {
		assert_int_equal(stub[at], site->kind);
		assert_int_equal(stub[at + 3], 0);
		at += 4;
	} else if (!site->intact) {
		assert_int_equal(stub[at], 0x0f);
		assert_int_equal(stub[at + 1], 0x05);
		at += 2;
	}
	assert_int_equal(site->back, site->intact ? 0 : at);
	return back;
}

/* The sequence that stands for the instruction. */
static void check_sequence(const struct snippet *snippet, const struct code_site *site,
	const struct decoded *original, uint64_t stub_address)
{
	uint64_t behind = snippet->text_address + site->site + original->insn.length;
	const uint8_t *stub = snippet->stubs + site->stub;

	if (site->kind == INSN_APPROXIMATION) {
		assert_true(is_approximation(original->insn.mnemonic));
		assert_false(site->intact);
		check_exact(site, original, stub);
		return;
	}
	assert_int_equal(original->insn.mnemonic, mnemonics[site->kind]);
	assert_int_equal(check_enter(site, stub, stub_address),
		site->intact ? behind : stub_address + site->back);
}

/* Approximations can share the patch of the site before, behind whose part of the stub theirs
 * lies. */
static bool shares(const struct snippet *snippet, const struct code_site *site)
{
	if (site == snippet->sites || site->patch != site[-1].patch)
		return false;
	assert_int_equal(site->kind, INSN_APPROXIMATION);
	assert_int_equal(site->patch_length, site[-1].patch_length);
	assert_true(site->site > site[-1].site);
	assert_int_equal(site->enter, 0);
	return true;
}

static void check_site(const struct snippet *snippet, const struct code_site *site)
{
	uint64_t stub_address =
		snippet->text_address + (uint64_t)snippet->header.stub_delta + site->stub;
	uint64_t window_end = snippet->text_address + site->patch + site->patch_length;
	uint64_t site_address = snippet->text_address + site->site;
	const uint8_t *stub = snippet->stubs + site->stub;
	struct decoded decoded;

	decode(&decoded, snippet->source + site->site);
	assert_in_range(site->patch_length, 5, 127);
	if (!shares(snippet, site))
		assert_int_equal(jump_target(snippet->copy + site->patch,
					 snippet->text_address + site->patch),
			stub_address);
	for (unsigned i = 5; i < site->patch_length; i++)
		assert_int_equal(snippet->copy[site->patch + i], 0xcc);
	if (site->intact) {
		assert_true(site->patch + site->patch_length <= site->site);
	} else {
		assert_true(site->patch <= site->site);
		assert_true(site_address + decoded.insn.length <= window_end);
	}
	check_sequence(snippet, site, &decoded, stub_address);
	for (unsigned i = 0; i < site->places; i++) {
		const struct code_place *place = &site->place[i];
		uint64_t original = site_address + (uint64_t)(int64_t)place->original;

		assert_true(i == 0 || place->stub > site->place[i - 1].stub);
		assert_true(place->stub < site->stub_length);
		if (!site->intact && original == window_end)
			assert_int_equal(
				jump_target(stub + place->stub, stub_address + place->stub),
				window_end);
		else
			check_copy(snippet->source + site->site + place->original, original,
				stub + place->stub, stub_address + place->stub);
	}
}

void snippet_check(const struct snippet *snippet)
{
	const struct code_header *header = &snippet->header;
	uint32_t end = 0, stub_end = 0;
	uint64_t available = snippet->size - header->source_offset;

	assert_int_equal(snippet->rc, 1);
	assert_int_equal(header->file_size, snippet->rewrite.size);
	for (uint32_t i = 0; i < header->sites; i++) {
		const struct code_site *site = &snippet->sites[i];

		check_site(snippet, site);
		assert_int_equal(site->stub, stub_end);
		if (!shares(snippet, site)) {
			assert_true(site->patch >= end);
			assert_memory_equal(
				snippet->copy + end, snippet->source + end, site->patch - end);
		}
		end = site->patch + site->patch_length;
		stub_end = site->stub + site->stub_length;
	}
	assert_true(stub_end <= header->stub_length);
	if (available > header->length)
		available = header->length;
	assert_memory_equal(snippet->copy + end, snippet->source + end, available - end);
	for (uint64_t i = available; i < header->length; i++)
		assert_int_equal(snippet->copy[i], 0);
}
