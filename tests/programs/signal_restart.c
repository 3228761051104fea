/* SA_RESTART restarts what it must, and every other blocking call gives EINTR. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static volatile int alarms;
static int feed = -1;

static void on_alarm(int number)
{
	(void)number;
	alarms++;
	if (alarms == 3 && feed >= 0)
		must(write(feed, "x", 1) == 1);
}

/* 20 ms from now and then every 20 ms. */
static void arm(int flags)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };
	struct itimerval every = { { 0, 20000 }, { 0, 20000 } };
	alarms = 0;
	must(sigaction(SIGALRM, &action, NULL) == 0);
	must(setitimer(ITIMER_REAL, &every, NULL) == 0);
}

static void disarm(void)
{
	struct itimerval never = { 0 };
	must(setitimer(ITIMER_REAL, &never, NULL) == 0);
}

static void check_read(void)
{
	int ends[2];
	char byte;
	must(pipe(ends) == 0);
	arm(0);
	expect_errno("read without SA_RESTART", read(ends[0], &byte, 1), EINTR);
	disarm();
	feed = ends[1];
	arm(SA_RESTART);
	expect("read with SA_RESTART", read(ends[0], &byte, 1), 1);
	expect_true("it was interrupted three times", alarms >= 3);
	disarm();
	feed = -1;
}

static void check_wait(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		usleep(150000);
		_exit(7);
	}
	arm(0);
	expect_errno("wait without SA_RESTART", waitpid(child, &status, 0), EINTR);
	arm(SA_RESTART);
	expect_true("wait with SA_RESTART", waitpid(child, &status, 0) == child);
	disarm();
	expect("status", WEXITSTATUS(status), 7);
}

static void check_never_restarted(void)
{
	struct pollfd none = { .fd = -1 };
	struct timespec long_time = { 10, 0 }, left = { 0, 0 };
	struct epoll_event event;
	sigset_t empty;
	int epoll = epoll_create1(0);
	sigemptyset(&empty);
	arm(SA_RESTART);
	expect_errno("poll", poll(&none, 1, 10000), EINTR);
	expect_errno("ppoll", ppoll(&none, 1, &long_time, &empty), EINTR);
	expect_errno("select", select(0, NULL, NULL, NULL, &(struct timeval){ 10, 0 }), EINTR);
	expect_errno("pselect", pselect(0, NULL, NULL, NULL, &long_time, &empty), EINTR);
	expect_errno("epoll_wait", epoll_wait(epoll, &event, 1, 10000), EINTR);
	expect_errno("pause", pause(), EINTR);
	expect_errno("nanosleep", nanosleep(&long_time, &left), EINTR);
	expect_true("nanosleep says what is left", left.tv_sec == 9 && left.tv_nsec > 0);
	expect("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, &left), EINTR);
	expect_true("sleep says what is left", sleep(10) >= 9);
	disarm();
	close(epoll);
}

static void check_semaphore(void)
{
	sem_t semaphore;
	must(sem_init(&semaphore, 0, 0) == 0);
	arm(0);
	expect_errno("sem_wait without SA_RESTART", sem_wait(&semaphore), EINTR);
	disarm();
}

int main(void)
{
	check_read();
	check_wait();
	check_never_restarted();
	check_semaphore();
	return verdict();
}
