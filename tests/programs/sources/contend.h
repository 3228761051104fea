/* Several processes that contend for an object: what the programs about waiting in line share. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A length of computing that depends on nothing but real time: who is first differs natively. */
static inline void compute(unsigned rounds)
{
	for (volatile unsigned i = 0; i < rounds * 1000; i++)
		;
}

/* One write per line: lines of different processes do not mix. */
static inline void say(const char *what, int who, int number)
{
	char line[64];
	int bytes = snprintf(line, sizeof(line), "%s %d %d\n", what, who, number);

	if (write(1, line, (size_t)bytes) != bytes)
		exit(1);
}

/* What a call answers. */
#define TELL(call)                                                                                 \
	do {                                                                                       \
		long result = (call);                                                              \
		printf("%s: %s\n", #call, result < 0 ? strerror(errno) : "fine");                  \
	} while (0)

/* Runs `body` in `count` children; answers how many failed. */
static inline int contend(int count, void (*body)(int who))
{
	int failures = 0;

	fflush(stdout);
	for (int i = 0; i < count; i++)
		if (fork() == 0) {
			body(i);
			_exit(0);
		}
	for (int i = 0; i < count; i++) {
		int status = 0;

		wait(&status);
		failures += status != 0;
	}
	return failures;
}
