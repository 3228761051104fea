/* How many threads a process has, by its directory of them and the links of that (Chromium's sandbox
 * asks so) and by its status: those that were joined are gone, in whatever state the kernel has them.
 * Does not differ natively: not in every two runs; on a busy machine it does. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 5
#define ROUNDS	100

static void *wait_for(void *gate)
{
	char byte;

	must(read(*(int *)gate, &byte, 1) == 1);
	return NULL;
}

static int links(void)
{
	struct stat st;

	must(stat("/proc/self/task", &st) == 0);
	return (int)st.st_nlink;
}

/* What the format finds in a line of the file. */
static int number(const char *file, const char *format)
{
	FILE *stream = fopen(file, "r");
	char line[4096];
	int found = -1;

	must(stream);
	while (fgets(line, sizeof(line), stream))
		if (sscanf(line, format, &found) == 1)
			break;
	fclose(stream);
	return found;
}

static int entries(void)
{
	DIR *directory = opendir("/proc/self/task");
	int count = 0;

	must(directory);
	for (struct dirent *entry; (entry = readdir(directory));)
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count;
}

static void show(void)
{
	printf("%d links, %d entries, %d and %d threads\n", links(), entries(),
		number("/proc/self/status", "Threads: %d"),
		number("/proc/self/stat",
			"%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d "
			"%*d %*d %d"));
}

int main(void)
{
	pthread_t threads[THREADS];
	int gate[2];

	must(pipe(gate) == 0);
	for (int round = 0; round < ROUNDS; round++) {
		show();
		for (int i = 0; i < THREADS; i++)
			must(pthread_create(&threads[i], NULL, wait_for, gate) == 0);
		show();
		must(write(gate[1], "12345", THREADS) == THREADS);
		for (int i = 0; i < THREADS; i++)
			must(pthread_join(threads[i], NULL) == 0);
	}
	return 0;
}
