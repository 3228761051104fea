/* Processes that list directories and go into them, beside others that make and remove files
 * elsewhere: what is looked at twice must look the same. Does not differ natively. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "race.h"

#define LOOKERS 2
#define MAKERS	3
#define ROUNDS	150
#define ENTRIES 5

static char place[64];

static int entries(void)
{
	DIR *directory = opendir("inner");
	int count = 0;

	must(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2;
}

static void *look(void *number)
{
	int all = 0, inside = 0;

	for (int i = 0; i < ROUNDS; i++) {
		must(chdir(place) == 0);
		all += entries();
		inside += chdir("inner") == 0;
	}
	printf("looker %ld: %d entries, %d times inside\n", (long)number, all, inside);
	fflush(stdout);
	must(all == ROUNDS * ENTRIES && inside == ROUNDS);
	return NULL;
}

static void *make(void *number)
{
	char name[96];

	for (int i = 0; i < 4 * ROUNDS; i++) {
		snprintf(name, sizeof(name), "%s/other%ld.%d", place, (long)number, i);
		must(close(open(name, O_WRONLY | O_CREAT, 0600)) == 0 && unlink(name) == 0);
	}
	return NULL;
}

static void *work(void *number)
{
	return (long)number < LOOKERS ? look(number) : make(number);
}

int main(void)
{
	char name[96];

	snprintf(place, sizeof(place), "/tmp/directories.%d", getpid());
	must(mkdir(place, 0700) == 0 && chdir(place) == 0 && mkdir("inner", 0700) == 0);
	for (int i = 0; i < ENTRIES; i++) {
		snprintf(name, sizeof(name), "inner/%d", i);
		must(close(open(name, O_WRONLY | O_CREAT, 0600)) == 0);
	}
	in_processes(LOOKERS + MAKERS, work);
	for (int i = 0; i < ENTRIES; i++) {
		snprintf(name, sizeof(name), "inner/%d", i);
		must(unlink(name) == 0);
	}
	must(rmdir("inner") == 0 && chdir("/") == 0 && rmdir(place) == 0);
	return 0;
}
