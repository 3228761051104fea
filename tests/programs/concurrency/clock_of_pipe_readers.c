/* Readers of many pipes, beside processes that make files: what time it is when they go on. Whom a
 * write lets look again must not depend on how many files others have made by then. */
#include <fcntl.h>

#include "clock.h"
#include "race.h"

#define PIPES  10
#define MAKERS 3
#define FILES  300
#define BYTES  60

static int pipes[PIPES][2];

static void *make_files(void *number)
{
	char name[48];

	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "/tmp/file%d.%ld.%d", getpid(), (long)number, i);
		must(close(open(name, O_WRONLY | O_CREAT, 0600)) == 0 && unlink(name) == 0);
	}
	return NULL;
}

static void *read_all(void *number)
{
	unsigned long sum = 0;
	char byte;

	close(pipes[(long)number][1]);
	while (read(pipes[(long)number][0], &byte, 1) == 1)
		sum = sum * 31 + (unsigned long)clock_us();
	printf("reader %ld: %lu at %ld us\n", (long)number, sum, clock_us());
	fflush(stdout);
	return NULL;
}

static void *write_all(void *number)
{
	for (int i = 0; i < BYTES; i++) {
		pass_us(7 + 13 * (long)number);
		must(write(pipes[(long)number][1], "x", 1) == 1);
	}
	return NULL;
}

int main(void)
{
	start_processes(MAKERS, make_files);
	for (int i = 0; i < PIPES; i++)
		must(pipe2(pipes[i], O_CLOEXEC) == 0);
	for (long i = 0; i < PIPES; i++)
		if (fork() == 0) {
			for (long other = 0; other < PIPES; other++)
				if (other != i)
					close(pipes[other][1]);
			read_all((void *)i);
			_exit(0);
		}
	start_processes(PIPES, write_all);
	for (int i = 0; i < PIPES; i++)
		close(pipes[i][1]);
	end_processes(MAKERS + 2 * PIPES);
	return 0;
}
