/* Six processes open a FIFO for writing, write some lines and close it, while one reads it until it
 * has seen all: who gets in first, and how the lines mix, is one and the same. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define WRITERS 6
#define LINES	10

static void writes(int writer)
{
	int to = open("fifo", O_WRONLY);

	must(to >= 0);
	for (int i = 0; i < LINES; i++)
		dprintf(to, "%d.%d ", writer, i);
	_exit(0);
}

int main(void)
{
	char bytes[1000];
	int words = 0;

	must(mkfifo("fifo", 0600) == 0);
	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0)
			writes(i);
	for (int opens = 1; words < WRITERS * LINES; opens++) {
		int from = open("fifo", O_RDONLY);
		ssize_t n;

		must(from >= 0);
		while ((n = read(from, bytes, sizeof(bytes))) > 0) {
			for (ssize_t i = 0; i < n; i++)
				words += bytes[i] == ' ';
			printf("%d: %.*s\n", opens, (int)n, bytes);
		}
		close(from);
	}
	for (int i = 0; i < WRITERS; i++)
		must(wait(NULL) > 0);
	must(unlink("fifo") == 0);
	return 0;
}
