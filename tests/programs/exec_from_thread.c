/* exec from a thread that is not the first ends all others and keeps the process id. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static char **arguments;
static char pid_text[16];

static void *idle(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void *spin(void *unused)
{
	for (;;)
		getppid();
	return unused;
}

static void *run(void *unused)
{
	execl(arguments[0], arguments[0], pid_text, NULL);
	return unused;
}

static int after(const char *pid)
{
	char link[64];
	expect_true("same pid", getpid() == atoi(pid));
	expect_true("the thread is the leader now", gettid() == getpid());
	snprintf(link, sizeof(link), "/proc/self/task/%d", getpid());
	expect("its task exists", access(link, F_OK), 0);
	return verdict();
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int status;
	if (argc > 1)
		return after(argv[1]);
	arguments = argv;
	for (int round = 0; round < 20; round++) {
		pid_t child = fork();
		if (child == 0) {
			snprintf(pid_text, sizeof(pid_text), "%d", getpid());
			for (int i = 0; i < 4; i++)
				pthread_create(&thread, NULL, i % 2 ? spin : idle, NULL);
			pthread_create(&thread, NULL, run, NULL);
			idle(NULL);
		}
		must(waitpid(child, &status, 0) == child);
		expect("status", status, 0);
	}
	return verdict();
}
