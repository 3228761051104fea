/* Waits with a limit, for what comes at about that time: which of them it comes too late for. */
#include <semaphore.h>
#include <time.h>

#include "race.h"

#define ROUNDS 12

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t posted;

static struct timespec soon(long ns)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_nsec += ns;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static void *act(void *unused)
{
	const struct timespec pause = { 0, 1000000 };

	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&held);
		nanosleep(&pause, NULL);
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&held);
		sem_post(&posted);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;

	must(sem_init(&posted, 0, 0) == 0);
	must(pthread_create(&thread, NULL, act, NULL) == 0);
	for (int i = 0; i < ROUNDS; i++) {
		struct timespec limit = soon(900000 + i % 3 * 100000);

		pthread_mutex_lock(&lock);
		int condition = pthread_cond_timedwait(&changed, &lock, &limit);

		pthread_mutex_unlock(&lock);
		limit = soon(500000);
		int mutex = pthread_mutex_timedlock(&held, &limit);

		if (mutex == 0)
			pthread_mutex_unlock(&held);
		limit = soon(300000);
		printf("%d: condition %s, mutex %s, semaphore %s\n", i, condition ? "late" : "came",
			mutex ? "late" : "free", sem_timedwait(&posted, &limit) ? "late" : "came");
	}
	must(pthread_join(thread, NULL) == 0);
	return 0;
}
