/* The end of a child that executed a program is told to the first thread, also when another one is
 * the next to make an event. Does not differ natively: it is told once. */
#include <signal.h>

#include "race.h"

static volatile sig_atomic_t ended;
static volatile int done;

static void on_child(int signal)
{
	(void)signal;
	ended++;
}

static void *make_events(void *unused)
{
	while (!done)
		usleep(10);
	return unused;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_child };
	sigset_t blocked, before;
	pthread_t thread;

	must(sigaction(SIGCHLD, &action, NULL) == 0);
	must(pthread_create(&thread, NULL, make_events, NULL) == 0);
	for (int i = 0; i < 5; i++) {
		sigemptyset(&blocked);
		sigaddset(&blocked, SIGCHLD);
		sigprocmask(SIG_BLOCK, &blocked, &before);
		if (fork() == 0) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(1);
		}
		while (ended <= i)
			sigsuspend(&before);
		sigprocmask(SIG_SETMASK, &before, NULL);
		must(wait(NULL) > 0);
		printf("heard of %d\n", (int)ended);
	}
	done = 1;
	must(pthread_join(thread, NULL) == 0);
	return 0;
}
