/* A signal for a process whose threads all block it waits there, whoever sends it: another thread,
 * another process, or the end of a child; with all that is to be said of it. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static const struct timespec moment = { 0, 10000000 };

static void *kill_process(void *signal)
{
	nanosleep(&moment, NULL);
	must(kill(getpid(), *(int *)signal) == 0);
	return NULL;
}

static void *queue_to_process(void *signal)
{
	nanosleep(&moment, NULL);
	must(sigqueue(getpid(), *(int *)signal, (union sigval){ .sival_int = 42 }) == 0);
	return NULL;
}

/* So that it is the one that takes what others send. */
static void *go_on(void *over)
{
	while (!__atomic_load_n((int *)over, __ATOMIC_SEQ_CST))
		getppid();
	return NULL;
}

static siginfo_t take(int signal)
{
	sigset_t set;
	siginfo_t info;

	sigemptyset(&set);
	sigaddset(&set, signal);
	must(sigwaitinfo(&set, &info) == signal);
	return info;
}

/* The first thread waits, and another one acts. */
static siginfo_t take_from(void *(*act)(void *), void *argument, int signal)
{
	pthread_t thread;
	siginfo_t info;

	must(pthread_create(&thread, NULL, act, argument) == 0);
	info = take(signal);
	must(pthread_join(thread, NULL) == 0);
	return info;
}

static pid_t child_that(int kills, int status)
{
	pid_t child = fork();

	must(child >= 0);
	if (child == 0) {
		nanosleep(&moment, NULL);
		if (kills)
			kill(getppid(), kills);
		_exit(status);
	}
	return child;
}

static void check_others(void)
{
	pid_t child = child_that(SIGUSR2, 3);
	pthread_t thread;
	siginfo_t info;
	int over = 0;

	must(pthread_create(&thread, NULL, go_on, &over) == 0);
	info = take(SIGUSR2);
	expect("from a child: code", info.si_code, SI_USER);
	expect_true("from a child: whose", info.si_pid == child);
	info = take(SIGCHLD);
	expect("end of a child: code", info.si_code, CLD_EXITED);
	expect_true("end of a child: whose", info.si_pid == child);
	expect("end of a child: status", info.si_status, 3);
	__atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
	must(pthread_join(thread, NULL) == 0);
	must(waitpid(child, NULL, 0) == child);
}

int main(void)
{
	int number = SIGUSR1;
	siginfo_t info;
	sigset_t all;

	sigfillset(&all);
	must(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
	info = take_from(kill_process, &number, SIGUSR1);
	expect("by kill: code", info.si_code, SI_USER);
	expect_true("by kill: whose", info.si_pid == getpid());
	expect_true("by kill: user", info.si_uid == getuid());
	info = take_from(queue_to_process, &number, SIGUSR1);
	expect("by sigqueue: code", info.si_code, SI_QUEUE);
	expect("by sigqueue: value", info.si_value.sival_int, 42);
	for (int i = 0; i < 20; i++)
		check_others();
	return verdict();
}
