/* Interval timers of all kinds fire, repeat, and can be read and stopped. */
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static volatile int calls;

static void count(int number)
{
	(void)number;
	calls++;
}

static void check_interval(const char *what, int which, int number)
{
	struct itimerval every = { { 0, 5000 }, { 0, 5000 } }, never = { 0 }, now;
	calls = 0;
	signal(number, count);
	must(setitimer(which, &every, NULL) == 0);
	while (calls < 5)
		;
	must(setitimer(which, &never, &now) == 0);
	printf("%s: ", what);
	expect("interval read back", now.it_interval.tv_usec, 5000);
	int stopped = calls;
	usleep(20000);
	expect("silent after the stop", calls - stopped, 0);
}

static void check_posix_timer(void)
{
	timer_t timer;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	struct itimerspec every = { { 0, 5000000 }, { 0, 5000000 } }, now;
	event._sigev_un._tid = gettid();
	signal(SIGRTMIN, count);
	calls = 0;
	must(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	must(timer_settime(timer, 0, &every, NULL) == 0);
	while (calls < 5)
		pause();
	must(timer_gettime(timer, &now) == 0);
	expect("timer_gettime: interval", now.it_interval.tv_nsec, 5000000);
	must(timer_delete(timer) == 0);
	expect_errno("after timer_delete", timer_gettime(timer, &now), EINVAL);
}

static void check_alarm(void)
{
	signal(SIGALRM, count);
	calls = 0;
	expect("alarm", alarm(100), 0);
	unsigned left = alarm(1);
	expect_true("what was left", left == 99 || left == 100);
	pause();
	expect("it fired", calls, 1);
	expect("none left", alarm(0), 0);
}

int main(void)
{
	check_interval("real", ITIMER_REAL, SIGALRM);
	check_interval("virtual", ITIMER_VIRTUAL, SIGVTALRM);
	check_interval("profiling", ITIMER_PROF, SIGPROF);
	check_posix_timer();
	check_alarm();
	return verdict();
}
