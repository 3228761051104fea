/* Eight threads shower each other with signals while they make system calls; every queued signal
 * arrives. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define THREADS 8
#define EACH	2000

static pthread_t threads[THREADS];
static atomic_int ready, sent, received, finished;
static _Thread_local volatile int nested;

static void take(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	if (nested++)
		atomic_store(&received, -1000000);
	if (info->si_value.sival_int != 31337)
		atomic_store(&received, -1000000);
	atomic_fetch_add(&received, 1);
	getppid();
	nested--;
}

/* A queue that is full (RLIMIT_SIGPENDING) is a reason to try again, not an error. */
static void send_to(int target)
{
	union sigval value = { .sival_int = 31337 };
	while (pthread_sigqueue(threads[target], SIGRTMIN + 1, value) != 0)
		sched_yield();
	atomic_fetch_add(&sent, 1);
}

static void *work(void *index)
{
	unsigned state = (unsigned)(long)index * 2654435761u + 1;
	volatile double sum = 0, wanted = 0;
	atomic_fetch_add(&ready, 1);
	while (atomic_load(&ready) < THREADS)
		sched_yield();
	for (int i = 0; i < EACH; i++) {
		state = state * 1664525u + 1013904223u;
		send_to((int)(state >> 16) % THREADS);
		must(syscall(SYS_gettid) == gettid());
		sum += i * 0.5;
		wanted += i * 0.5;
	}
	if (sum != wanted)
		atomic_store(&received, -1000000);
	atomic_fetch_add(&finished, 1);
	while (atomic_load(&finished) < THREADS || atomic_load(&received) < THREADS * EACH)
		if (atomic_load(&received) < 0)
			break;
		else
			sched_yield();
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_RESTART };
	must(sigaction(SIGRTMIN + 1, &action, NULL) == 0);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	expect("sent", sent, THREADS * EACH);
	expect("received", received, THREADS * EACH);
	return verdict();
}
