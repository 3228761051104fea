/*
 * Signals as the program sees them. The guest's handler receives every signal that the program
 * handles; the program's own handler runs on a frame that the guest builds. What the program
 * ignores or leaves at its default is the kernel's business, so that default actions are the true
 * ones.
 */
#ifndef STET_GUEST_SIGNAL_H
#define STET_GUEST_SIGNAL_H

#include "guest/sys.h"
#include "guest/thread.h"

/*
 * Signals that the guest itself needs: always handled, never blocked for real. Three are raised by
 * what the program does. With the fourth one task asks another whether it spins (spin.h): one that
 * is ignored by default, so that it does no harm to a task that has just begun another program.
 */
#define GUEST_FAULTS  (SIG_BIT(SIGSYS) | SIG_BIT(SIGSEGV) | SIG_BIT(SIGBUS))
#define GUEST_SIGNALS (GUEST_FAULTS | SIG_BIT(SIGWINCH))

/* The mask to give to the kernel for one that the program wants. */
static inline sigmask_t real_mask(sigmask_t mask)
{
	return mask & ~GUEST_SIGNALS;
}

static inline sigmask_t program_mask(sigmask_t mask)
{
	return mask & ~(SIG_BIT(SIGKILL) | SIG_BIT(SIGSTOP));
}

/* At the start of a process. */
void signal_start(struct thread *self);
/* Makes the kernel's action for a signal what the program's table asks for. */
long signal_install(int signal, const struct kernel_sigaction *action);
/* The program's action, learnt from the kernel when it is not in the table yet. */
struct kernel_sigaction signal_action(struct actions *actions, int signal);
/* Tables: one per group of tasks that share handlers. */
struct actions *actions_copy(const struct actions *from);
void actions_release(struct actions *actions);
/* After a fork: every table but this one is free. */
void actions_forget_others(struct actions *own);
void actions_lock(struct actions *actions);
void actions_unlock(struct actions *actions);

/* Around an exec: what the program ignores or blocks is inherited, the guest's own signals too. */
void signal_before_exec(struct thread *self);
void signal_after_failed_exec(struct thread *self);

/* Blocks what may be blocked; answers whether a signal is pending for the program. */
bool signal_block_all(struct thread *self);
/* Back to the program's own mask. */
void signal_unblock(struct thread *self);
/* Keeps a signal until the guest is left, or its mask lets it through. */
void signal_defer(struct thread *self, const struct kernel_siginfo *info);
/* A held signal that the mask does not block becomes pending; answers whether one did. */
bool signal_release_held(struct thread *self, sigmask_t mask);
/* Takes a held signal of the set out, the program waits for it: its number, or 0. */
int signal_take_held(struct thread *self, sigmask_t set, struct kernel_siginfo *info);

/* What the kernel says of a child's CPU time with its end is not told. */
static inline void signal_scrub(struct kernel_siginfo *info)
{
	if (info->signo == SIGCHLD && info->code > 0)
		memset(info->child.times, 0, sizeof(info->child.times));
}

#endif
