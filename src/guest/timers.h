/*
 * Timers in logical time: alarm and setitimer, timer_create, timerfd. Each fires when the process's
 * clock is found to have passed its deadline: after a look at the clock, a sleep, a wait, any
 * event. Where turns matter, that is all: real time decides nothing, and a program that computes
 * without making calls waits for its timer in vain (--timers instant is for those). Where they do
 * not, it must get its signal too; so behind each timer that sends one, a real one of the kernel's
 * is armed for the same span of real time.
 */
#ifndef STET_GUEST_TIMERS_H
#define STET_GUEST_TIMERS_H

#include "guest/clock.h"
#include "guest/clocks.h"
#include "guest/sys.h"

/* Not later than any deadline of the process: its clock compared with this says whether to
 * check. */
extern uint64_t timers_due;

/* Fires what is due. */
void timers_fire(struct thread *self);
static inline void timers_check(struct thread *self)
{
	if (clock_now(self) >= timers_due)
		timers_fire(self);
}

/* The logical time of the next timer that does not need the process to compute; or NEVER. */
uint64_t timers_next_awake(struct thread *self);

/* At the start of a program; in a forked child. */
void timers_program(struct thread *self);
void timers_forked(struct thread *self);

/* A signal arrived that may be the kernel's, by the real timer behind one of these: then the clock
 * goes on to its deadline. */
void timers_arrived(struct thread *self, const struct kernel_siginfo *info);

/*
 * With --timers instant a timer that sends signals fires when it is armed; one with a period again
 * and again, whenever a handler returns, but not for ever, since the program must go on. Its
 * deadline stays: a program that waits, instead of computing, is woken by it in time.
 */
enum instant {
	INSTANT_NOT = 0,
	INSTANT_SOON, /* it fires at the next check */
	INSTANT_OVER, /* it has fired once and for all, unless the program waits */
};

static inline bool timers_instant(void)
{
	return process.arena->config.machine.timers == TIMERS_INSTANT;
}

/* A handler returns. */
void timers_again(struct thread *self);

/* Arms it, or not at all when `deadline` is 0. */
void interval_arm(struct interval *interval, uint64_t deadline, uint64_t period);
/* A handler returns: it may fire again. */
void interval_again(struct interval *interval);
/* The program waits. */
void interval_awaited(struct interval *interval);

static inline bool interval_armed(const struct interval *interval)
{
	return interval->deadline && interval->instant != INSTANT_OVER;
}

static inline bool interval_due(const struct interval *interval, uint64_t now)
{
	return interval_armed(interval) &&
	       (interval->instant == INSTANT_SOON || now >= interval->deadline);
}

/* A timer fires: its signal goes to the thread, or to the process when that is 0. */
void timers_send(struct thread *self, const struct kernel_siginfo *info, int32_t tid);

/* The process's timers are one thread's at a time. */
void timers_lock(void);
void timers_unlock(void);
/* A deadline changed. */
void timers_changed(uint64_t due);
/* A timer that sends a signal was armed or disarmed: the supervisor looks at that. */
void timers_note(struct thread *self);

/* Passes of `interval` up to `now`, which is not before its deadline; it is armed for the next one,
 * or not at all. */
uint64_t interval_pass(struct interval *interval, uint64_t now);

/* timer_create's timers (posix_timers.c), and those behind descriptors (timerfd.c): the same, for
 * timers_fire and the others above, which hold the lock. */
void posix_timers_fire(struct thread *self);
uint64_t posix_timers_next(const struct thread *self, bool awake);
void posix_timers_forget(void);
void posix_timers_again(void);
void posix_timers_awaited(void);
void posix_timers_arrived(struct thread *self, const struct kernel_siginfo *info);
void timer_files_fire(struct thread *self);
uint64_t timer_files_next(struct thread *self);

#endif
