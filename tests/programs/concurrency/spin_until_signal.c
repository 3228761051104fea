/* Loops that wait for a signal, and count: from another process, from another thread, and from a
 * timer, which is due when nothing else can happen. */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static volatile sig_atomic_t came;
static volatile long looks;

static void note(int number)
{
	came = number;
}

static void spin(const char *what)
{
	struct timespec time;

	while (!came)
		looks++;
	clock_gettime(CLOCK_MONOTONIC, &time);
	printf("%s: signal %d after %ld looks, at %ld.%09ld\n", what, came, looks, time.tv_sec,
		time.tv_nsec);
	fflush(stdout);
	came = 0;
	looks = 0;
}

static void *send(void *receiver)
{
	for (int i = 0; i < 1000; i++)
		getppid();
	pthread_kill(*(pthread_t *)receiver, SIGUSR2);
	return NULL;
}

static void from_process(void)
{
	pid_t self = getpid(), child = fork();

	if (child == 0) {
		for (int i = 0; i < 1000; i++)
			getppid();
		kill(self, SIGUSR1);
		_exit(0);
	}
	spin("process");
	must(waitpid(child, NULL, 0) == child);
}

static void from_thread(void)
{
	pthread_t thread, self = pthread_self();

	must(pthread_create(&thread, NULL, send, &self) == 0);
	spin("thread");
	must(pthread_join(thread, NULL) == 0);
}

static void from_timer(void)
{
	const struct itimerval later = { .it_value = { 2, 0 } };

	setitimer(ITIMER_REAL, &later, NULL);
	spin("timer");
}

int main(void)
{
	pid_t child;

	signal(SIGUSR1, note);
	signal(SIGUSR2, note);
	signal(SIGALRM, note);
	child = fork(); /* somebody who waits, and asks */
	if (child == 0) {
		from_process();
		from_thread();
		from_timer();
		return 0;
	}
	must(waitpid(child, NULL, 0) == child);
	return 0;
}
