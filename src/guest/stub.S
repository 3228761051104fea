/*
 * The stub page: every real `syscall` instruction of a container lies here. The filter lets calls
 * through from this page only.
 *
 * A signal may arrive between any two instructions. What the handler does then depends on the
 * labels exported here (see signal.c):
 *   pass_begin to pass_done      the program's call has not happened: it is as if the program stood
 *                                on its own `syscall`
 *   pass_done to pass_end        it has: as if the program stood behind it
 *   look_enter to look_slow      see there
 *   window_begin to window_done  a call made for the program has not happened, or the kernel asks
 *                                to restart it: it is abandoned with -RESTART
 */
#include <asm/unistd.h>
#include "guest/offsets.h"

#define REG(name) %gs:(THREAD_REGS + REGS_##name)
#define FLAGS_USUAL 0x246 /* IF ZF PF: what r11 mostly holds after a call */

	.section .stub, "ax", @progbits

/* From rewritten code: rcx is where to go on, r11 and rcx are free, nothing else is; not the flags
 * either, hence jrcxz. Calls marked in the pass table go straight to the kernel. */
	.globl enter_syscall, pass_begin, pass_done, pass_end
	.p2align 6
enter_syscall:
	movq	%rcx, %gs:THREAD_BACK
pass_begin:
	movq	%gs:THREAD_PASS, %r11
	movzwl	%ax, %ecx
	movzbl	(%r11, %rcx), %ecx
	jrcxz	1f
	leaq	-PASS_LOOK(%rcx), %rcx
	jrcxz	2f
	syscall
pass_done:
	movq	%gs:THREAD_BACK, %rcx
	jmp	*%rcx
pass_end:
1:	jmp	enter_dispatch

/*
 * clock_gettime of the two clocks that everybody asks for, with nothing in its way: the process's
 * clock moves by a step and is shown in seconds and ns. Anything unusual goes on at look_slow,
 * which makes an ordinary call of it. So do a fault, and a signal from look_saved on; before, a
 * signal finds the program on its own `syscall`, apart from rax.
 */
	.globl look_enter, look_begin, look_saved, look_slow
	.p2align 4
look_enter:
2:	movq	%rax, REG(RAX)
	movq	%rdx, REG(RDX)
look_begin:
	lahf				/* SF ZF AF PF CF */
	seto	%al
	movq	%rax, REG(RFLAGS)
look_saved:
	movl	%edi, %ecx
	cmpl	$1, %ecx		/* CLOCK_REALTIME, CLOCK_MONOTONIC */
	ja	look_slow
	movq	%gs:THREAD_CLOCK, %rdx
	movq	%gs:THREAD_STEP, %r11
	movq	(%rdx), %rax
	addq	%r11, %rax
	cmpq	timers_due(%rip), %rax
	jae	look_slow		/* which moves the clock by itself */
	movq	%r11, %rax
	lock xaddq %rax, (%rdx)
	addq	%r11, %rax
	addq	%gs:THREAD_ZERO_NSEC(, %rcx, 8), %rax
	movq	%rax, %r11
	shrq	$9, %rax		/* by 10^9: (x >> 9) * 2^75 / 5^9 / 2^75, exact to 2^64 */
	movabsq	$0x44b82fa09b5a53, %rdx
	mulq	%rdx
	shrq	$11, %rdx
	imulq	$1000000000, %rdx, %rax
	subq	%rax, %r11
	addq	%gs:THREAD_ZERO_SEC(, %rcx, 8), %rdx
	movq	%rdx, (%rsi)
	movq	%r11, 8(%rsi)
	movq	REG(RFLAGS), %rax
	addb	$0x7f, %al		/* OF */
	sahf
	movq	REG(RDX), %rdx
	movl	$0, %eax
	movq	%gs:THREAD_BACK, %rcx
	movl	$FLAGS_USUAL, %r11d
	jmp	*%rcx
look_slow:
	movq	REG(RFLAGS), %rax
	addb	$0x7f, %al
	sahf
	movq	REG(RAX), %rax
	movq	REG(RDX), %rdx
	jmp	enter_dispatch

/* From a C function's arguments (number, a, b, c, d, e, f) to the kernel's. */
.macro arguments_to_kernel
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	movq	8(%rsp), %r9
.endm

/* long sys_do(number, a, b, c, d, e, f): a call of the guest's own. */
	.globl sys_do
	.p2align 4
sys_do:
	arguments_to_kernel
	syscall
	ret

/* long sys_window_do(number, a, b, c, d, e, f): a call on behalf of the program, which a signal
 * that is already pending, or that arrives before the call or makes it restart, turns into
 * -RESTART. */
	.globl sys_window_do, window_begin, window_done, window_abort
	.p2align 4
sys_window_do:
	arguments_to_kernel
window_begin:
	cmpl	$0, %gs:THREAD_PENDING
	jne	window_abort
	syscall
window_done:
	ret
window_abort:
	movq	$-512, %rax
	ret

/* long sys_clone(flags, stack, parent_tid, child_tid, tls): the child starts in thread_begin with
 * the thread area that lies on top of its stack as its argument. */
	.globl sys_clone
	.p2align 4
sys_clone:
	movq	%rcx, %r10
	movl	$__NR_clone, %eax
	syscall
	testq	%rax, %rax
	jz	1f
	ret
1:	xorl	%ebp, %ebp
	movq	(%rsp), %rdi
	jmp	thread_enter

/* Signal handlers of the guest end here. */
	.globl signal_restore
	.p2align 4
signal_restore:
	movl	$__NR_rt_sigreturn, %eax
	syscall
	ud2

/* void sigreturn_from(void *ucontext): leaves the guest through a frame of the program. */
	.globl sigreturn_from
sigreturn_from:
	movq	%rdi, %rsp
	movl	$__NR_rt_sigreturn, %eax
	syscall
	ud2

/* void thread_leave(uint32_t *busy, int status): gives the thread area back and ends the thread.
 * From the store on, the stack may be somebody else's: all signals must be blocked. */
	.globl thread_leave
thread_leave:
	movl	$0, (%rdi)
	movl	%esi, %edi
	movl	$__NR_exit, %eax
	syscall
	ud2
