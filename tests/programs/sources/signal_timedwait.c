/* sigtimedwait without a timeout, with one of zero and one of a second: what is pending comes at
 * once, what a child sends comes when it is sent, and else the time is over when it is over, by the
 * logical clock. */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

static sigset_t set;

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void look(const char *label, const struct timespec *timeout)
{
	siginfo_t info = { 0 };
	double start = seconds();
	int result = sigtimedwait(&set, &info, timeout);
	int error = result < 0 ? errno : 0;

	printf("%s: %d, errno %d after about %.1f s", label, result, error, seconds() - start);
	if (result > 0)
		printf(", code %d, from %d, value %d", info.si_code, info.si_pid,
			info.si_code == SI_QUEUE ? info.si_value.sival_int : 0);
	printf("\n");
}

static pid_t sender(unsigned int delay)
{
	pid_t child = fork();

	must(child >= 0);
	if (child > 0)
		return child;
	sleep(delay);
	kill(getppid(), SIGUSR1);
	_exit(0);
}

int main(void)
{
	const struct timespec none = { 0, 0 }, one = { 1, 0 };

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN);
	must(sigprocmask(SIG_BLOCK, &set, NULL) == 0);

	look("no time, nothing pending", &none);
	look("one second, nothing pending", &one);
	raise(SIGUSR1);
	look("no time, one pending", &none);
	for (int i = 1; i <= 3; i++)
		must(sigqueue(getpid(), SIGRTMIN, (union sigval){ .sival_int = i }) == 0);
	kill(getpid(), SIGUSR1);
	for (int i = 0; i < 4; i++)
		look("one second, some pending", &one);
	must(waitpid(sender(2), NULL, 0) > 0);
	look("no timeout, sent", NULL);
	pid_t child = sender(2);

	look("one second, too early", &one);
	look("no timeout, waiting", NULL);
	must(waitpid(child, NULL, 0) == child);
	return 0;
}
