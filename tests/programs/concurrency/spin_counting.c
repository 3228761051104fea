/* Threads that count how often they look while they wait: in memory, in a register, in 32 bits,
 * downwards and by different steps. The counts are those of one legal execution, always the
 * same. */
#include <pthread.h>
#include <time.h>

#include "../check.h"

#define THREADS 3
#define ROUNDS	5

static volatile int turn;
static volatile long longs[THREADS];
static volatile unsigned words[THREADS];
static long registers[THREADS];

static void count_in_memory(int id)
{
	while (turn != id)
		longs[id]++;
}

static void count_words(int id)
{
	while (turn != id) {
		words[id] -= 3;
		longs[id] += 7;
	}
}

static void count_in_register(int id)
{
	long n = 0;

	while (turn != id)
		n++;
	registers[id] += n;
}

static void *work(void *number)
{
	static void (*const waits[])(int) = { count_in_memory, count_words, count_in_register };
	int id = (int)(long)number;

	for (int i = 0; i < ROUNDS * 3; i++) {
		waits[i % 3](id);
		turn = (id + 1) % THREADS;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	struct timespec time;

	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (long i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		printf("%ld %u %ld\n", longs[i], words[i], registers[i]);
	clock_gettime(CLOCK_MONOTONIC, &time);
	printf("%ld.%09ld\n", time.tv_sec, time.tv_nsec);
	return 0;
}
