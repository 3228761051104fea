/* A terminal between processes: how much each read of the master finds of what several print, and
 * lines that are typed meanwhile. */
#include <fcntl.h>
#include <pty.h>

#include "race.h"

#define WRITERS 3
#define LINES	6

static int master, slave;

static void *print(void *number)
{
	close(master);
	for (int i = 0; i < LINES; i++) {
		dprintf(slave, "%c%d\n", 'a' + (int)(long)number, i);
		compute(300);
	}
	return NULL;
}

int main(void)
{
	char buffer[64];
	long total = 0, n;

	must(openpty(&master, &slave, NULL, NULL, NULL) == 0);
	start_processes(WRITERS, print);
	while (total < WRITERS * LINES * 4) {
		n = read(master, buffer, sizeof(buffer));
		must(n > 0);
		total += n;
		for (long i = 0; i < n; i++)
			if (buffer[i] >= ' ')
				putchar(buffer[i]);
		printf("|");
	}
	printf("\n");
	end_processes(WRITERS);
	must(write(master, "typed\n", 6) == 6 && read(slave, buffer, sizeof(buffer)) == 6);
	return 0;
}
