/* Threads that open and close files, while others wait for their turn: the lowest number that is
 * free is the same each time, and a child has none that its parent did not have. Who waits looks at
 * the others now and then, by a file: that is rare, so this shows it only if it goes wrong often. */
#include <fcntl.h>
#include <sched.h>

#include "race.h"

#define THREADS 12
#define ROUNDS	400

static int numbers[64], beyond, inherited;

/* Long enough for those who wait to wonder what it does. */
static int open_and_close(void)
{
	int fd = open("/dev/null", O_RDONLY);

	compute(20000);
	must(close(fd) == 0);
	return fd;
}

static void *work(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		int fd = open_and_close();

		if (fd >= 0 && fd < 64)
			numbers[fd]++;
		else
			beyond++;
		if (i % 20 == 0)
			sched_yield();
	}
	return number;
}

static void *make(void *number)
{
	for (int i = 0; i < ROUNDS / 4; i++) {
		pid_t child = fork();
		int status;

		must(child >= 0);
		if (child == 0)
			_exit(open("/dev/null", O_RDONLY));
		must(waitpid(child, &status, 0) == child && WIFEXITED(status));
		inherited += WEXITSTATUS(status) != 3;
		sched_yield();
	}
	return number;
}

static void *either(void *number)
{
	return (long)number ? work(number) : make(number);
}

int main(void)
{
	in_threads(THREADS, either);
	for (int i = 0; i < 64; i++)
		if (numbers[i])
			printf("%d: %d times\n", i, numbers[i]);
	printf("beyond: %d, inherited: %d\n", beyond, inherited);
	return 0;
}
