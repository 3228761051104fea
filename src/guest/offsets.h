/*
 * Offsets into struct thread (thread.h) for assembly; thread.h asserts that they are right. The
 * first three are the contract with rewritten code (code/format.h).
 */
#ifndef STET_GUEST_OFFSETS_H
#define STET_GUEST_OFFSETS_H

#define THREAD_ENTER_SYSCALL 0x00
#define THREAD_ENTER_INSN    0x08
#define THREAD_INSN_RCX	     0x10
#define THREAD_BACK	     0x18
#define THREAD_PASS	     0x20
#define THREAD_SELF	     0x28
#define THREAD_STACK	     0x30
#define THREAD_PENDING	     0x38
#define THREAD_REGS	     0x40
#define THREAD_FAULT	     0xd0
#define THREAD_CLOCK	     0xd8
#define THREAD_STEP	     0xe0
#define THREAD_ZERO_SEC	     0xe8
#define THREAD_ZERO_NSEC     0xf8

/* Values of the pass table. */
#define PASS_NOT    0
#define PASS_KERNEL 1
#define PASS_LOOK   2 /* clock_gettime: answered in the stub page */

#define REGS_RAX    0x00
#define REGS_RBX    0x08
#define REGS_RCX    0x10
#define REGS_RDX    0x18
#define REGS_RSI    0x20
#define REGS_RDI    0x28
#define REGS_RBP    0x30
#define REGS_RSP    0x38
#define REGS_R8	    0x40
#define REGS_R9	    0x48
#define REGS_R10    0x50
#define REGS_R11    0x58
#define REGS_R12    0x60
#define REGS_R13    0x68
#define REGS_R14    0x70
#define REGS_R15    0x78
#define REGS_RIP    0x80
#define REGS_RFLAGS 0x88

#endif
