/* How lines mix that several processes write through one open file, and by O_APPEND. */
#include <fcntl.h>

#include "race.h"

#define WRITERS 6
#define LINES	15

static int shared;

static void *write_lines(void *number)
{
	int own = open("appended", O_WRONLY | O_APPEND);
	char line[32];

	for (int i = 0; i < LINES; i++) {
		int n = snprintf(line, sizeof(line), "%c%02d ", 'a' + (int)(long)number, i);

		must(write(shared, line, (size_t)n) == n);
		compute(500);
		must(write(own, line, (size_t)n) == n);
	}
	return NULL;
}

static void show(const char *name)
{
	char text[WRITERS * LINES * 4 + 1] = "";
	int fd = open(name, O_RDONLY);

	must(read(fd, text, sizeof(text)) == WRITERS * LINES * 4);
	printf("%s: %s\n", name, text);
	close(fd);
}

int main(void)
{
	shared = open("shared", O_WRONLY | O_CREAT, 0600);
	close(open("appended", O_WRONLY | O_CREAT, 0600));
	in_processes(WRITERS, write_lines);
	show("shared");
	show("appended");
	return 0;
}
