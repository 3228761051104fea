#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <unistd.h>
#include <time.h>
#include <sys/time.h>
#include <sys/wait.h>
static volatile sig_atomic_t n;
static volatile unsigned long cnt;
static unsigned long at[64];
static void alrm(int s)
{
	if (n < 64)
		at[n] = cnt;
	n++;
}
static volatile sig_atomic_t u1, u2;
static void us(int s)
{
	if (s == SIGUSR1)
		u1++;
	else
		u2++;
}
int main(void)
{
	setvbuf(stdout, 0, _IOLBF, 0);
	signal(SIGALRM, alrm);
	struct itimerval it = { { 0, 3000 }, { 0, 3000 } };
	setitimer(ITIMER_REAL, &it, 0);
	while (n < 8)
		cnt++;
	memset(&it, 0, sizeof it);
	setitimer(ITIMER_REAL, &it, 0);
	printf("ticks at");
	for (int i = 0; i < 8; i++)
		printf(" %lu", at[i]);
	puts("");
	struct itimerval v = { { 0, 2000 }, { 0, 2000 } };
	n = 0;
	cnt = 0;
	signal(SIGVTALRM, alrm);
	setitimer(ITIMER_VIRTUAL, &v, 0);
	while (n < 3)
		cnt++;
	memset(&v, 0, sizeof v);
	setitimer(ITIMER_VIRTUAL, &v, 0);
	printf("virtual at %lu\n", cnt);
	sigset_t s;
	sigemptyset(&s);
	sigaddset(&s, SIGCHLD);
	sigprocmask(SIG_BLOCK, &s, 0);
	for (int i = 0; i < 6; i++)
		if (!fork()) {
			volatile unsigned long h = 0;
			for (int k = 0; k < 2000000 + (i * 37 % 6) * 1000; k++)
				h += k;
			usleep((i * 7919 % 5) * 200);
			_exit(i);
		}
	printf("reaped");
	int st;
	pid_t p;
	while ((p = wait(&st)) > 0)
		printf(" %d", WEXITSTATUS(st));
	puts("");
	struct timespec ts = { 0, 5000000 };
	siginfo_t si;
	int r = sigtimedwait(&s, &si, &ts);
	printf("sigtimedwait %d pid %d\n", r, r > 0 ? si.si_pid : 0);
	signal(SIGUSR1, us);
	signal(SIGUSR2, us);
	pid_t me = getpid();
	pid_t a = fork();
	if (!a) {
		for (int i = 0; i < 200; i++)
			kill(me, i % 3 ? SIGUSR1 : SIGUSR2);
		_exit(0);
	}
	pid_t b = fork();
	if (!b) {
		for (int i = 0; i < 200; i++)
			kill(me, i % 3 ? SIGUSR2 : SIGUSR1);
		_exit(0);
	}
	while (waitpid(a, &st, 0) < 0 && errno == EINTR)
		;
	while (waitpid(b, &st, 0) < 0 && errno == EINTR)
		;
	printf("coalesced USR1 %d USR2 %d\n", (int)u1, (int)u2);
	int fd[2];
	if (pipe(fd))
		return 1;
	struct sigaction sa = { .sa_handler = alrm };
	sigaction(SIGALRM, &sa, 0);
	struct timespec t0, t1;
	clock_gettime(CLOCK_REALTIME, &t0);
	ualarm(4000, 0);
	char c;
	ssize_t k = read(fd[0], &c, 1);
	clock_gettime(CLOCK_REALTIME, &t1);
	printf("read %zd %s after %ld us\n", k, k < 0 ? strerror(errno) : "",
		(t1.tv_sec - t0.tv_sec) * 1000000L + (t1.tv_nsec - t0.tv_nsec) / 1000);
	return 0;
}
