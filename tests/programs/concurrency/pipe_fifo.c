/* FIFOs: whose open meets whose, and in which order lines arrive. */
#include <fcntl.h>
#include <sys/stat.h>

#include "race.h"

#define WRITERS 5
#define LINES	6

static void *write_lines(void *number)
{
	for (int i = 0; i < LINES; i++) {
		char line[8];
		int fd = open("fifo", O_WRONLY);

		snprintf(line, sizeof(line), "%c%02d ", 'a' + (int)(long)number, i);
		must(write(fd, line, 4) == 4);
		close(fd);
		compute(300);
	}
	return NULL;
}

int main(void)
{
	int count = 0;
	char line[5] = "";

	must(mkfifo("fifo", 0600) == 0);
	must(open("fifo", O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO);
	start_processes(WRITERS, write_lines);
	while (count < WRITERS * LINES) {
		int fd = open("fifo", O_RDONLY);

		printf("[ ");
		for (; read(fd, line, 4) == 4; count++)
			printf("%s", line);
		printf("]\n");
		close(fd);
	}
	end_processes(WRITERS);
	return 0;
}
