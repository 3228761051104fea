/* The end of a child that executed a program is told to the first thread, also when another one is
 * the next to make an event. Does not differ natively: it is told once. There the other thread may
 * be told, and passes it on. */
#include <signal.h>

#include "race.h"

static volatile sig_atomic_t ended;
static volatile int done;
static pthread_t first;

static void on_child(int signal)
{
	(void)signal;
	ended++;
	if (!pthread_equal(pthread_self(), first))
		must(pthread_kill(first, SIGUSR1) == 0);
}

static void on_word(int signal)
{
	(void)signal;
}

static void *make_events(void *unused)
{
	while (!done)
		usleep(10);
	return unused;
}

int main(void)
{
	struct sigaction child = { .sa_handler = on_child }, word = { .sa_handler = on_word };
	sigset_t blocked, before;
	pthread_t thread;

	first = pthread_self();
	must(sigaction(SIGCHLD, &child, NULL) == 0);
	must(sigaction(SIGUSR1, &word, NULL) == 0);
	must(pthread_create(&thread, NULL, make_events, NULL) == 0);
	for (int i = 0; i < 5; i++) {
		sigemptyset(&blocked);
		sigaddset(&blocked, SIGCHLD);
		sigaddset(&blocked, SIGUSR1);
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
