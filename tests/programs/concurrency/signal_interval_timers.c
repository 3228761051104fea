/* setitimer and alarm while threads work, of which any may take the signal: at which step of whom
 * each signal arrives. */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "race.h"

#define THREADS 3
#define FIRED	12

static volatile long steps[THREADS];
static volatile int fired;
static sigset_t set;
static __thread long own = -1;
static struct {
	long who, step;
} at[FIRED];

static void handler(int signal)
{
	(void)signal;
	if (fired < FIRED) {
		at[fired].who = own;
		at[fired].step = own >= 0 ? steps[own] : -1;
	}
	fired++;
}

static void *work(void *number)
{
	own = (long)number;
	must(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
	for (int i = 0; i < 100000 && fired < FIRED; i++) {
		steps[own]++;
		compute(100);
		getppid();
	}
	return NULL;
}

int main(void)
{
	struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	must(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
	signal(SIGALRM, handler);
	must(setitimer(ITIMER_REAL, &timer, NULL) == 0);
	in_threads(THREADS, work);
	memset(&timer, 0, sizeof(timer));
	must(setitimer(ITIMER_REAL, &timer, NULL) == 0);
	for (int i = 0; i < FIRED; i++)
		printf("thread %ld at step %ld\n", at[i].who, at[i].step);
	must(fired >= FIRED);
	return 0;
}
