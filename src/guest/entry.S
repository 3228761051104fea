/*
 * Ways into the guest and out of it: process start, rewritten code, signal handlers, new threads.
 * The program's registers live in the thread area while the guest runs on its own stack; the
 * program's stack and red zone are never touched. Only general registers are used throughout.
 */
#include "guest/offsets.h"

#define FLAG_AC 0x40000 /* alignment check: a program may want it, the guest does not */
#define FLAGS_RARE 0x254500 /* TF DF NT RF AC ID */
#define REG(name) %gs:(THREAD_REGS + REGS_##name)

	.text

/* The kernel starts a program: rsp points at argc. */
	.globl guest_start
guest_start:
	xorl	%ebp, %ebp
	movq	%rsp, %rdi
	leaq	start_stack_top(%rip), %rsp
	call	start_process		/* returns the stack for the program ... */
	movq	%rax, %rsp
	movq	%rdx, %r11		/* ... and where it begins */
	xorl	%eax, %eax
	xorl	%ebx, %ebx
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	xorl	%esi, %esi
	xorl	%edi, %edi
	xorl	%r8d, %r8d
	xorl	%r9d, %r9d
	xorl	%r10d, %r10d
	xorl	%r12d, %r12d
	xorl	%r13d, %r13d
	xorl	%r14d, %r14d
	xorl	%r15d, %r15d
	jmp	*%r11

.macro save_registers
	movq	%rax, REG(RAX)
	movq	%rbx, REG(RBX)
	movq	%rdx, REG(RDX)
	movq	%rsi, REG(RSI)
	movq	%rdi, REG(RDI)
	movq	%rbp, REG(RBP)
	movq	%rsp, REG(RSP)
	movq	%r8, REG(R8)
	movq	%r9, REG(R9)
	movq	%r10, REG(R10)
	movq	%r11, REG(R11)
	movq	%r12, REG(R12)
	movq	%r13, REG(R13)
	movq	%r14, REG(R14)
	movq	%r15, REG(R15)
	movq	%gs:THREAD_STACK, %rsp
	pushfq
	popq	REG(RFLAGS)
	cld
	testl	$FLAG_AC, REG(RFLAGS)
	jz	1f
	pushfq
	andl	$~FLAG_AC, (%rsp)
	popfq
1:	movq	%gs:THREAD_SELF, %rdi
.endm

/* From the stub page: a call that the guest handles. THREAD_BACK is where to go on. */
	.globl enter_dispatch
	.p2align 4
enter_dispatch:
	movq	%gs:THREAD_BACK, %rcx
	movq	%rcx, REG(RIP)
	save_registers
	call	dispatch_fast
	jmp	leave_guest

/* From rewritten code: another instruction to emulate, described in the four bytes before rcx. */
	.globl enter_insn
	.p2align 4
enter_insn:
	movq	%rcx, REG(RIP)
	movq	%gs:THREAD_INSN_RCX, %rcx
	movq	%rcx, REG(RCX)
	save_registers
	call	emulate_fast

/*
 * Back to the program. A signal that arrives in here starts it again from leave_guest (signal.c):
 * all that is needed is in the thread area, so it can be started again until its last instruction.
 */
	.globl leave_guest, leave_end
leave_guest:
	movq	%gs:THREAD_STACK, %rsp
	cmpl	$0, %gs:THREAD_PENDING
	jne	leave_pending
	movl	REG(RFLAGS), %ecx
	testl	$FLAGS_RARE, %ecx
	jnz	1f
	movl	%ecx, %eax		/* arithmetic flags only: popfq takes 20 cycles, this 4 */
	shrl	$11, %eax
	andl	$1, %eax
	addb	$0x7f, %al		/* OF */
	movb	%cl, %ah
	sahf				/* SF ZF AF PF CF */
	jmp	2f
1:	pushq	REG(RFLAGS)
	popfq
2:	movq	REG(RAX), %rax
	movq	REG(RBX), %rbx
	movq	REG(RCX), %rcx
	movq	REG(RDX), %rdx
	movq	REG(RSI), %rsi
	movq	REG(RDI), %rdi
	movq	REG(RBP), %rbp
	movq	REG(R8), %r8
	movq	REG(R9), %r9
	movq	REG(R10), %r10
	movq	REG(R11), %r11
	movq	REG(R12), %r12
	movq	REG(R13), %r13
	movq	REG(R14), %r14
	movq	REG(R15), %r15
	movq	REG(RSP), %rsp
	jmp	*REG(RIP)
leave_end:

/* A signal waits for the program. Building its frame needs the extended state, which only the
 * kernel can save: a `syscall` outside the stub page gives a SIGSYS, whose handler does the
 * rest. */
	.globl leave_pending, leave_trap
leave_pending:
	movl	$511, %eax
	syscall
leave_trap:
	ud2

/* Handler of every signal that the guest or the program handles. */
	.globl signal_enter
	.p2align 4
signal_enter:
	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-16, %rsp
	pushfq
	andl	$~FLAG_AC, (%rsp)
	popfq
	cld
	call	signal_arrived
	leave
	ret

/* A new thread, on its own guest stack; rdi is its area. */
	.globl thread_enter
thread_enter:
	movq	%rdi, %rbx
	call	thread_begin
	movq	%rbx, %rdi
	call	thread_fpu_words
	testq	%rax, %rax
	jz	leave_guest
	ldmxcsr	(%rax)
	fldcw	4(%rax)
	jmp	leave_guest

/*
 * int fault_arm(struct fault_frame *frame): like setjmp. Returns 0; returns again, with 1, when the
 * code that follows touches memory that the program does not have.
 */
	.globl fault_arm
	.p2align 4
fault_arm:
	movq	%rbx, 0x00(%rdi)
	movq	%rbp, 0x08(%rdi)
	movq	%r12, 0x10(%rdi)
	movq	%r13, 0x18(%rdi)
	movq	%r14, 0x20(%rdi)
	movq	%r15, 0x28(%rdi)
	leaq	8(%rsp), %rax
	movq	%rax, 0x30(%rdi)
	movq	(%rsp), %rax
	movq	%rax, 0x38(%rdi)
	movq	%gs:THREAD_SELF, %rax
	movq	%rdi, THREAD_FAULT(%rax)
	xorl	%eax, %eax
	ret

	.section .note.GNU-stack, "", @progbits
