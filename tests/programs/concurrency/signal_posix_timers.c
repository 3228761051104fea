/* timer_create in threads: a timer per thread, signals to that thread or in a thread of their own,
 * and how many expirations each signal stands for. */
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "race.h"

#define THREADS 3
#define ROUNDS	5

static char order[256];
static int at;
static volatile int in_thread;

static void handler(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	order[__atomic_fetch_add(&at, 1, __ATOMIC_SEQ_CST)] =
		(char)('a' + info->si_value.sival_int);
}

static void notify(union sigval value)
{
	(void)value;
	in_thread++;
}

static void *work(void *number)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	struct itimerspec every = { { 0, 700000 }, { 0, 700000 + (long)number } };
	struct timespec while_long = { 1, 0 };
	timer_t timer;

	event._sigev_un._tid = (int)syscall(SYS_gettid);
	event.sigev_value.sival_int = (int)(long)number;
	must(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	must(timer_settime(timer, 0, &every, NULL) == 0);
	for (int i = 0; i < ROUNDS; i++)
		must(nanosleep(&while_long, NULL) == -1 && errno == EINTR);
	must(timer_delete(timer) == 0);
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify };
	struct itimerspec once = { { 0, 0 }, { 0, 500000 } };
	timer_t timer;
	int looks = 0;

	must(sigaction(SIGRTMIN, &action, NULL) == 0);
	in_threads(THREADS, work);
	printf("%s\n", order);
	must(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
	must(timer_settime(timer, 0, &once, NULL) == 0);
	for (; !in_thread; looks++)
		usleep(10);
	printf("%d looks\n", looks);
	return 0;
}
