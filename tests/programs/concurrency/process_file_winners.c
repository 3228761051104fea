/* Who creates a file that several want to create, who renames last, and who gets a lock. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "race.h"

#define MEMBERS 5
#define FILES	10

static char *winners, *last, *locked;
static int *locks;

static void *compete(void *number)
{
	char name[32], own[32], letter = (char)('a' + (long)number);
	int lock = open("lock", O_RDWR | O_CREAT, 0600);

	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "file%d", i);
		snprintf(own, sizeof(own), "own%c", letter);
		int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

		if (fd >= 0)
			winners[i] = letter;
		close(fd);
		must(mkdir(own, 0700) == 0 && rmdir(own) == 0);
		must(symlink(own, own) == 0 && rename(own, "renamed") == 0);
		last[i] = letter;
		must(flock(lock, LOCK_EX) == 0);
		locked[(*locks)++] = letter;
		must(flock(lock, LOCK_UN) == 0);
	}
	return NULL;
}

int main(void)
{
	char target[8] = "";

	winners = shared_memory(4096);
	last = winners + 512;
	locked = winners + 1024;
	locks = (int *)(winners + 2048);
	in_processes(MEMBERS, compete);
	must(readlink("renamed", target, sizeof(target)) == 4);
	printf("created: %s\nrenamed: %s, at the end %s\nlocked: %s\n", winners, last, target,
		locked);
	must(*locks == MEMBERS * FILES);
	return 0;
}
