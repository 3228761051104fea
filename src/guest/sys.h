/*
 * Real system calls (stub.S), and access to the program's memory. The guest uses these and nothing
 * else to reach the outside.
 */
#ifndef STET_GUEST_SYS_H
#define STET_GUEST_SYS_H

#include "guest/kernel.h"
#include "guest/thread.h"

/* What sys_window answers when a signal has to be delivered first; the call is then made again. */
#define RESTART 512

/* As fixed functions; through the macros below every argument is a long, missing ones are 0. */
long sys_do(long number, long a, long b, long c, long d, long e, long f);
long sys_window_do(long number, long a, long b, long c, long d, long e, long f);
#define SYS_SPREAD(call, n, a, b, c, d, e, f, ...)                                                 \
	call((long)(n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
/* A call of the guest's own; not interrupted by signals of the program. */
#define sys(...) SYS_SPREAD(sys_do, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
/* A call on behalf of the program; -RESTART when a signal came before it. */
#define sys_window(...) SYS_SPREAD(sys_window_do, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
long sys_clone(long flags, void *stack, uint64_t parent_tid, uint64_t child_tid, uint64_t tls);
_Noreturn void sigreturn_from(struct kernel_ucontext *uc);
_Noreturn void thread_leave(uint32_t *busy, int status);

/* As setjmp: 0 at first, 1 when the program's memory that is touched until fault_disarm is not
 * there. */
int fault_arm(struct fault_frame *frame) __attribute__((returns_twice));
static inline void fault_disarm(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread_self()->fault = NULL;
}

/* Copies from or to the program's memory: 0 or -EFAULT. */
long copy_in(void *to, uint64_t from, size_t bytes);
long copy_out(uint64_t to, const void *from, size_t bytes);
/* Length of the program's string, at most limit; -EFAULT when it is not there. */
long string_length(uint64_t string, size_t limit);

/* Failed calls answer -1 to -4095. */
static inline bool failed(long result)
{
	return (unsigned long)result > -4096ul;
}

/* Real time, in ns since some moment: for what is a matter of patience or speed alone. */
static inline uint64_t real_now(void)
{
	uint64_t time[2] = { 0 };

	sys(__NR_clock_gettime, 1 /* CLOCK_MONOTONIC */, time);
	return time[0] * 1000000000 + time[1];
}

/* Freestanding C still needs these by name. */
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *string);

#endif
