/* What a condition variable orders comes in that order: the main thread waits for a thread, and a
 * thread for the main thread; who waits need not have come first. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int step;

static void do_step(int number, const char *name)
{
	pthread_mutex_lock(&lock);
	while (step != number)
		pthread_cond_wait(&changed, &lock);
	printf("%s, by thread %ld\n", name, syscall(SYS_gettid));
	step++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void *first(void *unused)
{
	do_step(0, "first");
	return unused;
}

static void *fourth(void *unused)
{
	do_step(3, "fourth");
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	must(pthread_create(&threads[0], NULL, fourth, NULL) == 0);
	must(pthread_create(&threads[1], NULL, first, NULL) == 0);
	do_step(1, "second");
	do_step(2, "third");
	must(pthread_join(threads[0], NULL) == 0 && pthread_join(threads[1], NULL) == 0);
	printf("%d steps\n", step);
	return 0;
}
