/* A thread executes a program while others work, after the main thread has ended; who waits for the
 * process finds that program's end.
 * Does not differ natively: nothing shows the others. */
#include "race.h"

static void *work(void *unused)
{
	for (;;) {
		compute(100);
		getppid();
	}
	return unused;
}

static void *execute(void *text)
{
	compute(10000);
	usleep(100);
	execl("/bin/sh", "sh", "-c", "echo \"$0\"; exit 3", text, NULL);
	exit(2);
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			pthread_t thread;

			for (int j = 0; j < 3; j++)
				must(pthread_create(&thread, NULL, work, NULL) == 0);
			must(pthread_create(&thread, NULL, execute,
				     i % 2 ? "first is there" : "first has left") == 0);
			if (i % 2)
				work(NULL);
			pthread_exit(NULL);
		}
		must(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
	}
	printf("all are over\n");
	return 0;
}
