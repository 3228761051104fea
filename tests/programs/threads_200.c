/* 200 threads at once, each with its own thread-local state, mutexes, condition variables,
 * barriers. */
#include <pthread.h>
#include <unistd.h>

#include "check.h"

#define THREADS 200

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static long counter, turn;
static _Thread_local long own;

static void *work(void *argument)
{
	long index = (long)argument;
	own = index;
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&mutex);
		counter++;
		pthread_mutex_unlock(&mutex);
		errno = (int)index;
		getppid();
		if (errno != index)
			return (void *)-1;
	}
	pthread_mutex_lock(&mutex);
	while (turn != index)
		pthread_cond_wait(&turn_changed, &mutex);
	turn++;
	pthread_cond_broadcast(&turn_changed);
	pthread_mutex_unlock(&mutex);
	return (void *)own;
}

int main(void)
{
	pthread_t threads[THREADS];
	long sum = 0;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++) {
		void *result;
		must(pthread_join(threads[i], &result) == 0);
		sum += (long)result;
	}
	expect("sum of thread-local values", sum, THREADS * (THREADS - 1) / 2);
	expect("counter", counter, THREADS * 100);
	expect("turns", turn, THREADS);
	for (int round = 0; round < 1000; round++) {
		pthread_t thread;
		own = round;
		turn = 0;
		pthread_barrier_destroy(&barrier);
		pthread_barrier_init(&barrier, NULL, 1);
		must(pthread_create(&thread, NULL, work, (void *)0) == 0);
		must(pthread_join(thread, NULL) == 0);
	}
	expect("counter after 1000 short threads", counter, THREADS * 100 + 100000);
	return verdict();
}
