# What handlers find: the frame, the floating point state in it, their own; and what is left when they return.
cd /tmp || exit 1
cat >signals.c <<'C'
#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
static sigjmp_buf again;
static volatile int alarms;
static void look(int number, siginfo_t *info, void *context)
{
	const struct _libc_fpstate *state = ((ucontext_t *)context)->uc_mcontext.fpregs;
	uint64_t reserved = 0, vectors = 0;
	double own = 1;

	for (int i = 0; i < 24; i++)
		reserved = reserved * 31 + state->__glibc_reserved1[i];
	for (int i = 0; i < 16; i++)
		vectors = vectors * 31 + state->_xmm[i].element[0] + state->_xmm[i].element[3];
	for (int i = 1; i < 40; i++)
		own += 1 / own / i;
	printf("%d %d frame %p state %p control %x mxcsr %x reserved %lx vectors %lx round %d own %a\n", number,
	       info->si_code, context, (void *)state, state->cwd, state->mxcsr, reserved, vectors, fegetround(), own);
	if (number == SIGSEGV || number == SIGFPE || number == SIGILL)
		siglongjmp(again, number);
	alarms += number == SIGALRM;
}
int main(void)
{
	static const int numbers[] = { SIGUSR1, SIGALRM, SIGSEGV, SIGFPE, SIGILL, SIGCHLD };
	struct sigaction action = { .sa_sigaction = look, .sa_flags = SA_SIGINFO };
	struct itimerval timer = { { 0, 100000 }, { 0, 100000 } };
	double value = 0.1;
	long double wide = 1;
	volatile int ten = 10, zero = 0;

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
	fesetround(FE_UPWARD);
	__asm__ volatile("pcmpeqd %%xmm7, %%xmm7" ::: "xmm7");
	for (int i = 0; i < 3; i++) {
		value /= 3;
		wide /= 3;
		raise(SIGUSR1);
		value += 1.0 / 7;
	}
	printf("%a %La %d\n", value, wide, fegetround());
	if (!sigsetjmp(again, 1))
		*(volatile int *)16 = 1;
	if (!sigsetjmp(again, 1))
		printf("%d\n", ten / zero);
	if (!sigsetjmp(again, 1))
		__asm__ volatile("ud2");
	if (!fork())
		_exit(7);
	while (alarms < 3) {
		if (!alarms)
			setitimer(ITIMER_REAL, &timer, NULL);
		pause();
	}
	printf("%d\n", fegetround());
	return 0;
}
C
gcc -O2 -frounding-math -o signals signals.c -lm && ./signals
