/* Ten threads that read from one pipe, while another writes: who gets which byte is the same each
 * time. */
#include <pthread.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 10
#define EACH	20

static int ends[2];
static char got[THREADS][EACH + 1];

static void *reader(void *argument)
{
	for (int i = 0; i < EACH; i++)
		must(read(ends[0], &got[(long)argument][i], 1) == 1);
	return argument;
}

int main(void)
{
	pthread_t threads[THREADS];

	must(pipe(ends) == 0);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, reader, (void *)i) == 0);
	for (int i = 0; i < THREADS * EACH; i++) {
		char byte = (char)('!' + i % 90);

		must(write(ends[1], &byte, 1) == 1);
	}
	for (int i = 0; i < THREADS; i++) {
		must(pthread_join(threads[i], NULL) == 0);
		printf("thread %d of %d: %s\n", i, getpid(), got[i]);
	}
	return 0;
}
