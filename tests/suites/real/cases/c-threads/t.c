#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sched.h>
#include <sys/syscall.h>
#define N 8
static volatile long racy;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int order[N], no, go;
static long won[N];
static pthread_spinlock_t sp;
static void *w(void *p)
{
	long id = (long)p;
	volatile unsigned long h = id;
	pthread_mutex_lock(&m);
	while (!go)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 300000; i++) {
		h = h * 1103515245 + 12345;
		racy++;
		if ((i & 4095) == 0)
			sched_yield();
		if ((i & 1023) == 0 && pthread_spin_trylock(&sp) == 0) {
			won[id]++;
			for (volatile int k = 0; k < 50; k++)
				;
			pthread_spin_unlock(&sp);
		}
	}
	pthread_mutex_lock(&m);
	order[no++] = id;
	pthread_mutex_unlock(&m);
	printf("thread %ld tid-delta %ld self %p\n", id, (long)syscall(SYS_gettid) - getpid(),
		(void *)pthread_self());
	return (void *)h;
}
int main(void)
{
	pthread_t t[N];
	pthread_spin_init(&sp, 0);
	for (long i = 0; i < N; i++)
		pthread_create(t + i, 0, w, (void *)i);
	usleep(1000);
	pthread_mutex_lock(&m);
	go = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	printf("order");
	for (int i = 0; i < N; i++)
		printf(" %d", order[i]);
	printf("\nracy %ld (max %d)\nwon", racy, N * 300000);
	for (int i = 0; i < N; i++)
		printf(" %ld", won[i]);
	puts("");
	return 0;
}
