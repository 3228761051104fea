/* A thread makes a thread, which outlives its maker when nobody joins it: ids count up in the order
 * of creation. */
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

static sem_t maker_is_over, inner_is_over;

static void *inner(void *unused)
{
	printf("inner thread %ld of %d\n", syscall(SYS_gettid), getpid());
	return unused;
}

static void *inner_alone(void *unused)
{
	sem_wait(&maker_is_over);
	inner(unused);
	sem_post(&inner_is_over);
	return unused;
}

static void *outer_joins(void *unused)
{
	pthread_t thread;

	printf("outer thread %ld of %d\n", syscall(SYS_gettid), getpid());
	must(pthread_create(&thread, NULL, inner, NULL) == 0);
	must(pthread_join(thread, NULL) == 0);
	printf("outer thread: joined\n");
	return unused;
}

static void *outer_leaves(void *unused)
{
	pthread_t thread;

	printf("outer thread %ld of %d\n", syscall(SYS_gettid), getpid());
	must(pthread_create(&thread, NULL, inner_alone, NULL) == 0);
	must(pthread_detach(thread) == 0);
	return unused;
}

int main(void)
{
	pthread_t thread;

	sem_init(&maker_is_over, 0, 0);
	sem_init(&inner_is_over, 0, 0);
	must(pthread_create(&thread, NULL, outer_joins, NULL) == 0);
	must(pthread_join(thread, NULL) == 0);
	must(pthread_create(&thread, NULL, outer_leaves, NULL) == 0);
	must(pthread_join(thread, NULL) == 0);
	printf("process %d: outer thread is over\n", getpid());
	sem_post(&maker_is_over);
	sem_wait(&inner_is_over);
	return 0;
}
