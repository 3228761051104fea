/* calls getppid|read N: the named system call, N times. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long call_getppid(long count)
{
	long answers = 0;
	while (answers < count && getppid() >= 0)
		answers++;
	return answers;
}

static long call_read(long count)
{
	char byte;
	long answers = 0;
	int zero = open("/dev/zero", O_RDONLY);
	while (answers < count && read(zero, &byte, 1) == 1)
		answers++;
	return answers;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: calls getppid|read N\n");
		return 2;
	}
	long count = atol(argv[2]);
	return (strcmp(argv[1], "read") == 0 ? call_read : call_getppid)(count) == count ? 0 : 1;
}
