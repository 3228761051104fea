/* Threads' stacks, thread-local variables and arenas of malloc lie at the same addresses each
 * time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static __thread int local;

static void *run(void *unused)
{
	int variable;

	printf("stack %p thread-local %p block %p\n", (void *)&variable, (void *)&local,
		malloc(100));
	return unused;
}

int main(void)
{
	pthread_t threads[4];

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 4; i++) {
			pthread_create(&threads[i], NULL, run, NULL);
			pthread_join(threads[i], NULL);
		}
		printf("%p %p\n", malloc(200000), malloc(2 << 20));
	}
	return 0;
}
