/* 5000 bytes written at once are read in chunks of 79, each of them full but the last, and a read
 * of more than a write put in gives what the write put in. Does not differ natively: the reader
 * waits until all is written. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static unsigned int state = 1;

static unsigned char next_byte(void)
{
	state = state * 1103515245 + 12345;
	return (unsigned char)(state >> 16);
}

static void write_all(int to)
{
	unsigned char bytes[5000];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = next_byte();
	must(write(to, bytes, sizeof(bytes)) == sizeof(bytes));
}

int main(void)
{
	unsigned char chunk[79];
	int ends[2], wrong = 0;
	ssize_t n;

	must(pipe(ends) == 0);
	pid_t child = fork();

	if (child == 0) {
		write_all(ends[1]);
		_exit(0);
	}
	close(ends[1]);
	must(waitpid(child, NULL, 0) == child);
	while ((n = read(ends[0], chunk, sizeof(chunk))) > 0) {
		printf("%zd: %02x %02x ...\n", n, chunk[0], chunk[n - 1]);
		for (ssize_t i = 0; i < n; i++)
			wrong += chunk[i] != next_byte();
	}
	printf("wrong bytes: %d\n", wrong);
	return wrong != 0;
}
