/* Robust locks whose holders die: who gets them next, and is told. Between threads and between
 * processes, by exit and by kill. */
#include <signal.h>

#include "futex.h"

#define MEMBERS 5

static struct shared {
	pthread_mutex_t lock;
	int taken, deaths;
	char order[MEMBERS + 1];
} * shared;

static int processes;

static void *die_holding(void *number)
{
	int r = pthread_mutex_lock(&shared->lock);

	if (r == EOWNERDEAD) {
		shared->deaths++;
		must(pthread_mutex_consistent(&shared->lock) == 0);
	}
	shared->order[shared->taken++] = (char)('a' + (long)number);
	sched_yield();
	if (processes && (long)number % 2)
		raise(SIGKILL);
	return NULL;
}

static void go(const char *name)
{
	pthread_mutexattr_t attributes;

	memset(shared, 0, sizeof(*shared));
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	must(pthread_mutex_init(&shared->lock, &attributes) == 0);
	if (processes) {
		start_processes(MEMBERS, die_holding);
		while (wait(NULL) > 0)
			;
	} else {
		in_threads(MEMBERS, die_holding);
	}
	must(pthread_mutex_lock(&shared->lock) == EOWNERDEAD);
	printf("%s: %s\n", name, shared->order);
	must(shared->taken == MEMBERS && shared->deaths == MEMBERS - 1);
}

int main(void)
{
	shared = shared_memory(sizeof(*shared));
	go("threads");
	processes = 1;
	go("processes");
	return 0;
}
