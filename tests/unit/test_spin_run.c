/*
 * The guest's decoder against Zydis, over the C library's code; and its model of the machine
 * against the machine: random instructions, with random operands, are run by both.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "guest/spin_alu.h"
#include "guest/spin_decode.h"
#include "guest/spin_run.h"

#define PAGE	  4096ul
#define ROUNDS	  200000
#define TRAP_CODE 0xcc

bool spin_read(void *to, uint64_t address, size_t bytes)
{
	struct iovec local = { to, bytes }, remote = { (void *)address, bytes };

	return syscall(SYS_process_vm_readv, getpid(), &local, 1ul, &remote, 1ul, 0ul) ==
	       (long)bytes;
}

/* --- the decoder --- */

struct code {
	const uint8_t *at, *end;
};

static int find_libc(struct dl_phdr_info *info, size_t size, void *data)
{
	struct code *code = data;

	(void)size;
	if (!strstr(info->dlpi_name, "libc.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
			code->at = (const uint8_t *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			code->end = code->at + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

static const ZydisDecodedOperand *memory_operand(
	const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < insn->operand_count_visible; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			return &operands[i];
	return NULL;
}

static void check_against_zydis(const uint8_t *at, const ZydisDecodedInstruction *insn,
	const ZydisDecodedOperand *operands, const struct operation *o)
{
	const ZydisDecodedOperand *memory = memory_operand(insn, operands);

	if (o->length != insn->length)
		fail_msg("length of %02x %02x %02x at %p: %u, not %u", at[0], at[1], at[2],
			(const void *)at, o->length, insn->length);
	if (!memory)
		return;
	assert_true(o->memory);
	assert_int_equal(o->displacement, memory->mem.disp.value);
	if (memory->mem.base != ZYDIS_REGISTER_NONE && memory->mem.base != ZYDIS_REGISTER_RIP)
		assert_int_equal(o->base, memory->mem.base - ZYDIS_REGISTER_RAX);
	if (memory->mem.index != ZYDIS_REGISTER_NONE) {
		assert_int_equal(o->index, memory->mem.index - ZYDIS_REGISTER_RAX);
		assert_int_equal(1u << o->shift, memory->mem.scale);
	}
}

static void lengths_and_operands_are_those_of_zydis(void **state)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	struct code code = { NULL, NULL };
	size_t known = 0, all = 0;

	(void)state;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	dl_iterate_phdr(find_libc, &code);
	assert_non_null(code.at);
	while (code.at < code.end) {
		size_t left = (size_t)(code.end - code.at);
		struct operation o;

		if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code.at, left, &insn, operands))) {
			code.at++;
			continue;
		}
		all++;
		if (spin_decode(code.at, left, &o)) {
			known++;
			check_against_zydis(code.at, &insn, operands, &o);
		}
		code.at += insn.length;
	}
	printf("%zu of %zu instructions are known\n", known, all);
	assert_true(known > all / 2);
}

static void what_is_cut_short_is_not_known(void **state)
{
	static const uint8_t code[] = { 0x48, 0x81, 0x84, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8 };
	struct operation o;

	(void)state;
	for (size_t i = 0; i < sizeof(code); i++)
		assert_false(spin_decode(code, i, &o));
	assert_true(spin_decode(code, sizeof(code), &o));
	assert_int_equal(o.length, sizeof(code));
}

/* --- the model --- */

/* The architecture's numbers, as ucontext has them. */
static const int places[MODEL_REGISTERS] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
	REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

static struct model native;
static gregset_t home;
static bool away;

/* The first trap goes there, the second comes back. */
static void trapped(int signal, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)signal, (void)info;
	if (!away) {
		memcpy(home, registers, sizeof(home));
		for (int i = 0; i < MODEL_REGISTERS; i++)
			registers[places[i]] = (greg_t)native.registers[i];
		registers[REG_RIP] = (greg_t)native.rip;
		registers[REG_EFL] = (greg_t)native.flags;
	} else {
		for (int i = 0; i < MODEL_REGISTERS; i++)
			native.registers[i] = (uint64_t)registers[places[i]];
		native.rip = (uint64_t)registers[REG_RIP] - 1;
		native.flags = (uint64_t)registers[REG_EFL];
		memcpy(registers, home, sizeof(home));
	}
	away = !away;
}

static void catch_traps(void)
{
	static uint8_t stack[65536];
	const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = trapped, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaltstack(&alternate, NULL);
	sigaction(SIGTRAP, &action, NULL);
}

static uint64_t random_bits(void)
{
	static uint64_t state = 88172645463325252ull;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Small numbers and edges as well. */
static uint64_t random_value(void)
{
	uint64_t bits = random_bits();

	switch (bits & 7) {
	case 0:
		return bits >> 60;
	case 1:
		return -(bits >> 60);
	case 2:
		return 1ull << (bits >> 58);
	case 3:
		return (bits >> 32) | 0xffffffff00000000ull;
	default:
		return random_bits();
	}
}

static uint8_t *code, *data; /* a page of traps, two of bytes */

static void write_random_instruction(void)
{
	static const uint8_t prefixes[] = { 0x66, 0xf3, 0x41, 0x42, 0x44, 0x45, 0x48, 0x49, 0x4c,
		0x4d };
	uint8_t *at = code + 2048;
	uint64_t bits = random_bits();

	memset(at - 160, TRAP_CODE, 320);
	if (bits & 1)
		*at++ = prefixes[(bits >> 8) % sizeof(prefixes)];
	if (bits & 2)
		*at++ = 0x0f;
	memcpy(at, (uint64_t[]){ random_bits(), random_bits() }, 15 - (size_t)(at - code - 2048));
}

/* Where memory is touched must be data. */
static bool is_testable(const struct operation *o)
{
	bool search = o->extended && (o->opcode == 0xb8 || (o->opcode & 0xfe) == 0xbc);

	if (o->fs || o->lock || o->repne || (o->rep && !search))
		return false;
	return !o->memory || (o->base < OPERATION_RIP && o->index != o->base);
}

/* Where control goes must be a trap. */
static bool goes_elsewhere(const struct operation *o)
{
	if (o->extended)
		return (o->opcode & 0xf0) == 0x80;
	if ((o->opcode & 0xf0) == 0x70 || o->opcode == 0xeb) /* into itself? */
		return o->immediate < 0 && o->immediate >= -o->length;
	return o->opcode == 0xc3 || o->opcode == 0xe8 || o->opcode == 0xe9 ||
	       (o->opcode == 0xff && (o->reg & 7) >= 2 && (o->reg & 7) < 6) || o->opcode == 0xc9;
}

static void choose_state(struct model *m, const struct operation *o)
{
	memset(m, 0, sizeof(*m));
	for (int i = 0; i < MODEL_REGISTERS; i++)
		m->registers[i] = random_value();
	for (size_t i = 0; i < 2 * PAGE; i += 8)
		memcpy(data + i, &(uint64_t){ random_value() }, 8);
	m->registers[MODEL_RSP] = (uint64_t)data + PAGE;
	if (o->memory) {
		if (o->index != OPERATION_NOTHING)
			m->registers[o->index] = random_bits() & 15;
		m->registers[o->base] = (uint64_t)data + PAGE + (random_bits() & 63) -
					(uint64_t)(int64_t)o->displacement;
	}
	m->rip = (uint64_t)code + 2048;
	m->flags = 0x202 | (random_bits() & FLAGS_STATUS);
}

/* Flags that the architecture says something about. */
static uint64_t defined_flags(const struct operation *o)
{
	bool shift = (o->opcode & 0xfe) == 0xc0 || (o->opcode & 0xfc) == 0xd0;
	bool division = o->opcode == 0xf7 && (o->reg & 7) >= 6;

	if (o->extended)
		return (o->opcode & 0xfe) == 0xbc ? 0x41 : FLAGS_STATUS;       /* ZF, CF */
	return shift ? FLAGS_STATUS & ~0x810ull : division ? 0 : FLAGS_STATUS; /* OF, AF */
}

static void compare(const struct model *m, const uint8_t *before, const struct operation *o)
{
	bool same = m->rip == native.rip && !((m->flags ^ native.flags) & defined_flags(o)) &&
		    memcmp(m->registers, native.registers, sizeof(m->registers)) == 0;

	for (uint32_t i = 0; i < m->cell_count; i++) {
		uint8_t *there = (uint8_t *)m->cells[i].address;

		same &= memcmp(there, &m->cells[i].value, 4) == 0;
		memcpy(there, before + (there - data), 4);
	}
	same &= memcmp(before, data, 2 * PAGE) == 0;
	if (same)
		return;
	for (int i = 0; i < MODEL_REGISTERS; i++)
		printf("%2d %016lx %016lx\n", i, m->registers[i], native.registers[i]);
	fail_msg("%s%02x /%u size %u: flags %lx %lx, rip %lx %lx", o->extended ? "0f " : "",
		o->opcode, o->reg & 7, o->size, m->flags, native.flags, m->rip, native.rip);
}

static void instructions_do_what_the_machine_does(void **state)
{
	static uint8_t before[2 * PAGE];
	static struct model m;
	size_t tested = 0;

	(void)state;
	code = mmap(
		NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	data = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(code != MAP_FAILED && data != MAP_FAILED);
	memset(code, TRAP_CODE, PAGE);
	catch_traps();
	for (int round = 0; round < ROUNDS; round++) {
		struct operation o;

		write_random_instruction();
		if (!spin_decode(code + 2048, 15, &o) || !is_testable(&o) || goes_elsewhere(&o))
			continue;
		memset(code + 2048 + o.length, TRAP_CODE, 160);
		choose_state(&m, &o);
		native = m;
		memcpy(before, data, sizeof(before));
		if (!model_step(&m))
			continue;
		__asm__ volatile("int3" ::: "memory", "cc");
		compare(&m, before, &o);
		tested++;
	}
	printf("%zu instructions compared\n", tested);
	assert_true(tested > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_and_operands_are_those_of_zydis),
		cmocka_unit_test(what_is_cut_short_is_not_known),
		cmocka_unit_test(instructions_do_what_the_machine_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
