/* sigsuspend lets in what another thread sends by pthread_kill, whether it was sent before or is
 * sent after, and puts the mask back. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

static volatile sig_atomic_t received;
static sem_t ready, sent;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)context;
	received = number;
	must(info->si_pid == getpid());
}

static void *receiver(void *unused)
{
	sigset_t allowed, now;

	sigfillset(&allowed);
	sigdelset(&allowed, SIGUSR1);
	for (int i = 0; i < 2; i++) {
		received = 0;
		sem_post(&ready);
		if (i == 0)
			sem_wait(&sent);
		int result = sigsuspend(&allowed);

		pthread_sigmask(SIG_BLOCK, NULL, &now);
		printf("thread %ld: sigsuspend gave %d, errno %d, signal %d, blocked again: %d\n",
			syscall(SYS_gettid), result, errno, received, sigismember(&now, SIGUSR1));
	}
	return unused;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	sigset_t blocked;
	pthread_t thread;

	sem_init(&ready, 0, 0);
	sem_init(&sent, 0, 0);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	must(sigaction(SIGUSR1, &action, NULL) == 0);
	must(pthread_sigmask(SIG_BLOCK, &blocked, NULL) == 0);
	must(pthread_create(&thread, NULL, receiver, NULL) == 0);

	sem_wait(&ready);
	must(pthread_kill(thread, SIGUSR1) == 0);
	sem_post(&sent);
	sem_wait(&ready);
	must(pthread_kill(thread, SIGUSR1) == 0);
	must(pthread_join(thread, NULL) == 0);
	printf("process %d: done\n", getpid());
	return 0;
}
