/* One process waits for a lock on a file, whose owner waits for a signal.
 * Does not run natively: it hangs.
 * status: 125
 * says: stet: deadlock: */
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>

#include "race.h"

int main(void)
{
	int ends[2];
	char byte = 0;

	must(pipe(ends) == 0);
	if (fork() == 0) {
		int fd = open("lock", O_RDWR | O_CREAT, 0600);

		must(flock(fd, LOCK_EX) == 0 && write(ends[1], &byte, 1) == 1);
		printf("child has the lock\n");
		pause();
	}
	must(read(ends[0], &byte, 1) == 1);
	int fd = open("lock", O_RDWR);

	printf("parent wants it\n");
	flock(fd, LOCK_EX);
	return 0;
}
