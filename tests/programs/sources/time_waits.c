/* Waits with a limit end at their logical time, at no real cost when nobody else runs: poll,
 * select, epoll, futexes, semaphores, message queues, signals. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

static struct timespec start;

static void begin(void)
{
	clock_gettime(CLOCK_MONOTONIC, &start);
}

static void end(const char *what, long result)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%s: %ld, after %ld us\n", what, result,
		(now.tv_sec - start.tv_sec) * 1000000 + (now.tv_nsec - start.tv_nsec) / 1000);
}

static struct timespec in_ms(clockid_t clock, long ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

int main(void)
{
	int ends[2], epoll = epoll_create1(0), semaphores = semget(IPC_PRIVATE, 1, 0600);
	struct epoll_event event = { .events = EPOLLIN };
	struct timeval limit = { 0, 30000 };
	struct timespec span = { 0, 20000000 }, until;
	struct sembuf take = { 0, -1, 0 };
	struct pollfd poller;
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	sem_t semaphore;
	sigset_t set;
	fd_set reading;

	if (pipe(ends))
		return 1;
	poller = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	begin();
	end("poll", poll(&poller, 1, 10));
	FD_ZERO(&reading);
	FD_SET(ends[0], &reading);
	begin();
	end("select", select(ends[0] + 1, &reading, NULL, NULL, &limit));
	printf("left %ld us, set empty: %d\n", (long)limit.tv_usec, !FD_ISSET(ends[0], &reading));
	begin();
	end("ppoll", ppoll(&poller, 1, &span, NULL));
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
	begin();
	end("epoll_wait", epoll_wait(epoll, &event, 1, 25));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	begin();
	end("sigtimedwait", sigtimedwait(&set, NULL, &span));
	begin();
	end("semtimedop", semtimedop(semaphores, &take, 1, &span));
	semctl(semaphores, 0, IPC_RMID);
	sem_init(&semaphore, 0, 0);
	until = in_ms(CLOCK_REALTIME, 15);
	begin();
	end("sem_timedwait", sem_timedwait(&semaphore, &until));
	pthread_mutex_lock(&mutex);
	until = in_ms(CLOCK_REALTIME, 40);
	begin();
	end("pthread_cond_timedwait",
		pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT);
	if (write(ends[1], "x", 1) != 1)
		return 1;
	begin();
	end("poll of what is there", poll(&poller, 1, 10));
	return 0;
}
