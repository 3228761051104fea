/* A system call changes rax, rcx and r11 and nothing else: not flags, not vector registers. */
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

/* Not static: the assembly below names them. */
unsigned long before[13], after[13], result;

/* rbx rdx rsi rdi rbp r8 r9 r10 r12 r13 r14 r15 and the flags, around getppid. */
__attribute__((noinline)) static void call_with_known_registers(void)
{
	__asm__ volatile(
		"pushq %%rbp\n pushq %%rbx\n"
		"movl $0x11111111, %%ebx\n movl $0x22222222, %%edx\n movl $0x33333333, %%esi\n"
		"movl $0x44444444, %%edi\n movl $0x55555555, %%ebp\n movl $0x66666666, %%r8d\n"
		"movl $0x77777777, %%r9d\n movl $0x12121212, %%r10d\n movl $0x13131313, %%r12d\n"
		"movl $0x14141414, %%r13d\n movl $0x15151515, %%r14d\n movl $0x16161616, %%r15d\n"
		"movl $110, %%eax\n"
		"cmpl %%ebx, %%edx\n stc\n"
		"pushfq\n popq before+96(%%rip)\n"
		"syscall\n"
		"pushfq\n popq after+96(%%rip)\n"
		"movq %%rax, result(%%rip)\n"
		"movq %%rbx, after+0(%%rip)\n movq %%rdx, after+8(%%rip)\n"
		"movq %%rsi, after+16(%%rip)\n movq %%rdi, after+24(%%rip)\n"
		"movq %%rbp, after+32(%%rip)\n movq %%r8, after+40(%%rip)\n"
		"movq %%r9, after+48(%%rip)\n movq %%r10, after+56(%%rip)\n"
		"movq %%r12, after+64(%%rip)\n movq %%r13, after+72(%%rip)\n"
		"movq %%r14, after+80(%%rip)\n movq %%r15, after+88(%%rip)\n"
		"popq %%rbx\n popq %%rbp\n"
		:
		:
		: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
		"r15", "memory", "cc");
}

static void check_general(void)
{
	static const unsigned long wanted[12] = { 0x11111111, 0x22222222, 0x33333333, 0x44444444,
		0x55555555, 0x66666666, 0x77777777, 0x12121212, 0x13131313, 0x14141414, 0x15151515,
		0x16161616 };
	call_with_known_registers();
	expect_true("the call answered", (pid_t)result == getppid());
	for (int i = 0; i < 12; i++)
		expect("register", (long)after[i], (long)wanted[i]);
	expect_true("flags", before[12] == after[12]);
}

static void check_vector(void)
{
	unsigned char in[256], out[256];
	for (int i = 0; i < 256; i++)
		in[i] = (unsigned char)(i * 7 + 1);
	__asm__ volatile("movups 0(%0), %%xmm0\n movups 16(%0), %%xmm1\n movups 112(%0), %%xmm7\n"
			 "movups 240(%0), %%xmm15\n"
			 "movl $110, %%eax\n syscall\n"
			 "movups %%xmm0, 0(%1)\n movups %%xmm1, 16(%1)\n movups %%xmm7, 112(%1)\n"
			 "movups %%xmm15, 240(%1)\n"
			 :
			 : "r"(in), "r"(out)
			 : "rax", "rcx", "r11", "xmm0", "xmm1", "xmm7", "xmm15", "memory");
	expect("xmm0", memcmp(in, out, 16), 0);
	expect("xmm1", memcmp(in + 16, out + 16, 16), 0);
	expect("xmm7", memcmp(in + 112, out + 112, 16), 0);
	expect("xmm15", memcmp(in + 240, out + 240, 16), 0);
}

static void check_control_words(void)
{
	unsigned mxcsr = 0x1f80 | 0x6000, mxcsr_after;
	unsigned short control = 0x0e7f, control_after;
	__asm__ volatile("ldmxcsr %0\n fldcw %1" : : "m"(mxcsr), "m"(control));
	getppid();
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	__asm__ volatile("stmxcsr %0\n fnstcw %1" : "=m"(mxcsr_after), "=m"(control_after));
	expect("mxcsr", mxcsr_after & 0x6000, 0x6000);
	expect("x87 control word", control_after, 0x0e7f);
}

int main(void)
{
	check_general();
	check_vector();
	check_control_words();
	return verdict();
}
