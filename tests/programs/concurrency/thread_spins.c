/* A thread that spins on a variable, with no system call in the loop, gives way to the one that
 * sets it. */
#include <pthread.h>
#include <unistd.h>

#include "../check.h"

#define ROUNDS 1000

static volatile int turn;

static void *second(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (turn != 1)
			;
		turn = 0;
	}
	return unused;
}

int main(void)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, second, NULL) == 0);
	for (int i = 0; i < ROUNDS; i++) {
		while (turn != 0)
			;
		turn = 1;
	}
	must(pthread_join(thread, NULL) == 0);
	printf("process %d: %d rounds\n", getpid(), ROUNDS);
	return 0;
}
