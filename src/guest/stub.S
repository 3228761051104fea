/*
 * The stub page: every real `syscall` instruction of a container lies here. The filter lets calls
 * through from this page only.
 *
 * A signal may arrive between any two instructions. What the handler does then depends on the labels
 * exported here (see signal.c):
 *   pass_begin to pass_done      the program's call has not happened: it is as if the program stood
 *                                on its own `syscall`
 *   pass_done to pass_end        it has: as if the program stood behind it
 *   window_begin to window_done  a call made for the program has not happened, or the kernel asks to
 *                                restart it: it is abandoned with -RESTART
 */
#include <asm/unistd.h>
#include "guest/offsets.h"

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
	syscall
pass_done:
	movq	%gs:THREAD_BACK, %rcx
	jmp	*%rcx
pass_end:
1:	jmp	enter_dispatch

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

/* long sys_window_do(number, a, b, c, d, e, f): a call on behalf of the program, which a signal that is
 * already pending, or that arrives before the call or makes it restart, turns into -RESTART. */
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

/* long sys_clone(flags, stack, parent_tid, child_tid, tls): the child starts in thread_begin with the
 * thread area that lies on top of its stack as its argument. */
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

/* void thread_leave(uint32_t *busy, int status): gives the thread area back and ends the thread. From the store
 * on, the stack may be somebody else's: all signals must be blocked. */
	.globl thread_leave
thread_leave:
	movl	$0, (%rdi)
	movl	%esi, %edi
	movl	$__NR_exit, %eax
	syscall
	ud2
