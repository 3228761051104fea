/* A thread's last deed is what the only other one spins for: that one goes on, though it is alone
 * from then on. Does not differ natively: the outcome is always that it ends. */
#include <pthread.h>
#include <unistd.h>

#include "../check.h"

static volatile int done;

static void *work(void *unused)
{
	for (int i = 0; i < 100; i++)
		getppid();
	done = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	int rounds = 0;

	for (; rounds < 10; rounds++) {
		done = 0;
		must(pthread_create(&thread, NULL, work, NULL) == 0);
		must(pthread_detach(thread) == 0);
		while (!done)
			;
	}
	printf("%d rounds\n", rounds);
	return 0;
}
