/* Four processes that both write to and read from one pipe: who gets whose bytes is the same each
 * time. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define ROUNDS 10

/* Writes as much as it reads, and writes first: nobody is left waiting at the end. */
static void mix(int number, const int ends[2])
{
	char got[ROUNDS + 1] = "";

	for (int i = 0; i < ROUNDS; i++) {
		char byte = (char)('a' + number);

		must(write(ends[1], &byte, 1) == 1);
		must(read(ends[0], &got[i], 1) == 1);
	}
	printf("process %d (%d): %s\n", number, getpid(), got);
}

int main(void)
{
	int ends[2], number = 0;

	must(pipe(ends) == 0);
	pid_t first = fork(), second = fork();

	number = (first == 0) + 2 * (second == 0);
	mix(number, ends);
	while (wait(NULL) > 0)
		;
	return 0;
}
