/* Rewritten code is run here, with a tiny guest, and must do what the original does. */
#include <asm/prctl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "test_code_snippet.h"

/* What the tiny guest answers instead of the instruction, and what it noted. */
#define ANSWER_RAX 0x1111
#define ANSWER_RDX 0x2222

static struct {
	void *enter_syscall, *enter_insn;
	uint64_t saved_rcx;
	uint64_t back;	      /* 0x18 */
	uint64_t calls;	      /* 0x20 */
	uint64_t description; /* 0x28 */
	uint64_t rax;	      /* 0x30 */
	uint8_t unused[GS_EXACT_KEPT - 0x38];
	_Alignas(32) uint8_t kept[32];
	uint8_t operand[32];
	float ones[8];
	uint32_t mxcsr, mxcsr_kept, integer;
} area;
_Static_assert(offsetof(__typeof__(area), kept) == GS_EXACT_KEPT, "as format.h says");
_Static_assert(offsetof(__typeof__(area), integer) == GS_EXACT_INTEGER, "as format.h says");

void guest_syscall(void);
void guest_insn(void);

/* Neither touches flags nor stack, as the real one must seem not to. */
__asm__(".pushsection .text\n"
	".globl guest_syscall\n"
	"guest_syscall:\n"
	"	mov %rcx, %gs:0x18\n"
	"	mov %gs:0x20, %rcx\n"
	"	lea 1(%rcx), %rcx\n"
	"	mov %rcx, %gs:0x20\n"
	"	syscall\n"
	"	jmp *%gs:0x18\n"
	".globl guest_insn\n"
	"guest_insn:\n"
	"	mov %rcx, %gs:0x18\n"
	"	mov -4(%rcx), %ecx\n"
	"	mov %rcx, %gs:0x28\n"
	"	mov $0x1111, %eax\n"
	"	mov $0x2222, %edx\n"
	"	mov %gs:0x10, %rcx\n"
	"	jmp *%gs:0x18\n"
	".popsection\n");

struct loaded {
	struct snippet snippet;
	uint8_t *mapping, *text;
	size_t bytes;
};

/* Maps stubs and the whole file around the rewritten segment, as a loader and a guest would. */
static void load(struct loaded *loaded, const char *assembly)
{
	struct snippet *s = &loaded->snippet;

	snippet_build(s, assembly, NULL);
	snippet_check(s);
	size_t stubs = s->header.stub_length;

	loaded->bytes = stubs + s->size + 0x10000;
	loaded->mapping = mmap(NULL, loaded->bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(loaded->mapping, MAP_FAILED);
	memcpy(loaded->mapping, s->stubs, stubs);
	memcpy(loaded->mapping + stubs, s->bytes, s->size);
	loaded->text = loaded->mapping + stubs + s->text_address;
	memcpy(loaded->text, s->copy, s->header.length);
	area.calls = area.description = 0;
}

static void unload(struct loaded *loaded)
{
	munmap(loaded->mapping, loaded->bytes);
	snippet_free(&loaded->snippet);
}

static uint64_t call(const struct loaded *loaded, const char *name, uint64_t argument)
{
	uint64_t (*function)(uint64_t) =
		(uint64_t(*)(uint64_t))(loaded->text + snippet_symbol(&loaded->snippet, name));

	return function(argument);
}

#define FUNCTION(name, body)                                                                       \
	".globl " name "\n.type " name ", @function\n" name ":\n.cfi_startproc\n" body             \
	"\n.cfi_endproc\n"

static void intact_call_runs_through_the_guest(void **state)
{
	struct loaded l;

	load(&l, FUNCTION("f", "mov $39, %eax\n mov %rdi, %rsi\n syscall\n ret"));
	assert_int_equal(call(&l, "f", 0), getpid());
	assert_int_equal(area.calls, 1);
	unload(&l);
}

static void merged_call_runs_through_the_guest(void **state)
{
	struct loaded l;

	load(&l, FUNCTION("f", "mov %edi, %eax\n syscall\n cmp $-4096, %rax\n ja 1f\n ret\n"
			       "1: mov $-1, %rax\n ret"));
	assert_int_equal(call(&l, "f", SYS_getpid), getpid());
	assert_int_equal(call(&l, "f", 100000), -1);
	assert_int_equal(area.calls, 2);
	unload(&l);
}

static void jump_into_the_middle_runs_the_original(void **state)
{
	struct loaded l;

	load(&l, FUNCTION("f", "mov $39, %eax\n middle: syscall\n 1: dec %rdi\n jns 1b\n ret")
			 FUNCTION("g", "mov $39, %eax\n jmp middle\n"));
	assert_int_equal(call(&l, "g", 2), getpid());
	assert_int_equal(area.calls, 0);
	assert_int_equal(call(&l, "f", 2), getpid());
	assert_int_equal(area.calls, 1);
	unload(&l);
}

static void jump_to_the_first_byte_of_a_window_is_fast(void **state)
{
	struct loaded l;

	load(&l, FUNCTION("f", "mov $39, %eax\n middle: mov %rdi, %rsi\n syscall\n ret")
			 FUNCTION("g", "mov $39, %eax\n jmp middle\n"));
	assert_int_equal(call(&l, "g", 0), getpid());
	assert_int_equal(area.calls, 1);
	unload(&l);
}

static void rip_relative_operand_reads_the_same_memory(void **state)
{
	struct loaded l;

	load(&l, FUNCTION("f", "mov number(%rip), %eax\n syscall\n ret\n number: .long 39"));
	assert_int_equal(call(&l, "f", 0), getpid());
	assert_int_equal(area.calls, 1);
	unload(&l);
}

static void instruction_is_answered_and_the_rest_kept(void **state)
{
	struct loaded l;

	/* rcx, r11, the carry flag and the red zone must survive. */
	load(&l, FUNCTION("f", "mov $77, %ecx\n mov $88, %r11d\n movq $99, -8(%rsp)\n stc\n"
			       "rdtsc\n mov %eax, %esi\n nop\n sbb $0, %edx\n"
			       "cmp $77, %ecx\n jne 1f\n cmp $88, %r11d\n jne 1f\n"
			       "cmpq $99, -8(%rsp)\n jne 1f\n"
			       "lea (%rsi,%rdx), %eax\n ret\n 1: xor %eax, %eax\n ret"));
	assert_int_equal(call(&l, "f", 0), ANSWER_RAX + ANSWER_RDX - 1);
	assert_int_equal(area.description & 0xff, INSN_RDTSC);
	unload(&l);
}

static void red_zone_and_flags_survive_a_call(void **state)
{
	struct loaded l;

	load(&l, FUNCTION("f", "movq $99, -8(%rsp)\n stc\n mov $39, %eax\n syscall\n"
			       "mov $0, %eax\n adc $0, %eax\n cmpq $99, -8(%rsp)\n jne 1f\n ret\n"
			       "1: mov $-1, %eax\n ret"));
	assert_int_equal(call(&l, "f", 0), 1);
	assert_int_equal(area.calls, 1);
	unload(&l);
}

static void xbegin_always_takes_the_fallback(void **state)
{
	struct loaded l;

	load(&l, FUNCTION("f", "xbegin 1f\n ud2\n 1: lea 1(%rax), %rax\n ret"));
	assert_int_equal(call(&l, "f", 0), ANSWER_RAX + 1);
	assert_int_equal(area.description & 0xff, INSN_XBEGIN);
	unload(&l);
}

static void branch_in_a_window_goes_both_ways(void **state)
{
	struct loaded l;

	load(&l, FUNCTION("f", "test %rdi, %rdi\n cpuid\n nop\n jz 1f\n mov $5, %eax\n ret\n"
			       "1: mov $6, %eax\n ret")
			 FUNCTION("g", "rdtsc\n nop\n jmp 1f\n ud2\n ud2\n 1: ret"));
	assert_int_equal(l.snippet.header.sites, 2);
	assert_int_equal(call(&l, "f", 1), 5);
	assert_int_equal(call(&l, "f", 0), 6);
	assert_int_equal(call(&l, "g", 0), ANSWER_RAX);
	unload(&l);
}

/* In single precision: 1/3 and 1/sqrt(3), which no approximation hits. */
#define THIRD	   0x3eaaaaab
#define ROOT_THIRD 0x3f13cd3a
#define THREE	   0x40400000

static void check_approximation(const char *code, uint64_t wanted)
{
	char text[512];
	struct loaded l;

	snprintf(text, sizeof(text),
		FUNCTION("f",
			"movd %%edi, %%xmm0\n pshufd $0, %%xmm0, %%xmm0\n movaps %%xmm0, %%xmm9\n"
			"movd %%edi, %%xmm1\n movups %%xmm0, -24(%%rsp)\n stc\n %s\n jnc 1f\n"
			"movq %%xmm0, %%rax\n ret\n 1: ud2\n .balign 16\n"
			" threes: .long 0x40400000, 0x40400000, 0x40400000, 0x40400000"),
		code);
	load(&l, text);
	assert_int_equal(call(&l, "f", THREE), wanted);
	assert_int_equal(area.description, 0);
	unload(&l);
}

static void approximations_are_exact(void **state)
{
	const uint64_t both = (uint64_t)THIRD << 32 | THIRD;
	const uint64_t first = (uint64_t)THREE << 32 | THIRD;

	check_approximation("rcpps %xmm9, %xmm0", both);
	check_approximation("rcpps %xmm0, %xmm0", both);
	check_approximation("rcpps threes(%rip), %xmm0", both);
	check_approximation("rcpps -24(%rsp), %xmm0", both);
	check_approximation("rcpss %xmm9, %xmm0", first);
	check_approximation("rcpss %xmm0, %xmm0", first);
	check_approximation("rcpss -20(%rsp), %xmm0", first);
	check_approximation("rsqrtps %xmm0, %xmm0", (uint64_t)ROOT_THIRD << 32 | ROOT_THIRD);
	check_approximation("rsqrtss %xmm1, %xmm0", (uint64_t)THREE << 32 | ROOT_THIRD);
	check_approximation("rsqrtss threes(%rip), %xmm0", (uint64_t)THREE << 32 | ROOT_THIRD);
	/* Twice: what it was, to the last bit. */
	check_approximation("rcpps %xmm0, %xmm0\n rcpps %xmm0, %xmm0", 0x4040000040400000);
	check_approximation("rcpss %xmm0, %xmm2\n rcpss %xmm2, %xmm1\n rcpss %xmm1, %xmm0", first);
}

static void vex_approximations_are_exact(void **state)
{
	if (!__builtin_cpu_supports("avx"))
		skip();
	check_approximation("vrcpps %ymm0, %ymm0", (uint64_t)THIRD << 32 | THIRD);
	check_approximation("vrcpps -24(%rsp), %xmm0", (uint64_t)THIRD << 32 | THIRD);
	check_approximation("vrcpss %xmm9, %xmm1, %xmm0", THIRD);
	check_approximation("vrcpss %xmm0, %xmm9, %xmm0", (uint64_t)THREE << 32 | THIRD);
	check_approximation("vrsqrtss %xmm0, %xmm0, %xmm0", (uint64_t)THREE << 32 | ROOT_THIRD);
	check_approximation(
		"vrsqrtps threes(%rip), %ymm0", (uint64_t)ROOT_THIRD << 32 | ROOT_THIRD);
}

static int set_gs(void **state)
{
	for (unsigned i = 0; i < 8; i++)
		area.ones[i] = 1;
	area.mxcsr = EXACT_MXCSR;
	area.integer = 1;
	area.enter_syscall = guest_syscall;
	area.enter_insn = guest_insn;
	return (int)syscall(SYS_arch_prctl, ARCH_SET_GS, &area);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intact_call_runs_through_the_guest),
		cmocka_unit_test(merged_call_runs_through_the_guest),
		cmocka_unit_test(jump_into_the_middle_runs_the_original),
		cmocka_unit_test(jump_to_the_first_byte_of_a_window_is_fast),
		cmocka_unit_test(rip_relative_operand_reads_the_same_memory),
		cmocka_unit_test(instruction_is_answered_and_the_rest_kept),
		cmocka_unit_test(red_zone_and_flags_survive_a_call),
		cmocka_unit_test(xbegin_always_takes_the_fallback),
		cmocka_unit_test(branch_in_a_window_goes_both_ways),
		cmocka_unit_test(approximations_are_exact),
		cmocka_unit_test(vex_approximations_are_exact),
	};

	return cmocka_run_group_tests(tests, set_gs, NULL);
}
