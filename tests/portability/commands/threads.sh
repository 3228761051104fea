# Threads that race, with locks and without, and a parallel sum of floats.
cd /tmp || exit 1
cat >threads.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile long racy;
static long counted;
static char order[64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument)
{
	for (int i = 0; i < 2000; i++) {
		racy++;
		if (i % 250)
			continue;
		pthread_mutex_lock(&lock);
		order[counted++] = 'a' + (int)(long)argument;
		pthread_mutex_unlock(&lock);
		if (i % 500 == 0)
			usleep(i);
	}
	return NULL;
}
int main(void)
{
	pthread_t threads[4];
	double sum = 0;

	for (long i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
#pragma omp parallel for reduction(+ : sum)
	for (int i = 1; i < 100000; i++)
		sum += 1.0 / i;
	printf("%ld %s %a\n", racy, order, sum);
	return 0;
}
C
gcc -O2 -fopenmp -o threads threads.c && OMP_NUM_THREADS=4 ./threads
