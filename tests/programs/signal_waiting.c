/* sigsuspend, sigwait, sigwaitinfo, sigtimedwait; real-time signals queue in order. */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static volatile int calls, order[16];

static void note(int number)
{
	order[calls % 16] = number;
	calls++;
}

static sigset_t only(int number)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, number);
	return set;
}

static void check_suspend(void)
{
	sigset_t block = only(SIGUSR1), old, none;
	sigemptyset(&none);
	signal(SIGUSR1, note);
	must(sigprocmask(SIG_BLOCK, &block, &old) == 0);
	raise(SIGUSR1);
	expect_errno("sigsuspend with one pending", sigsuspend(&none), EINTR);
	expect("handled during it", calls, 1);
	sigset_t now;
	sigprocmask(SIG_BLOCK, NULL, &now);
	expect("blocked again afterwards", sigismember(&now, SIGUSR1), 1);
	for (int round = 0; round < 200; round++) {
		pid_t child = fork();
		if (child == 0) {
			kill(getppid(), SIGUSR1);
			_exit(0);
		}
		int before = calls;
		while (calls == before)
			sigsuspend(&none);
		must(waitpid(child, NULL, 0) == child);
	}
	expect("200 wake-ups by children", calls, 201);
	must(sigprocmask(SIG_SETMASK, &old, NULL) == 0);
}

static void check_wait(void)
{
	int number;
	siginfo_t info;
	sigset_t set = only(SIGUSR2);
	struct timespec short_time = { 0, 20000000 }, none = { 0, 0 };
	sigaddset(&set, SIGRTMIN + 1);
	must(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	raise(SIGUSR2);
	expect("sigwait", sigwait(&set, &number), 0);
	expect("its number", number, SIGUSR2);
	for (int i = 1; i <= 3; i++)
		must(sigqueue(getpid(), SIGRTMIN + 1, (union sigval){ .sival_int = i * 11 }) == 0);
	for (int i = 1; i <= 3; i++) {
		expect_true("sigwaitinfo", sigwaitinfo(&set, &info) == SIGRTMIN + 1);
		expect("value, in order", info.si_value.sival_int, i * 11);
	}
	expect_errno("sigtimedwait in vain", sigtimedwait(&set, &info, &short_time), EAGAIN);
	expect_errno("sigtimedwait without waiting", sigtimedwait(&set, &info, &none), EAGAIN);
	pid_t child = fork();
	if (child == 0) {
		usleep(20000);
		sigqueue(getppid(), SIGRTMIN + 1, (union sigval){ .sival_int = 5 });
		_exit(0);
	}
	struct timespec long_time = { 20, 0 };
	expect_true("sigtimedwait for a child's",
		sigtimedwait(&set, &info, &long_time) == SIGRTMIN + 1);
	expect_true("sent by the child", info.si_pid == child);
	must(waitpid(child, NULL, 0) == child);
	struct itimerval soon = { .it_value = { 0, 20000 } };
	signal(SIGALRM, note);
	must(setitimer(ITIMER_REAL, &soon, NULL) == 0);
	expect_errno("another signal interrupts it", sigwaitinfo(&set, &info), EINTR);
}

/* Lower numbers first, equal numbers in the order of sending. */
static void check_order(void)
{
	sigset_t set;
	sigemptyset(&set);
	for (int i = 1; i <= 4; i++) {
		struct sigaction action = { .sa_handler = note };
		sigfillset(&action.sa_mask);
		sigaddset(&set, SIGRTMIN + i);
		must(sigaction(SIGRTMIN + i, &action, NULL) == 0);
	}
	must(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	calls = 0;
	for (int i = 4; i >= 1; i--)
		for (int twice = 0; twice < 2; twice++)
			raise(SIGRTMIN + i);
	must(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
	expect("real-time signals delivered", calls, 8);
	for (int i = 0; i < 8; i++)
		expect("number above SIGRTMIN", order[i] - SIGRTMIN, i / 2 + 1);
}

static void *wait_in_thread(void *set)
{
	int number;
	must(sigwait(set, &number) == 0);
	return (void *)(long)number;
}

static void check_thread(void)
{
	sigset_t set = only(SIGTERM);
	pthread_t thread;
	void *result;
	must(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
	must(pthread_create(&thread, NULL, wait_in_thread, &set) == 0);
	usleep(10000);
	kill(getpid(), SIGTERM);
	pthread_join(thread, &result);
	expect("a thread in sigwait takes the process's signal", (long)result, SIGTERM);
}

int main(void)
{
	check_suspend();
	check_wait();
	check_order();
	check_thread();
	return verdict();
}
