/* Building the frame on which a handler of the program runs, and taking it down. */
#ifndef STET_GUEST_DELIVER_H
#define STET_GUEST_DELIVER_H

#include "guest/thread.h"

/* Makes uc, a frame of the guest's handler that holds the program's state, enter the program's
 * handler; all signals are blocked. */
void deliver(struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc);
/* The kernel's default action for a fault: it will happen again, with nobody in the way. */
void deliver_default(int signal, struct kernel_ucontext *uc);

/* Does the stack pointer stand on the program's alternate stack, as the kernel sees it? */
bool on_altstack(const struct kernel_stack *stack, uint64_t rsp);

void frame_to_regs(const struct kernel_ucontext *uc, struct regs *regs);
void frame_from_regs(const struct regs *regs, struct kernel_ucontext *uc);
/* Puts the program's frame (self->sigreturn), extended state included, into uc. */
void frame_restore(struct thread *self, struct kernel_ucontext *uc);

#endif
