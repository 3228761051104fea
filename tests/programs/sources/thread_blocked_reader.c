/* A thread that waits in read gets what comes later and is joined; one that is never joined and
 * never gets anything does not keep its process from ending. */
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

static sem_t ready;

static void *reader(void *argument)
{
	const int *from = argument;
	char bytes[100];

	printf("thread %ld reads\n", syscall(SYS_gettid));
	sem_post(&ready);
	ssize_t n = read(from[0], bytes, sizeof(bytes));

	printf("thread %ld got %zd bytes\n", syscall(SYS_gettid), n);
	return argument;
}

int main(void)
{
	int ends[2], never[2];
	char bytes[100] = "";
	pthread_t thread;

	sem_init(&ready, 0, 0);
	must(pipe(ends) == 0 && pipe(never) == 0);
	must(pthread_create(&thread, NULL, reader, ends) == 0);
	sem_wait(&ready);
	printf("process %d writes\n", getpid());
	must(write(ends[1], bytes, sizeof(bytes)) == sizeof(bytes));
	must(pthread_join(thread, NULL) == 0);
	must(pthread_create(&thread, NULL, reader, never) == 0);
	sem_wait(&ready);
	printf("process %d leaves\n", getpid());
	return 0;
}
