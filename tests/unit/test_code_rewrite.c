/* Which bytes of a program are rewritten, and into what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test_code_snippet.h"

#define FUNCTION(name, body)                                                                       \
	".globl " name "\n.type " name ", @function\n" name ":\n.cfi_startproc\n" body             \
	"\n.cfi_endproc\n.size " name ", .-" name "\n"

static void syscall_after_a_long_instruction_is_left_intact(void **state)
{
	struct snippet s;

	snippet_build(
		&s, FUNCTION("f", "mov $39, %eax\n mov %rdi, %rsi\n site: syscall\n ret"), NULL);
	snippet_check(&s);
	const struct code_site *site = snippet_site(&s, INSN_SYSCALL);

	assert_true(site->intact);
	assert_int_equal(site->site, snippet_symbol(&s, "site"));
	assert_int_equal(site->patch, snippet_symbol(&s, "f"));
	assert_int_equal(site->patch_length, 5);
	assert_int_equal(site->places, 2);
	assert_int_equal(site->place[0].stub, 0);
	assert_int_equal(site->place[0].original, -8);
	assert_int_equal(site->place[1].stub, 5);
	assert_int_equal(site->place[1].original, -3);
	assert_int_equal(site->enter, 8);
	snippet_free(&s);
}

static void prefixed_syscall_goes_on_behind_itself(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "mov $39, %eax\n rex.W syscall\n ret")
			FUNCTION("g", "rex.W syscall\n mov %eax, %edx\n ret"),
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 2);
	snippet_free(&s);
}

static void short_instructions_around_a_syscall_are_merged(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "xor %eax, %eax\n site: syscall\n cmp $-4096, %rax\n ja 1f\n ret\n"
			      "1: or $-1, %rax\n ret"),
		NULL);
	snippet_check(&s);
	const struct code_site *site = snippet_site(&s, INSN_SYSCALL);

	assert_false(site->intact);
	assert_int_equal(site->patch, snippet_symbol(&s, "site"));
	assert_int_equal(site->patch_length, 8);
	snippet_free(&s);
}

static void jump_into_the_window_prevents_merging(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "xor %eax, %eax\n 1: syscall\n 2: dec %edi\n jz 1b\n jmp 2b"), NULL);
	assert_int_equal(s.rc, 0);
	assert_int_equal(s.rewrite.unpatched, 1);
	snippet_free(&s);
}

static void jump_from_another_function_prevents_merging(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f",
			"xor %eax, %eax\n 1: syscall\n 2: dec %edi\n ret") ".fill 300, 1, "
									   "0x90\n" FUNCTION(
										   "g", "jmp 2b")
										   FUNCTION("h",
											   "jmp "
											   "1b"),
		NULL);
	assert_int_equal(s.rc, 0);
	assert_int_equal(s.rewrite.unpatched, 1);
	snippet_free(&s);
}

static void short_jump_from_the_next_function_prevents_merging(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "xor %eax, %eax\n 1: syscall\n 2: dec %edi\n ret")
			FUNCTION("g", "jmp 2b") FUNCTION("h", "jmp 1b"),
		NULL);
	assert_int_equal(s.rc, 0);
	assert_int_equal(s.rewrite.unpatched, 1);
	snippet_free(&s);
}

static void switch_target_in_the_window_prevents_merging(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f",
			"lea table(%rip), %rdx\n movslq (%rdx,%rdi,4), %rax\n add %rdx, %rax\n"
			"jmp *%rax\n"
			"c0: xor %eax, %eax\n c1: syscall\n c2: dec %edi\n ret") ".section "
										 ".rodata\n table: "
										 ".long c0-table, "
										 "c1-table, "
										 "c2-table\n",
		NULL);
	assert_int_equal(s.rc, 0);
	assert_int_equal(s.rewrite.unpatched, 1);
	snippet_free(&s);
}

static void switch_by_addresses_is_followed(void **state)
{
	struct snippet s;

	snippet_build(&s,
		".globl _start\n" FUNCTION("_start", "jmp *table(,%rdi,8)\n"
						     "c0: mov $39, %eax\n syscall\n ret\n c1: mov "
						     "$40, %eax\n syscall\n ret") FUNCTION("g",
			"lea table(%rip), %rax\n jmp *(%rax,%rdi,8)\n"
			"d0: xor %eax, %eax\n d1: syscall\n d2: dec %edi\n ret") ".section "
										 ".rodata\n table: "
										 ".quad c0, c1, "
										 "d0, d1, d2\n",
		"-static -no-pie");
	snippet_check(&s);
	assert_int_equal(s.header.sites, 2);
	assert_int_equal(s.rewrite.unpatched, 1);
	snippet_free(&s);
}

static void code_behind_a_switch_is_found(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f",
			"lea table(%rip), %rdx\n movslq (%rdx,%rdi,4), %rax\n add %rdx, %rax\n"
			"jmp *%rax\n c0: mov $39, %eax\n syscall\n ret\n"
			"c1: xor %eax, %eax\n cpuid\n mov %eax, %edx\n ret") ".section .rodata\n "
									     "table: .long "
									     "c0-table, c1-table, "
									     "0\n",
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 2);
	snippet_free(&s);
}

static void jump_between_does_not_prevent_the_intact_form(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "mov $39, %eax\n 1: syscall\n 2: dec %edi\n jz 1b\n jmp 2b"), NULL);
	snippet_check(&s);
	assert_true(snippet_site(&s, INSN_SYSCALL)->intact);
	snippet_free(&s);
}

static void rip_relative_operands_keep_their_referent(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "mov value(%rip), %eax\n movl $7, value(%rip)\n syscall\n ret")
			FUNCTION("g", "cpuid\n lea value(%rip), %rsi\n ret") ".data\n.zero 64\n "
									     "value: .long 39\n",
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 2);
	snippet_free(&s);
}

static void data_in_text_is_not_touched(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "mov $39, %eax\n syscall\n jmp 1f\n"
			      ".byte 0xb8, 0, 0, 0, 0, 0x0f, 0x05, 0x0f, 0xa2, 0x90, 0x90, 0x90\n"
			      "1: ret") ".byte 0xb8, 0, 0, 0, 0, 0x0f, 0x05, 0x0f, 0xa2, 0x90, "
					"0x90, 0x90\n" FUNCTION("g", "mov $0x90050f90, %eax\n ret"),
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 1);
	assert_int_equal(s.rewrite.unpatched, 0);
	snippet_free(&s);
}

static void function_with_two_readings_is_not_touched(void **state)
{
	struct snippet s;

	/* The branch leads into the middle of the mov. */
	snippet_build(&s,
		FUNCTION("f", "test %edi, %edi\n jz 1f+1\n 1: mov $0x90909090, %eax\n"
			      "mov $39, %eax\n syscall\n ret"),
		NULL);
	assert_int_equal(s.rc, 0);
	snippet_free(&s);
}

static void jump_past_a_lock_prefix_is_no_second_reading(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "test %edi, %edi\n jz 1f+1\n 1: lock incl (%rsi)\n mov $39, %eax\n"
			      "syscall\n ret"),
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 1);
	snippet_free(&s);
}

static void code_behind_the_end_of_a_frame_is_followed(void **state)
{
	struct snippet s;

	snippet_build(&s, FUNCTION("f", "mov $56, %eax") "syscall\n test %eax, %eax\n ret\n", NULL);
	snippet_check(&s);
	assert_true(snippet_site(&s, INSN_SYSCALL)->intact);
	snippet_free(&s);
}

static void other_instructions_are_always_merged(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "mov $7, %eax\n xor %ecx, %ecx\n site: cpuid\n mov %ebx, %esi\n ret"),
		NULL);
	snippet_check(&s);
	const struct code_site *site = snippet_site(&s, INSN_CPUID);

	assert_false(site->intact);
	assert_true(site->patch <= site->site);
	assert_true(site->patch + site->patch_length >= site->site + 2);
	snippet_free(&s);
}

static void check_description(const char *instruction, enum insn_kind kind, int reg, int width)
{
	char text[256];
	struct snippet s;

	snprintf(text, sizeof(text), FUNCTION("f", "nop\n %s\n mov %%eax, %%edx\n ret"),
		instruction);
	snippet_build(&s, text, NULL);
	snippet_check(&s);
	const struct code_site *site = snippet_site(&s, kind);
	const uint8_t *stub = s.stubs + site->stub;

	assert_int_equal(stub[site->back - 4], kind);
	assert_int_equal(stub[site->back - 3], reg);
	assert_int_equal(stub[site->back - 2], width);
	snippet_free(&s);
}

static void stubs_describe_register_and_width(void **state)
{
	check_description("rdrand %rax", INSN_RDRAND, 0, 8);
	check_description("rdrand %r11", INSN_RDRAND, 11, 8);
	check_description("rdrand %cx", INSN_RDRAND, 1, 2);
	check_description("rdseed %ebx", INSN_RDSEED, 3, 4);
	check_description("rdseed %r9w", INSN_RDSEED, 9, 2);
	check_description("rdpid %rdx", INSN_RDPID, 2, 8);
	check_description("rdpid %r15", INSN_RDPID, 15, 8);
	check_description("rdtscp", INSN_RDTSCP, 0, 0);
	check_description("rdtsc", INSN_RDTSC, 0, 0);
	check_description("xgetbv", INSN_XGETBV, 0, 0);
}

static void check_kept(const char *instruction, int kept)
{
	char text[256];
	struct snippet s;

	snprintf(text, sizeof(text), FUNCTION("f", "nop\n %s\n mov %%eax, %%edx\n ret"),
		instruction);
	snippet_build(&s, text, NULL);
	snippet_check(&s);
	assert_int_equal(snippet_site(&s, INSN_APPROXIMATION)->kept, kept);
	snippet_free(&s);
}

static void approximations_of_all_forms_are_computed(void **state)
{
	check_kept("rcpps %xmm1, %xmm2", 2);
	check_kept("rcpss %xmm9, %xmm12", 12);
	check_kept("rsqrtps (%rdi), %xmm8", 8);
	check_kept("rsqrtss %fs:8(%rsp,%r9,4), %xmm15", 15);
	check_kept("rcpps 64(%rip), %xmm0", 0);
	check_kept("rcpps %xmm3, %xmm3", 3);
	check_kept("vrcpps %xmm1, %xmm2", 2 | CODE_KEPT_WIDE);
	check_kept("vrcpps %ymm9, %ymm11", 11 | CODE_KEPT_WIDE);
	check_kept("vrsqrtps (%r9,%r10), %ymm1", 1 | CODE_KEPT_WIDE);
	check_kept("vrcpss %xmm8, %xmm9, %xmm10", 10 | CODE_KEPT_WIDE);
	check_kept("vrsqrtss 64(%rip), %xmm9, %xmm1", 1 | CODE_KEPT_WIDE);
}

/* Elsewhere the operand would be another, since its address wraps at 4 GiB. */
static void approximation_of_an_eip_relative_operand_stays(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "rcpps 64(%eip), %xmm0\n rdtsc\n mov %eax, %esi\n nop\n ret"), NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 1);
	snippet_free(&s);
}

/* With VEX, but others: vmulps, vrcpps' opcode among those of 0x0f38, and what lacks 32 bits. */
static void relatives_of_approximations_stay(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f",
			"vmulps %xmm1, %xmm2, %xmm3\n vdivps %xmm0, %xmm1, %xmm2\n"
			"vpdpwssds %xmm1, %xmm2, %xmm3\n sqrtps %xmm0, %xmm1\n push %rbx\n"
			"push %rdx\n pop %rdx\n pop %rbx\n rdtsc\n mov %eax, %esi\n nop\n ret"),
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 1);
	snippet_free(&s);
}

static void neighbouring_approximations_share_a_stub(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "1: rcpps %xmm1, %xmm2\n second: rsqrtps %xmm3, %xmm4\n jmp *%rax\n"
			      "jmp 1b"),
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 2);
	assert_int_equal(s.rewrite.unpatched, 0);
	assert_int_equal(s.sites[0].patch, snippet_symbol(&s, "f"));
	assert_int_equal(s.sites[0].patch_length, 6);
	assert_int_equal(s.sites[1].patch, s.sites[0].patch);
	assert_int_equal(s.sites[1].site, snippet_symbol(&s, "second"));
	snippet_free(&s);
}

static void xbegin_leaves_to_its_fallback(void **state)
{
	struct snippet s;
	int32_t distance;

	snippet_build(&s, FUNCTION("f", "xbegin 1f\n xend\n ret\n 1: mov $1, %eax\n ret"), NULL);
	snippet_check(&s);
	const struct code_site *site = snippet_site(&s, INSN_XBEGIN);
	uint64_t back = s.text_address + (uint64_t)s.header.stub_delta + site->stub + site->back;

	assert_int_equal(s.stubs[site->stub + site->back], 0xe9);
	memcpy(&distance, s.stubs + site->stub + site->back + 1, 4);
	assert_int_equal(back + 5 + (uint64_t)(int64_t)distance,
		s.text_address + snippet_symbol(&s, "f") + 10);
	snippet_free(&s);
}

static void neighbouring_sites_do_not_share_bytes(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "mov $39, %eax\n syscall\n syscall\n syscall\n mov %eax, %edx\n nop\n"
			      "cpuid\n rdtsc\n mov %eax, %ecx\n nop\n ret"),
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites + s.rewrite.unpatched, 5);
	assert_true(s.header.sites >= 3);
	snippet_free(&s);
}

static void jumps_at_the_end_of_a_window_are_encoded_anew(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f", "cpuid\n nop\n jmp 1f\n .zero 8, 0xcc\n 1: ret")
			FUNCTION("g", "rdtsc\n nop\n jne 1f\n ret\n 1: ud2")
				FUNCTION("h", "mov %edi, %eax\n syscall\n ret"),
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 3);
	snippet_free(&s);
}

static void trampoline_without_frames_keeps_its_bytes(void **state)
{
	struct snippet s;

	snippet_build(&s,
		".globl r\n.type r, @function\n r: mov $15, %rax\n syscall\n"
		".globl f\n.type f, @function\n f: mov $39, %eax\n syscall\n ret\n",
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 1);
	assert_int_equal(s.rewrite.unpatched, 1);
	snippet_free(&s);
}

static void trampoline_whose_frame_starts_a_byte_early_is_found(void **state)
{
	struct snippet s;

	snippet_build(&s,
		FUNCTION("f",
			"mov $39, %eax\n syscall\n ret") "ret\n.cfi_startproc "
							 "simple\n.cfi_signal_frame\n .byte 0xb8\n"
							 "r: mov $15, %rax\n "
							 "syscall\n.cfi_endproc\n",
		NULL);
	snippet_check(&s);
	assert_int_equal(s.header.sites, 2);
	assert_int_equal(s.sites[1].patch, snippet_symbol(&s, "r"));
	snippet_free(&s);
}

static void static_program_without_frames_is_swept(void **state)
{
	struct snippet s;

	snippet_build(&s,
		".globl _start\n _start: call one\n mov $60, %eax\n syscall\n hlt\n .fill 40, 1, "
		"0x90\n"
		"one: mov $39, %eax\n syscall\n ret\n",
		"-static -no-pie -s");
	snippet_check(&s);
	assert_int_equal(s.header.sites, 2);
	snippet_free(&s);
}

static void program_with_no_room_below_is_plain(void **state)
{
	struct snippet s;
	const char *body = ".globl _start\n _start: mov $60, %eax\n syscall\n hlt\n";

	snippet_build(&s, body, "-static -no-pie -Wl,-Ttext-segment=0x20000");
	assert_int_equal(s.rc, 0);
	snippet_free(&s);
	snippet_build(&s, body, "-static -no-pie -Wl,-Ttext-segment=0x21000");
	snippet_check(&s);
	snippet_free(&s);
}

static void stubs_end_where_the_file_begins(void **state)
{
	struct snippet s;

	snippet_build(&s, FUNCTION("f", "mov $39, %eax\n syscall\n ret"), NULL);
	snippet_check(&s);
	assert_int_equal(
		(int64_t)s.text_address + s.header.stub_delta + (int64_t)s.header.stub_length, 0);
	assert_int_equal(s.header.stub_length, 4096);
	snippet_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syscall_after_a_long_instruction_is_left_intact),
		cmocka_unit_test(prefixed_syscall_goes_on_behind_itself),
		cmocka_unit_test(short_instructions_around_a_syscall_are_merged),
		cmocka_unit_test(jump_into_the_window_prevents_merging),
		cmocka_unit_test(jump_from_another_function_prevents_merging),
		cmocka_unit_test(short_jump_from_the_next_function_prevents_merging),
		cmocka_unit_test(switch_target_in_the_window_prevents_merging),
		cmocka_unit_test(switch_by_addresses_is_followed),
		cmocka_unit_test(code_behind_a_switch_is_found),
		cmocka_unit_test(jump_between_does_not_prevent_the_intact_form),
		cmocka_unit_test(rip_relative_operands_keep_their_referent),
		cmocka_unit_test(data_in_text_is_not_touched),
		cmocka_unit_test(function_with_two_readings_is_not_touched),
		cmocka_unit_test(jump_past_a_lock_prefix_is_no_second_reading),
		cmocka_unit_test(code_behind_the_end_of_a_frame_is_followed),
		cmocka_unit_test(other_instructions_are_always_merged),
		cmocka_unit_test(stubs_describe_register_and_width),
		cmocka_unit_test(approximations_of_all_forms_are_computed),
		cmocka_unit_test(approximation_of_an_eip_relative_operand_stays),
		cmocka_unit_test(relatives_of_approximations_stay),
		cmocka_unit_test(neighbouring_approximations_share_a_stub),
		cmocka_unit_test(xbegin_leaves_to_its_fallback),
		cmocka_unit_test(neighbouring_sites_do_not_share_bytes),
		cmocka_unit_test(jumps_at_the_end_of_a_window_are_encoded_anew),
		cmocka_unit_test(trampoline_without_frames_keeps_its_bytes),
		cmocka_unit_test(trampoline_whose_frame_starts_a_byte_early_is_found),
		cmocka_unit_test(static_program_without_frames_is_swept),
		cmocka_unit_test(program_with_no_room_below_is_plain),
		cmocka_unit_test(stubs_end_where_the_file_begins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
