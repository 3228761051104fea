/* A mutex, a condition, a barrier and a semaphore in memory that processes share. */
#include <semaphore.h>

#include "race.h"

#define PROCESSES 5
#define ROUNDS	  8

static struct shared {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_barrier_t barrier;
	sem_t places;
	int taken, turn;
	char order[PROCESSES * ROUNDS * 2 + 1];
} * shared;

static void *work(void *number)
{
	char letter = (char)('a' + (long)number);

	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&shared->lock);
		shared->order[shared->taken++] = letter;
		while (i == 3 && shared->turn != (long)number)
			pthread_cond_wait(&shared->changed, &shared->lock);
		shared->turn += i == 3;
		pthread_cond_broadcast(&shared->changed);
		pthread_mutex_unlock(&shared->lock);
		must(sem_wait(&shared->places) == 0);
		if (pthread_barrier_wait(&shared->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			letter ^= 'a' ^ 'A';
		must(sem_post(&shared->places) == 0);
	}
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t lock;
	pthread_condattr_t condition;
	pthread_barrierattr_t barrier;

	shared = shared_memory(sizeof(*shared));
	pthread_mutexattr_init(&lock);
	pthread_mutexattr_setpshared(&lock, PTHREAD_PROCESS_SHARED);
	pthread_condattr_init(&condition);
	pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	must(pthread_mutex_init(&shared->lock, &lock) == 0);
	must(pthread_cond_init(&shared->changed, &condition) == 0);
	must(pthread_barrier_init(&shared->barrier, &barrier, PROCESSES) == 0);
	must(sem_init(&shared->places, 1, PROCESSES) == 0);
	in_processes(PROCESSES, work);
	printf("%s\n", shared->order);
	must(shared->taken == PROCESSES * ROUNDS);
	return 0;
}
