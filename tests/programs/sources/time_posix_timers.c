/* timer_create's timers in logical time: numbers, what their signals tell, overruns, and threads.
 * Does not differ natively: but for delays of more than a millisecond, which an idle machine does
 * not have. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile int calls, overruns, value, code;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	calls++;
	overruns += info->si_overrun;
	value = info->si_value.sival_int;
	code = info->si_code;
}

static void in_thread(union sigval v)
{
	value = v.sival_int;
	calls++;
}

static long ms_since(struct timespec a)
{
	struct timespec b;

	clock_gettime(CLOCK_MONOTONIC, &b);
	return (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	struct sigevent event;
	struct itimerspec every = { { 0, 5000000 }, { 0, 10000000 } }, now;
	struct timespec start;
	timer_t timer, other;
	long took;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGRTMIN;
	event.sigev_value.sival_int = 42;
	sigaction(SIGRTMIN, &action, NULL);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	event.sigev_notify = SIGEV_NONE;
	timer_create(CLOCK_REALTIME, &event, &other);
	printf("timers %ld, %ld\n", (long)timer, (long)other);
	clock_gettime(CLOCK_MONOTONIC, &start);
	timer_settime(timer, 0, &every, NULL);
	timer_gettime(timer, &now);
	while (calls < 3)
		pause();
	took = ms_since(start);
	printf("left %ld ms, third signal after %ld ms, value %d, SI_TIMER %d, overruns %d\n",
		now.it_value.tv_nsec / 1000000, took, value, code == SI_TIMER, overruns);
	calls = 0;
	timer_settime(other, 0, &(struct itimerspec){ .it_value = { 0, 1000000 } }, NULL);
	nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
	timer_gettime(other, &now);
	printf("one that tells nobody: %ld\n", now.it_value.tv_nsec);
	timer_delete(timer);
	timer_delete(other);

	event.sigev_notify = SIGEV_THREAD;
	event.sigev_notify_function = in_thread;
	event.sigev_value.sival_int = 7;
	calls = 0;
	timer_create(CLOCK_REALTIME, &event, &timer);
	timer_settime(timer, 0, &(struct itimerspec){ .it_value = { 1, 0 } }, NULL);
	while (!calls)
		usleep(100000);
	printf("in a thread: %d\n", value);
	return 0;
}
