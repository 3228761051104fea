/* siginfo tells who sent a signal, why, and with which value. */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static volatile siginfo_t seen;
static volatile int calls;

static void keep(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	memcpy((void *)&seen, info, sizeof(seen));
	calls++;
}

static void listen_to(int number)
{
	struct sigaction action = { .sa_sigaction = keep, .sa_flags = SA_SIGINFO | SA_RESTART };
	must(sigaction(number, &action, NULL) == 0);
}

static void check_senders(void)
{
	listen_to(SIGUSR1);
	listen_to(SIGRTMIN + 3);
	kill(getpid(), SIGUSR1);
	expect("kill: si_code", seen.si_code, SI_USER);
	expect_true("kill: si_pid, si_uid", seen.si_pid == getpid() && seen.si_uid == getuid());
	syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1);
	expect("tgkill: si_code", seen.si_code, SI_TKILL);
	must(sigqueue(getpid(), SIGRTMIN + 3, (union sigval){ .sival_int = 4711 }) == 0);
	expect("sigqueue: si_code", seen.si_code, SI_QUEUE);
	expect("sigqueue: value", seen.si_value.sival_int, 4711);
	must(pthread_sigqueue(pthread_self(), SIGRTMIN + 3, (union sigval){ .sival_int = 12 }) ==
		0);
	expect("pthread_sigqueue: value", seen.si_value.sival_int, 12);
}

static void check_timer(void)
{
	timer_t timer;
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3 };
	struct itimerspec soon = { .it_value = { 0, 10000000 } };
	event.sigev_value.sival_int = 99;
	calls = 0;
	must(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	must(timer_settime(timer, 0, &soon, NULL) == 0);
	while (!calls)
		usleep(1000);
	expect("timer: si_code", seen.si_code, SI_TIMER);
	expect("timer: value", seen.si_value.sival_int, 99);
	expect("timer: overrun", timer_getoverrun(timer), 0);
	timer_delete(timer);
}

static void check_child(const char *what, int code, int status, void (*life)(void))
{
	char label[64];
	int ignored;
	calls = 0;
	pid_t child = fork();
	if (child == 0) {
		life();
		_exit(0);
	}
	while (!calls)
		usleep(1000);
	snprintf(label, sizeof(label), "%s: si_code", what);
	expect(label, seen.si_code, code);
	snprintf(label, sizeof(label), "%s: si_status", what);
	expect(label, seen.si_status, status);
	expect_true("si_pid", seen.si_pid == child);
	kill(child, SIGKILL);
	kill(child, SIGCONT);
	must(waitpid(child, &ignored, 0) == child);
	calls = 0;
}

static void leave(void)
{
	_exit(5);
}

static void be_killed(void)
{
	raise(SIGTERM);
}

static void stop(void)
{
	raise(SIGSTOP);
}

static void check_faults(void)
{
	int status;
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	siginfo_t info;
	for (int kind = 0; kind < 2; kind++) {
		pid_t child = fork();
		if (child == 0) {
			*(volatile char *)(kind ? page : (char *)0x1000) = 1;
			_exit(0);
		}
		must(waitid(P_PID, child, &info, WEXITED) == 0);
		expect("fault: si_code of waitid", info.si_code, CLD_KILLED);
		expect("fault: si_status", info.si_status, SIGSEGV);
	}
	pid_t child = fork();
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		abort();
	}
	must(waitpid(child, &status, 0) == child);
	expect("abort: signal", WTERMSIG(status), SIGABRT);
}

int main(void)
{
	check_senders();
	check_timer();
	listen_to(SIGCHLD);
	check_child("exit", CLD_EXITED, 5, leave);
	check_child("killed", CLD_KILLED, SIGTERM, be_killed);
	check_child("stopped", CLD_STOPPED, SIGSTOP, stop);
	signal(SIGCHLD, SIG_DFL);
	check_faults();
	return verdict();
}
