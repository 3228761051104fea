/* Rewritten code is run here, with a tiny guest, and must do what the original does. */
#include <asm/prctl.h>
#include <setjmp.h>
#include <stdarg.h>
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
} area;

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

static int set_gs(void **state)
{
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
	};

	return cmocka_run_group_tests(tests, set_gs, NULL);
}
